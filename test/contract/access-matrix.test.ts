import { describe, expect, test } from "vitest";
import { z } from "zod";
import { projectField } from "../../src/api/engine/named-project.ts";
import { isClosedToLimitedKeys, type Operation } from "../../src/api/engine/operation.ts";
import { operations } from "../../src/api/operations/index.ts";
import { expand, grantableScopes, SCOPES } from "../../src/domain/access/identity/scopes.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { hashSecret, newSecret } from "../../src/domain/kernel/secrets.ts";
import { configure } from "../support/app.ts";
import type { Client, Reply } from "../support/client.ts";
import { type KeyOf, type World, world } from "../support/world.ts";
import { notAllowed, undocumented } from "./conformance.ts";
import { callerOf, type Example, exampleOf, examples, type Params, pathOf } from "./examples.ts";
import { snapshot } from "./snapshot.ts";

/**
 * Every operation for every kind of caller: unauthorized callers get the right error and change nothing, authorized
 * callers succeed.
 */

configure({ BAD_CREDENTIALS_PER_MINUTE: "1000000" });

/** Calls that are made at once. If there are more, Redis answers too late on a busy machine, and limits are not shown. */
const TOGETHER = 4;

test("a snapshot shows changed rows, but not those that were only used", async () => {
  const here = await world();
  const { sql, owner, project } = here;
  const before = await snapshot(here);
  await sql(`update api_key set last_used_at = now(), last_used_ip = '127.0.0.1'`);
  await expect(sql(`with gone as (delete from issue_counter) select 1 / 0`)).rejects.toThrow("division by zero");
  expect(await snapshot(here)).toEqual(before);
  await sql(`update api_key set name = 'renamed' where user_id = $1`, [owner.userId]);
  const renamed = await snapshot(here);
  expect(renamed).not.toEqual(before);
  await sql("delete from issue_counter where project_id = $1", [project.id]);
  expect(await snapshot(here)).not.toEqual(renamed);
  await sql("insert into issue_counter (project_id) values ($1)", [project.id]);
  expect(await snapshot(here)).toEqual(renamed);
});

test("every example belongs to an operation", () => {
  const ids = operations.map(({ id }) => id);
  expect(Object.keys(examples).filter((id) => !ids.includes(id))).toEqual([]);
});

test("every id in a path is loaded by the engine, which checks who may see the object", () => {
  const idsOf = ({ ownParams }: Operation) => ownParams.filter((name) => /id$/i.test(name));
  const loadersOf = ({ within, on }: Operation) => [within, on].filter((loader) => loader !== undefined);
  const byHand = operations.filter((one) => one.head !== "none" && idsOf(one).length > loadersOf(one).length);
  expect(byHand.map(({ id }) => id)).toEqual([]);
});

describe.each(operations.map((operation) => ({ id: operation.id, operation })))("$id", ({ operation }) => {
  test("rejects callers without the rights and changes nothing, and serves callers with them", async () => {
    const here = await world();
    const other = await here.other();
    const example = exampleOf(operation);
    // Private objects belong to their creator, so the caller creates them.
    const maker = await here.as(callerOf(operation, example));
    const { params: own, inProject } = await madeInProject(
      example,
      operation.private ? { ...here, owner: maker } : here,
    );
    const foreign = { key: other.project.id, ...(await example.params?.(other)) };
    const attempts = [
      ...otherTenants(operation, here, other, own, foreign),
      ...(
        await Promise.all([
          strangers(here),
          underprivileged(operation, here),
          hiddenProjects(operation, here, inProject),
          namedProjects(operation, here),
          othersOf(operation, here),
        ])
      ).flat(),
    ];

    const before = await snapshot(here);
    for (let from = 0; from < attempts.length; from += TOGETHER) {
      const some = attempts.slice(from, from + TOGETHER);
      const replies = await Promise.all(
        some.map(({ client, credential, params = own, named }) =>
          Promise.resolve(call(operation, here, client, params, { credential, named })),
        ),
      );
      for (const [n, reply] of replies.entries()) {
        const { who, expected } = some[n]!;
        expect(`${who}: ${outcomeOf(reply)}`, reply.text).toBe(`${who}: ${expected}`);
        if (expected === SCOPE) expect(reply.body.error.details.required_scope, reply.text).toBe(operation.scope);
        expect(undocumented(operation, reply), reply.text).toEqual([]);
      }
    }
    expect(await snapshot(here)).toEqual(before);

    const allowed = await here.keyFor(maker, {
      scopes: [...(operation.scope ? [operation.scope] : []), ...(example.scopes ?? [])],
    });
    const status = example.answers ?? (operation.shape === "bulk" ? 201 : operation.status);
    const reply = await call(operation, here, allowed, own).expect(status);
    expect(undocumented(operation, reply), reply.text).toEqual([]);
    expect(notAllowed(operation, example.body?.(1, here))).toEqual([]);
  });
});

