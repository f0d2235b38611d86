import { contextOf } from "../api/engine/access.ts";
import { readConfig } from "../config.ts";
import { locate, openAccessMemory } from "../domain/access/identity/access.sql.ts";
import type { InIssue } from "../domain/access/identity/issue-row.ts";
import { lookupOf } from "../domain/access/identity/lookup.ts";
import { createUser } from "../domain/access/identity/users.ts";
import { createKey } from "../domain/access/keys/create.ts";
import { unitOfWork } from "../domain/events/unit-of-work.ts";
import { type Ctx, type InProject, type InWorkspace, systemContext, type Writing } from "../domain/kernel/context.ts";
import { Refusal } from "../domain/kernel/errors.ts";
import type { Db } from "../domain/kernel/ports/ports.ts";
import { workspaceIdOf } from "../domain/tenancy/workspaces/create.sql.ts";
import { createWorkspace } from "../domain/tenancy/workspaces/create.ts";
import { addMember } from "../domain/tenancy/workspaces/members.ts";
import { create as createComment } from "../domain/work/comments/comments.ts";
import { createMany } from "../domain/work/issues/create.ts";
import { IssueCreateInput, IssueTransitionInput } from "../domain/work/issues/inputs.ts";
import { transition } from "../domain/work/issues/transition.ts";
import { createProject } from "../domain/work/projects/create.ts";
import { ProjectCreateInput } from "../domain/work/projects/inputs.ts";
import { openResources, type Resources } from "../resources.ts";
import { ownerOf, type Person } from "./demo.sql.ts";
import { COMMENTS, ISSUES, MOVES, OWNER, PEOPLE, PROJECT, WORKSPACE } from "./demo-content.ts";
import { StartupError } from "./startup-error.ts";

export type DemoOptions = {
  databaseUrl: string;
  redisUrl: string;
  baseUrl: string;
  secretKey: string;
  /** The objects that an earlier run created. */
  known?: { api_key: string };
};

export type Demo = { workspace: string; project_key: string; owner_email: string; api_key: string };

/**
 * Fills a demo workspace and returns a key for it. Existing content is kept: each part is created in one transaction,
 * or found. A stored key that is still live is returned again, because a key can be read only once.
 */
export async function seedDemo({ databaseUrl, redisUrl, baseUrl, secretKey, known }: DemoOptions): Promise<Demo> {
  const config = readConfig({
    NODE_ENV: "development",
    LOG_LEVEL: "error",
    DATABASE_POOL: "1",
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    BASE_URL: baseUrl,
    SECRET_KEY: secretKey,
  });
  const resources = openResources(config, "demo");
  try {
    const { workspaceId, owner } = await workspace(resources);
    const kept = known && (await isGood(resources, known.api_key)) ? known.api_key : null;
    const api_key = kept ?? (await key(resources, workspaceId, owner));
    await project(resources, api_key);
    return { workspace: WORKSPACE.slug, project_key: PROJECT.key, owner_email: owner.email, api_key };
  } finally {
    await resources.close();
  }
}

const contextNow = (resources: Resources): Ctx => systemContext(resources, new Date().toISOString());

function inTransaction<Base extends Ctx, T>(
  { database, entities }: Resources,
  base: Base,
  workspaceId: string | null,
  work: (ctx: Base & Writing) => Promise<T>,
): Promise<T> {
  return unitOfWork(base, { database, entities, workspaceId }, work);
}

function workspace(resources: Resources): Promise<{ workspaceId: string; owner: Person }> {
  return inTransaction(resources, contextNow(resources), null, async (ctx) => {
    const found = await workspaceIdOf(ctx.db, WORKSPACE.slug);
    if (found) {
      const owner = await ownerOf(ctx.db, found);
      if (!owner) throw new StartupError(`The workspace ${WORKSPACE.slug} has no owner to make a key for.`);
      return { workspaceId: found, owner };
    }
    const made = await createWorkspace(ctx, { ...WORKSPACE, owner: OWNER });
    for (const { email, name, role } of PEOPLE) {
      await createUser(ctx, { email, name });
      await addMember(ctx, made.workspace.id, email, role);
    }
    return { workspaceId: made.workspace.id, owner: made.owner };
  });
}

/** Whether the key of an earlier run still has the rights of the demo. */
async function isGood({ database }: Resources, plaintext: string): Promise<boolean> {
  const located = await locate(database, openAccessMemory(), lookupOf(plaintext), {}, new Date().toISOString());
  return located?.workspace.slug === WORKSPACE.slug && located.credential.scopes.includes("admin");
}

async function key(resources: Resources, workspaceId: string, owner: Person): Promise<string> {
  const made = await inTransaction(resources, contextNow(resources), workspaceId, (ctx) =>
    createKey(ctx, {
      workspaceId,
      userId: owner.id,
      createdBy: owner.id,
      kind: "workspace",
      name: "Demo",
      scopes: ["admin"],
    }),
  );
  return made.plaintext;
}

async function project(resources: Resources, apiKey: string): Promise<void> {
  const here = await at(resources, apiKey, { key: PROJECT.key });
  if (here.project) return;
  const keys = await inTransaction(resources, here as InWorkspace, here.workspace.id, async (ctx) => {
    await createProject(ctx, ProjectCreateInput.parse(PROJECT));
    const { project } = await at(resources, apiKey, { key: PROJECT.key }, ctx.tx);
    return issues({ ...ctx, project });
  });

  // A transaction's events have one author, so issues and comments are separate. If a run is killed here, the issues
  // stay without comments.
  const speak = async (place: number, email: string, work: (ctx: InIssue & Writing) => Promise<unknown>) => {
    const base = await at(resources, apiKey, { key: PROJECT.key, issueKey: keys[place]! });
    const { id, name } = await inTransaction(resources, base, base.workspace.id, (ctx) => createUser(ctx, { email }));
    const principal = { ...base.principal, user_id: id, user_name: name, user_email: email };
    await inTransaction(resources, { ...base, principal, actor: { id, kind: "user", name } }, base.workspace.id, work);
  };
  for (const { on, by, body_md } of COMMENTS) await speak(on, by, (ctx) => createComment(ctx, { body_md }));
  for (const { on, by, ...move } of MOVES) {
    await speak(on, by, (ctx) => transition(ctx, IssueTransitionInput.parse(move)));
  }
}

/** Reads the path as a call with the key would. */
async function at(
  resources: Resources,
  apiKey: string,
  place: { key?: string; issueKey?: string },
  db: Db = resources.database,
): Promise<InIssue> {
  const base = contextNow(resources);
  return contextOf(base, (await locate(db, openAccessMemory(), lookupOf(apiKey), place, base.now))!);
}

async function issues(ctx: InProject & Writing): Promise<string[]> {
  const inputs = ISSUES.map((issue) => IssueCreateInput.parse(issue));
  return (await createMany(ctx, inputs)).map((result) => {
    if (result instanceof Refusal) throw result;
    return result.key;
  });
}
