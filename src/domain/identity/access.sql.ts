import { readId } from "../ids.ts";
import type { Category, IssueRow, LabelRow } from "../issues/rows.ts";
import { issueColumns, issueJoins, labelsJson } from "../issues/rows.ts";
import type { Db, Statement } from "../ports.ts";
import type { Caller, Project, Workspace } from "../rows.ts";
import { instantOfJson } from "../wire.ts";

/**
 * One statement answers who calls and what the path names: key, workspace, project and issue. Each further round trip
 * would cost a GET a third of its throughput.
 */

export type Path = { slug?: string; key?: string; issueKey?: string };

export type Located = {
  caller: Caller;
  workspace: Workspace;
  project: Project | null;
  issue: (IssueRow & { labels: LabelRow[] | null }) | null;
};

const ISSUE_KEY = /^([A-Za-z][A-Za-z0-9]{0,9})-(\d{1,9})$/;

/**
 * Reads the key by its hash, with the objects that the path names below its workspace. Null when no such key lives.
 * A slug of another workspace, a hidden project and so on are for the caller to judge.
 */
export async function locate(db: Db, hash: Buffer, path: Path, now: string): Promise<Located | null> {
  const issue = path.issueKey === undefined ? null : readIssueRef(path.issueKey);
  const statement = statementFor(path, issue?.by);
  const values: unknown[] = [hash, now];
  if (path.key !== undefined) values.push(path.key, readId(path.key));
  if (issue) values.push(issue.value);

  const [row] = await db.query<AccessRow>(statement, values);
  if (!row) return null;
  const project = row.project && projectOf(row.project);
  const named = issue?.by === "number" && issue.projectKey !== project?.key;
  return { ...callerOf(row.access), project, issue: row.id && !named ? row : null };
}

type IssueRef = { by: "number"; projectKey: string; value: number } | { by: "id"; value: string | null };

function readIssueRef(text: string): IssueRef {
  const [, projectKey, number] = ISSUE_KEY.exec(text) ?? [];
  if (projectKey && number) return { by: "number", projectKey: projectKey.toUpperCase(), value: Number(number) };
  return { by: "id", value: readId(text) };
}

const statements = new Map<string, Statement>();

function statementFor(path: Path, issueBy: "number" | "id" | undefined): Statement {
  const name = `access${path.key === undefined ? "" : "_project"}${issueBy ? `_issue_${issueBy}` : ""}`;
  let statement = statements.get(name);
  if (!statement) {
    statement = { name, text: accessSql(path.key !== undefined, issueBy) };
    statements.set(name, statement);
  }
  return statement;
}

// What only we read comes as two JSON lists: a column costs node-postgres ten times what a list element does.
const accessSql = (project: boolean, issueBy: "number" | "id" | undefined) => `
  select json_build_array(k.id, k.kind, k.name, k.prefix, k.expires_at, k.scopes, k.project_ids, k.rate_limit_per_minute,
                          u.id, u.kind, u.name, u.email, m.role, w.id, w.slug, w.name, w.plan) as access
         ${project ? `, ${projectList} as project` : ""}
         ${issueBy ? `, ${issueColumns}, ${labelsJson}` : ""}
  from api_key k
  join workspace w on w.id = k.workspace_id
  join app_user u on u.id = k.user_id
  join member m on m.workspace_id = k.workspace_id and m.user_id = k.user_id and m.status = 'active'
  ${project ? projectJoin : ""}
  ${issueBy ? `left join issue i on i.project_id = p.id and i.${issueBy} = $5 ${issueJoins}` : ""}
  where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2::timestamptz)`;

const projectList = `
  case when p.id is not null then json_build_array(
    p.id, p.key, p.slug, p.name, p.scoped, p.archived_at, ds.id, ds.name, ds.category, p.default_assignee_id,
    p.transition_rules, p.wip_mode, p.enforce_blockers, pm.role) end`;

// A project may be named by id, key or slug, in this order; coalesce stops at the first that is found.
const projectJoin = `
  left join project p on p.workspace_id = w.id and p.id = coalesce(
    $4::uuid,
    (select id from project where workspace_id = w.id and key = upper($3)),
    (select id from project where workspace_id = w.id and slug = lower($3)))
  left join board_status ds on ds.id = p.default_status_id and ds.deleted_at is null
  left join project_member pm on pm.project_id = p.id and pm.user_id = k.user_id`;

type AccessRow = { access: AccessList; project: ProjectList | null } & NonNullable<Located["issue"]>;

type AccessList = [
  keyId: string,
  keyKind: Caller["key_kind"],
  keyName: string,
  keyPrefix: string,
  keyExpiresAt: string | null,
  scopes: string[],
  projectIds: string[] | null,
  rateLimit: number | null,
  userId: string,
  userKind: Caller["user_kind"],
  userName: string | null,
  userEmail: string | null,
  role: Caller["role"],
  workspaceId: string,
  slug: string,
  workspaceName: string,
  plan: Workspace["plan"],
];

function callerOf(list: AccessList): Pick<Located, "caller" | "workspace"> {
  const [key_id, key_kind, key_name, key_prefix, expiresAt, scopes, project_ids, rate_limit_per_minute, ...rest] = list;
  const [user_id, user_kind, user_name, user_email, role, id, slug, name, plan] = rest;
  const key = {
    key_id,
    key_kind,
    key_name,
    key_prefix,
    key_expires_at: instantOf(expiresAt),
    scopes,
    project_ids,
    rate_limit_per_minute,
  };
  return { caller: { ...key, user_id, user_kind, user_name, user_email, role }, workspace: { id, slug, name, plan } };
}

type ProjectList = [
  id: string,
  key: string,
  slug: string,
  name: string,
  scoped: boolean,
  archivedAt: string | null,
  columnId: string | null,
  columnName: string,
  columnCategory: Category,
  defaultAssigneeId: string | null,
  transitionRules: Project["transition_rules"],
  wipMode: Project["wip_mode"],
  enforceBlockers: boolean,
  role: Project["role"],
];

function projectOf(list: ProjectList): Project {
  const [id, key, slug, name, scoped, archivedAt, columnId, columnName, category, ...rest] = list;
  const [default_assignee_id, transition_rules, wip_mode, enforce_blockers, role] = rest;
  return {
    id,
    key,
    slug,
    name,
    scoped,
    archived_at: instantOf(archivedAt),
    default_column: columnId ? { id: columnId, name: columnName, category } : null,
    default_assignee_id,
    transition_rules,
    wip_mode,
    enforce_blockers,
    role,
  };
}

const instantOf = (text: string | null): string | null => (text === null ? null : instantOfJson(text));