type Attempt = { who: string; client: Client; credential?: string; params?: Params; named?: World; expected: string };

/** The status and code of a refusal. An item of a bulk call has its own. */
function outcomeOf({ status, body }: Reply): string {
  const row = status === 207 ? body.data[0] : null;
  return row ? `${row.status} ${row.error.details.code}` : `${status} ${body?.code}`;
}

const UNKNOWN = "401 unauthorized";
const SCOPE = "403 insufficient_scope";
const ROLE = "403 insufficient_role";
const LIMITED = "403 key_project_limit";
const HIDDEN = "404 not_found";
const ARCHIVED = "409 archived";
const NO_REFERENCE = "400 invalid_reference";

/** @param named the world whose project the body names, in place of its own */
function call(
  operation: Operation,
  here: World,
  client: Client,
  params: Params,
  { credential, named }: { credential?: string | undefined; named?: World | undefined } = {},
) {
  const { body: bodyOf, query } = exampleOf(operation);
  const path = pathOf(operation, here, params) + (query ? `?${query}` : "");
  const headers = credential ? { authorization: `Bearer ${credential}` } : undefined;
  const body = bodyOf?.(1, named ?? here);
  return client.call(operation.method, path, named ? naming(operation, body, named) : body, { headers });
}

/** A body, or a bulk call's items, in the project of a world. */
function naming({ body, item }: Operation, sent: Record<string, unknown> | undefined, { project }: World) {
  if (!item) return { ...sent, [projectField(body!)!]: project.id };
  const items = sent?.items as Record<string, unknown>[];
  return { items: items.map((one) => ({ ...one, [projectField(item)!]: project.id })) };
}

/** Callers without a valid credential. */
async function strangers(here: World): Promise<Attempt[]> {
  const { nobody, owner } = here;
  const revoked = await here.keyFor(owner);
  await here.sql(`update api_key set revoked_at = now() where hash = $1`, [hashSecret(revoked.key as string)]);
  const left = await here.as({ role: "admin" });
  await here.sql(`delete from member where user_id = $1`, [left.userId]);
  const suspended = await here.as({ role: "admin" });
  await here.sql(`update member set status = 'suspended' where user_id = $1`, [suspended.userId]);
  return [
    { who: "nobody", client: nobody, expected: UNKNOWN },
    { who: "garbage", client: nobody, credential: "garbage", expected: UNKNOWN },
    { who: "a key nobody made", client: nobody, credential: newSecret("wk_").plaintext, expected: UNKNOWN },
    { who: "a revoked key", client: revoked, expected: UNKNOWN },
    { who: "an expired key", client: await here.keyFor(owner, { expiresAt: "2020-01-01" }), expected: UNKNOWN },
    { who: "one who left", client: left, expected: UNKNOWN },
    { who: "one who is suspended", client: suspended, expected: UNKNOWN },
  ];
}

/** Members of the workspace whose scopes, role or projects are not sufficient. */
async function underprivileged(operation: Operation, here: World): Promise<Attempt[]> {
  const { scope, tier, writes, writers, head } = operation;
  const attempts: Attempt[] = [];
  const refused = async (who: string, key: KeyOf, expected: string) => {
    attempts.push({ who, client: await here.as(key), expected });
  };
  if (scope) {
    // All scopes except those that include the needed one.
    const contains = (granted: string) => (scope === "admin" ? granted === "admin" : expand([granted]).has(scope));
    const scopes = SCOPES.filter((granted) => !contains(granted));
    await refused("an admin without the scope", { role: "admin", scopes }, SCOPE);
  }
  if (head === "P" || head === "I") {
    await refused("a key for another project", { role: "admin", projectIds: [newId()] }, HIDDEN);
    await refused("a guest of no project", { role: "guest" }, HIDDEN);
  }
  if (isClosedToLimitedKeys(operation)) {
    await refused("a key limited to projects", { role: "owner", projectIds: [here.project.id] }, LIMITED);
  }
  // Sessions have all scopes, so a call whose scope only admins can grant must check the role as well. Every member may
  // have projects:admin, so each call must check whether they are an admin of the project.
  const isForAdmins = scope !== null && (scope === "admin" || !grantableScopes("member").has(scope));
  if (tier || isForAdmins || scope === "projects:admin") await refused("a member", { role: "member" }, ROLE);
  if (scope === "projects:admin") {
    await refused("a member of the project", { role: "member", projectRole: "member" }, ROLE);
  }
  if (writes && scope && writers !== "viewers") {
    await refused("a viewer", { role: "viewer" }, ROLE);
    if (head === "P" || head === "I") {
      await refused("a viewer of the project", { role: "member", projectRole: "viewer" }, ROLE);
      if (writers !== "guests") await refused("a guest of the project", { role: "guest", projectRole: "member" }, ROLE);
    }
  }
  return attempts;
}

