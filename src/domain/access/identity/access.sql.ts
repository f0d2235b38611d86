import { readId } from "../../kernel/ids.ts";
import type { Db, Statement } from "../../kernel/ports/ports.ts";
import { changesIn, present } from "../../kernel/present.sql.ts";
import type { Credential, Principal } from "../../kernel/principal.ts";
import type { Project, Workspace } from "../../kernel/rows.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { type AccessList, callerOf, type ProjectList, projectOf } from "./access-rows.ts";
import { type IssueRow, issueColumns, issueJoins, type LabelRow, labelsJson } from "./issue-row.ts";

/**
 * One statement identifies the caller and loads the objects of the path: key, workspace, project and issue. A further
 * round trip would cost a GET a third of its throughput, and joins cost time too, so rarely changed rows are cached.
 */

export type Path = { slug?: string; key?: string; issueKey?: string };

export type Located = {
  principal: Principal;
  credential: Credential;
  workspace: Workspace;
  project: Project | null;
  issue: (IssueRow & { labels: LabelRow[] | null }) | null;
};

const ISSUE_KEY = /^([A-Za-z][A-Za-z0-9]{0,9})-(\d{1,9})$/;

/** This process's cache of keys and projects, each with the access version at which it was read. */
export type AccessMemory = Map<string, Known>;
type Known = Pick<Located, "principal" | "credential" | "workspace" | "project"> & { version: number };

/** Maximum number of entries. The oldest is evicted first. */
const REMEMBERED = 20_000;

/** How to look up a credential. OAuth access tokens have their own table; their grant is the key. */
export type Lookup = { hash: Buffer; by: "key" | "access_token" };

export const lookupOf = (plaintext: string): Lookup => ({
  hash: hashSecret(plaintext),
  by: plaintext.startsWith("oat_") ? "access_token" : "key",
});

/**
 * Reads the key of a credential and the objects that the path names below its workspace. Null if there is no such
 * live key. The caller must still check the workspace slug, the visibility of the project and the like.  A cached
 * entry is used only if the statement that reads the live key also confirms its access version. So a revoked key or a
 * changed role or scope takes effect with the next call, in every process.
 */
export async function locate(
  db: Db,
  memory: AccessMemory,
  lookup: Lookup,
  path: Path,
  now: string,
): Promise<Located | null> {
  const { hash } = lookup;
  const issue = path.issueKey === undefined ? null : readIssueRef(path.issueKey);
  const cacheKey = `${hash.toString("base64")} ${path.key?.toLowerCase() ?? ""}`;
  const known = memory.get(cacheKey);
  if (known) {
    const reads = present(db, known.workspace);
    const row = await readBriefly(reads, lookup, known.project?.id ?? null, issue, now);
    if (!row) return null;
    if (row.access_version === known.version) return { ...known, issue: issueIn(row, issue, known.project) };
  }
  let row = await readFully(db, lookup, path, issue, now);
  if (!row) return null;
  const read = { ...callerOf(row.access), project: row.project && projectOf(row.project), version: row.access_version };
  memory.delete(cacheKey);
  // Missing objects are not cached, because they may be created at any time.
  if (path.key === undefined || read.project) memory.set(cacheKey, read);
  if (memory.size > REMEMBERED) memory.delete(memory.keys().next().value!);
  // Issues are about to change, which is known only now. Such workspaces are rare.
  const reads = present(db, read.workspace);
  if (issue && reads !== db) row = (await readFully(reads, lookup, path, issue, now)) ?? row;
  return { ...read, issue: issueIn(row, issue, read.project) };
}

function issueIn(row: ReadIssue, issue: IssueRef | null, project: Project | null): Located["issue"] {
  if (!row.id || (issue?.by === "number" && issue.projectKey !== project?.key)) return null;
  return row as Located["issue"];
}

/** Reads the live key, its workspace's access version, and the issue. */
async function readBriefly(
  db: Db,
  { hash, by }: Lookup,
  projectId: string | null,
  issue: IssueRef | null,
  now: string,
) {
  const name = `access_brief_${by}${issue ? `_${issue.by}` : ""}`;
  const text = () => `
    select a.version as access_version ${issue ? `, ${issueColumns}, ${labelsJson}` : ""}
    from ${LIVE_KEY[by].from} join access_version a on a.workspace_id = k.workspace_id
    ${issue ? `left join issue i on i.project_id = $3 and i.${issue.by} = $4 ${issueJoins}` : ""}
    where ${LIVE_KEY[by].where}`;
  const values = issue ? [hash, now, projectId, issue.value] : [hash, now];
  const [row] = await db.query<{ access_version: number } & ReadIssue>(statement(name, text), values);
  return row;
}

