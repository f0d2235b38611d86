import { readId } from "../../kernel/ids.ts";
import type { Db, Statement } from "../../kernel/ports/ports.ts";
import { changesIn, present } from "../../kernel/present.sql.ts";
import type { Credential, Principal } from "../../kernel/principal.ts";
import type { Project, Workspace } from "../../kernel/rows.ts";
import { type AccessList, callerOf, type ProjectList, projectOf } from "./access-rows.ts";
import { type Brief, readBriefly } from "./brief-access.sql.ts";
import { type IssueRow, issueColumns, issueJoins, type LabelRow, labelsJson } from "./issue-row.ts";
import { type IssueRef, LIVE_KEY, type Lookup, readIssueRef } from "./lookup.ts";
import { type BareIssue, nameIssues, rememberNames } from "./names.ts";

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

/** This process's cache of keys and projects, each with the access version at which it was read. */
export type AccessMemory = {
  callers: Map<string, Known>;
  /** One object for each workspace and version, whatever the key. */
  workspaces: Map<string, { version: number; workspace: Workspace }>;
};
type Known = Pick<Located, "principal" | "credential" | "workspace" | "project"> & { version: number };

export const openAccessMemory = (): AccessMemory => ({ callers: new Map(), workspaces: new Map() });

/** Maximum number of entries. The oldest is evicted first. */
const REMEMBERED = 20_000;

function remember<Entry>(entries: Map<string, Entry>, name: string, entry: Entry): void {
  entries.delete(name);
  entries.set(name, entry);
  if (entries.size > REMEMBERED) entries.delete(entries.keys().next().value!);
}

/** The object that stands for the workspace while its access version stays the same. */
function sharedWorkspace({ workspaces }: AccessMemory, read: Workspace, version: number): Workspace {
  const known = workspaces.get(read.id);
  if (known?.version === version) return known.workspace;
  rememberNames(read, version);
  // A slow statement may have read an older version than is known already.
  if (!known || known.version < version) remember(workspaces, read.id, { version, workspace: read });
  return read;
}

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
  const issue = path.issueKey === undefined ? null : readIssueRef(path.issueKey);
  const place = lookup.by === "session" ? `${lookup.slug} ` : "";
  const cacheKey = `${lookup.hash.toString("base64")} ${place}${path.key?.toLowerCase() ?? ""}`;
  const known = memory.callers.get(cacheKey);
  if (known) {
    const reads = present(db, known.workspace);
    const row = await readBriefly(reads, lookup, known.project?.id ?? null, issue, now);
    if (!row) return null;
    // Versions are numbers of one workspace. Another one may have got the name of this.
    const isSame = row.access_version === known.version && (row.named_id ?? known.workspace.id) === known.workspace.id;
    if (isSame) return { ...known, issue: await namedIn(reads, row, issue, known) };
  }
  let row = await readFully(db, lookup, path, issue, now);
  if (!row) return null;
  const { access_version: version } = row;
  const caller = callerOf(row.access);
  const workspace = sharedWorkspace(memory, caller.workspace, version);
  const read = { ...caller, workspace, project: row.project && projectOf(row.project), version };
  memory.callers.delete(cacheKey);
  // Missing objects are not cached, because they may be created at any time.
  if (path.key === undefined || read.project) remember(memory.callers, cacheKey, read);
  // Issues are about to change, which is known only now. Such workspaces are rare.
  const reads = present(db, read.workspace);
  if (issue && reads !== db) row = (await readFully(reads, lookup, path, issue, now)) ?? row;
  return { ...read, issue: isOf(row, issue, read.project) ? (row as Located["issue"]) : null };
}

const isOf = ({ id }: { id?: string | null }, issue: IssueRef | null, project: Project | null): boolean =>
  Boolean(id) && (issue?.by !== "number" || issue.projectKey === project?.key);

async function namedIn(db: Db, row: Brief, issue: IssueRef | null, { workspace, project }: Known) {
  if (!isOf(row, issue, project)) return null;
  const [named] = await nameIssues(db, workspace, [row as BareIssue]);
  return named!;
}

/** Reads the live key with everything else. */
async function readFully(db: Db, lookup: Lookup, path: Path, issue: IssueRef | null, now: string) {
  const { hash, by } = lookup;
  const project = path.key !== undefined;
  const name = `access_${by}${project ? "_project" : ""}${issue ? `_issue_${issue.by}` : ""}`;
  const values: unknown[] = [hash, now];
  if (path.key !== undefined) values.push(path.key, readId(path.key));
  if (issue) values.push(issue.value);
  if (lookup.by === "session") values.push(lookup.slug);
  const [row] = await db.query<AccessRow>(
    statement(name, () => accessSql(by, project, issue?.by, `$${values.length}`)),
    values,
  );
  return row;
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
const accessSql = (by: Lookup["by"], project: boolean, issueBy: "number" | "id" | undefined, slug: string) => `
  select json_build_array(k.id, k.kind, k.name, k.prefix, k.expires_at, ${LIVE_KEY[by].ends}, ${LIVE_KEY[by].scopes},
                          k.project_ids, k.rate_limit_per_minute, u.id, u.kind, u.name, u.email, m.role, g.role,
                          w.id, w.slug, w.name, w.plan, ${changesIn("w")}, ${agentLimits}) as access,
         a.version as access_version
         ${project ? `, ${projectList} as project` : ""}
         ${issueBy ? `, ${issueColumns}, ${labelsJson}` : ""}
  from (select) one
  join ${LIVE_KEY[by].from("$1", slug)}
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