const takesProject = ({ body, item }: Partial<Operation>) =>
  [body, item].some((schema) => schema !== undefined && projectField(schema) !== undefined);
const showsProject = ({ returns }: Operation) => returns instanceof z.ZodObject && "project_id" in returns.shape;

/** Loaders below the workspace whose objects have a `project_id`. Objects inside them belong to a project too. */
const ofProjects = new Set(
  operations.filter((operation) => operation.head === "W" && showsProject(operation)).flatMap(({ on }) => on ?? []),
);

/** The operation that creates what a list shows. Issues of all projects are created in one of them. */
const creating = ({ id, path }: Operation) =>
  operations.find((one) =>
    id === "workspaces.issues" ? one.id === "issues.create" : one.method === "POST" && one.path === path,
  );

/**
 * Lists below the workspace of objects that belong to projects. Lists that only owners and admins read are left out, if no
 * limited key reads them: their readers see every project.
 */
const listsOfProjects = operations.filter(
  (operation) =>
    operation.head === "W" &&
    !(operation.tier === "admin tier" && isClosedToLimitedKeys(operation)) &&
    (operation.shape === "list" || operation.shape === "all") &&
    operation.ownParams.length === 0 &&
    (showsProject(operation) || takesProject(creating(operation) ?? {})),
);

/** Whether the objects of an example belong to its project, i.e. the calls that create them reference it. */
async function madeInProject(example: Example, world: World): Promise<{ params: Params; inProject: boolean }> {
  const { owner, project } = world;
  const call = owner.call.bind(owner);
  let inProject = false;
  owner.call = (method, path, body, options) => {
    const { project: named, project_id } = (body ?? {}) as { project?: unknown; project_id?: unknown };
    inProject ||= /^P(?=\/|\?|$)/.test(path) || path.includes(`/projects/${project.key}`);
    inProject ||= [named, project_id].includes(project.id);
    return call(method, path, body, options);
  };
  const params = (await example.params?.(world)) ?? {};
  owner.call = call;
  return { params, inProject };
}

/** Objects of projects that the caller cannot see or change, or that are archived. */
async function hiddenProjects(operation: Operation, here: World, inProject: boolean): Promise<Attempt[]> {
  const { within, on, writes, writers, scope, tier, onArchived } = operation;
  // Others do not see a private object at all, whichever project it belongs to.
  if (operation.private || operation.head !== "W") return [];
  if (!inProject && ![within, on].some((loader) => loader && ofProjects.has(loader))) return [];
  const hidden = await here.hidden();
  const params = (await exampleOf(operation).params?.(hidden)) ?? {};
  const attempt = async (who: string, client: Client, expected: string) => ({ who, client, params, expected });
  const caller = callerOf(operation, exampleOf(operation));
  // Who has started a run is known when it is loaded.
  const needsRole = tier !== null && tier !== "starter or admin tier";
  const attempts = [
    await attempt(
      "a member who does not see its project",
      await here.as({ role: "member" }),
      needsRole ? ROLE : HIDDEN,
    ),
    await attempt(
      "a guest",
      await here.as({ role: "guest" }),
      writes && writers !== "guests" && writers !== "viewers" ? ROLE : HIDDEN,
    ),
    await attempt(
      "a key for another project",
      await here.as({ ...caller, role: "admin", projectIds: [newId()] }),
      operation.limitedKeys === "filter" ? HIDDEN : LIMITED,
    ),
  ];
  if (writes && scope && writers !== "viewers") {
    attempts.push(
      await attempt("a viewer of its project", await hidden.as({ role: "member", projectRole: "viewer" }), ROLE),
    );
  }
  if (writes && !onArchived) {
    const archived = await here.hidden("OLD");
    const inside = (await exampleOf(operation).params?.(archived)) ?? {};
    await archived.owner.delete("P").expect(200);
    attempts.push({ who: "an owner, in an archived project", client: here.owner, params: inside, expected: ARCHIVED });
  }
  return attempts;
}