/** Reads the live key with everything else. */
async function readFully(db: Db, { hash, by }: Lookup, path: Path, issue: IssueRef | null, now: string) {
  const project = path.key !== undefined;
  const name = `access_${by}${project ? "_project" : ""}${issue ? `_issue_${issue.by}` : ""}`;
  const values: unknown[] = [hash, now];
  if (path.key !== undefined) values.push(path.key, readId(path.key));
  if (issue) values.push(issue.value);
  const [row] = await db.query<AccessRow>(
    statement(name, () => accessSql(by, project, issue?.by)),
    values,
  );
  return row;
}

const UNREVOKED = `k.revoked_at is null and (k.expires_at is null or k.expires_at > $2::timestamptz)`;

/** The live key of a credential. An access token is live while both the token and its grant are. */
const LIVE_KEY: Record<Lookup["by"], { from: string; where: string; scopes: string; ends: string }> = {
  key: { from: "api_key k", where: `k.hash = $1 and ${UNREVOKED}`, scopes: "k.scopes", ends: "k.expires_at" },
  access_token: {
    from: "oauth_record t join api_key k on k.id = t.grant_id",
    where: `t.model = 'AccessToken' and t.hash = $1 and t.expires_at > $2::timestamptz and ${UNREVOKED}`,
    scopes: "coalesce(t.scopes, k.scopes)",
    ends: "least(t.expires_at, k.expires_at)",
  },
};

/** An issue reference: KEY-N in any case, or an id. */
export type IssueRef = { by: "number"; projectKey: string; value: number } | { by: "id"; value: string | null };

export function readIssueRef(text: string): IssueRef {
  const [, projectKey, number] = ISSUE_KEY.exec(text) ?? [];
  if (projectKey && number) return { by: "number", projectKey: projectKey.toUpperCase(), value: Number(number) };
  return { by: "id", value: readId(text) };
}

const statements = new Map<string, Statement>();

function statement(name: string, text: () => string): Statement {
  let known = statements.get(name);
  if (!known) {
    known = { name, text: text() };
    statements.set(name, known);
  }
  return known;
}

/** What people decided about the agent `ag`, as JSON. Null for people. */
export const agentLimits = `
  case when ag.user_id is not null
    then json_build_object('paused', ag.paused_at is not null, 'field_policy', ag.field_policy) end`;

// Columns that only the server reads are returned as two JSON arrays: in node-postgres a column costs ten times as
// much as an array element.
const accessSql = (by: Lookup["by"], project: boolean, issueBy: "number" | "id" | undefined) => `
  select json_build_array(k.id, k.kind, k.name, k.prefix, k.expires_at, ${LIVE_KEY[by].ends}, ${LIVE_KEY[by].scopes},
                          k.project_ids, k.rate_limit_per_minute, u.id, u.kind, u.name, u.email, m.role, g.role,
                          w.id, w.slug, w.name, w.plan, ${changesIn("w")}, ${agentLimits}) as access,
         a.version as access_version
         ${project ? `, ${projectList} as project` : ""}
         ${issueBy ? `, ${issueColumns}, ${labelsJson}` : ""}
  from ${LIVE_KEY[by].from}
  join workspace w on w.id = k.workspace_id
  join access_version a on a.workspace_id = k.workspace_id
  join app_user u on u.id = k.user_id
  left join agent ag on ag.user_id = k.user_id
  join member m on m.workspace_id = k.workspace_id and m.user_id = k.user_id and m.status = 'active'
  join member g on g.workspace_id = k.workspace_id and g.user_id = k.created_by and g.status = 'active'
  ${project ? projectJoin : ""}
  ${issueBy ? `left join issue i on i.project_id = p.id and i.${issueBy} = $5 ${issueJoins}` : ""}
  where ${LIVE_KEY[by].where}`;

/**
 * A project in the form that `projectOf` reads, from `project p`, its default column `ds` and the caller's membership
 * `pm`.
 */
export const projectList = `
  case when p.id is not null then json_build_array(
    p.id, p.key, p.slug, p.name, p.scoped, p.archived_at, ds.id, ds.name, ds.category, p.default_assignee_id,
    p.transition_rules, p.wip_mode, p.enforce_blockers, pm.role,
    exists (select from custom_field f where f.project_id = p.id and f.deleted_at is null
              and (f.required or f.default_value is not null))) end`;

// A project can be referenced by id, key or slug, in this order. coalesce stops at the first match.
const projectJoin = `
  left join project p on p.workspace_id = w.id and p.id = coalesce(
    $4::uuid,
    (select id from project where workspace_id = w.id and key = upper($3)),
    (select id from project where workspace_id = w.id and slug = lower($3)))
  left join board_status ds on ds.id = p.default_status_id and ds.deleted_at is null
  left join project_member pm on pm.project_id = p.id and pm.user_id = k.user_id`;

type ReadIssue = Partial<NonNullable<Located["issue"]>>;
type AccessRow = { access: AccessList; project: ProjectList | null; access_version: number } & ReadIssue;