/** Bodies that reference a project that the caller cannot see or change, or that is archived. */
async function namedProjects(operation: Operation, here: World): Promise<Attempt[]> {
  const { head, tier, writers } = operation;
  if (head !== "W" || !takesProject(operation)) return [];
  const hidden = await here.hidden("NAMED");
  const archived = await here.hidden("NAMEDOLD");
  await archived.owner.delete("P").expect(200);
  const attempts: Attempt[] = [
    {
      who: "a member who names a hidden project",
      client: await here.as({ role: "member" }),
      expected: tier ? ROLE : NO_REFERENCE,
    },
    {
      who: "a key for another project",
      client: await here.as({ role: "admin", projectIds: [here.project.id] }),
      expected: isClosedToLimitedKeys(operation) ? LIMITED : NO_REFERENCE,
    },
  ].map((attempt) => ({ ...attempt, named: hidden }));
  if (writers !== "viewers") {
    const viewer = await hidden.as({ role: "member", projectRole: "viewer" });
    attempts.push({ who: "a viewer of the named project", client: viewer, named: hidden, expected: ROLE });
  }
  return [
    ...attempts,
    { who: "an owner, in an archived project", client: here.owner, named: archived, expected: ARCHIVED },
  ];
}

/** Members, including owners, who cannot see a private object, and its creator once the project is hidden. */
async function othersOf(operation: Operation, here: World): Promise<Attempt[]> {
  const { private: isPrivate, ownParams, within, on } = operation;
  if (!isPrivate || ownParams.length === 0) return [];
  const attempts: Attempt[] = [
    { who: "another member", client: await here.as({ role: "member" }), expected: HIDDEN },
    { who: "an owner", client: here.owner, expected: HIDDEN },
  ];
  if (![within, on].some((loader) => loader && ofProjects.has(loader))) return attempts;
  const { maker, hidden } = await makerInHidden(here);
  const params = await exampleOf(operation).params?.({ ...hidden, owner: maker });
  await leaveProject(hidden, maker);
  return [
    ...attempts,
    { who: "its maker, who no longer sees the project", client: maker, params: params!, expected: HIDDEN },
  ];
}

async function makerInHidden(here: World): Promise<{ hidden: World; maker: Client }> {
  const hidden = await here.hidden("OWN");
  return { hidden, maker: await hidden.as({ role: "member", projectRole: "member" }) };
}

const leaveProject = ({ sql, project }: World, { userId }: Client) =>
  sql("delete from project_member where project_id = $1 and user_id = $2", [project.id, userId]);

/** Another tenant's key on this path, and this tenant's key on paths with another tenant's ids. */
function otherTenants(
  { head, path, words = {} }: Operation,
  here: World,
  other: World,
  own: Params,
  foreign: Params,
): Attempt[] {
  if (head === "none") return [];
  const names = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name as string)
    .filter((name) => name !== "slug" && !words[name]);
  return [
    { who: "another tenant", client: other.owner, expected: HIDDEN },
    ...names.map((name) => ({
      who: `an owner with another tenant's ${name}`,
      client: here.owner,
      params: { ...own, [name]: foreign[name] as string },
      expected: HIDDEN,
    })),
  ];
}

describe.each(listsOfProjects.map((operation) => ({ id: operation.id, operation })))("$id", ({ operation }) => {
  test("lists nothing of projects that the caller does not see", async () => {
    const here = await world();
    const hidden = await here.hidden();
    const example = exampleOf(operation);
    const create = creating(operation);
    const body = create && exampleOf(create).body?.(1, hidden);
    if (!body) throw new Error(`${operation.id} needs a POST on the same path, whose example takes \`world.project\`.`);
    const insider = await hidden.as({ role: "member", projectRole: "member" });
    const maker = create.tier === "admin tier" ? await hidden.as({ role: "admin" }) : insider;
    const { data } = await maker.call("POST", pathOf(create, hidden), body).expect(201);
    if (showsProject(operation)) expect(data.project_id).toBe(hidden.project.id);

    const outsiders = [
      ...(operation.private ? [hidden.owner] : []),
      await here.as({ role: "member" }),
      ...(isClosedToLimitedKeys(operation) ? [] : [await here.as({ role: "admin", projectIds: [here.project.id] })]),
      await here.as({ role: "guest", projectRole: "member" }),
    ];
    for (const client of outsiders) {
      const reply = await call(operation, here, client, (await example.params?.(here)) ?? {}).expect(200);
      expect(reply.text).not.toContain(data.id);
    }
    const guest = await hidden.as({ role: "guest", projectRole: "member" });
    const reader = operation.private || example.guests === false ? insider : guest;
    if (example.guests === false) {
      expect((await call(operation, here, guest, {}).expect(200)).text).not.toContain(data.id);
    }
    const seen = await call(operation, here, reader, {}).expect(200);
    expect(seen.text).toContain(data.id);
    await leaveProject(hidden, insider);
    expect((await call(operation, here, insider, {}).expect(200)).text).not.toContain(data.id);
  });
});
