import type { Category, IssueRow, LabelRow } from "../issues/rows.ts";
import { issueColumns, issueJoins, labelsOf } from "../issues/rows.ts";
import type { Db, Statement } from "../ports.ts";
import type { Caller, Project, Workspace } from "../rows.ts";
import { readId } from "../ids.ts";

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
  const named = issue?.by === "number" && row.p_key !== issue.projectKey;
  return {
    caller: callerOf(row),
    workspace: { id: row.w_id, slug: row.w_slug, name: row.w_name, plan: row.w_plan },
    project: row.p_id ? projectOf(row) : null,
    issue: row.id && !named ? row : null,
  };
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

const accessSql = (project: boolean, issueBy: "number" | "id" | undefined) => `
  select k.id as k_id, k.kind as k_kind, k.name as k_name, k.prefix as k_prefix, k.expires_at as k_expires_at,
         k.scopes as k_scopes, k.project_ids as k_project_ids, k.rate_limit_per_minute as k_rate_limit,
         u.id as u_id, u.kind as u_kind, u.name as u_name, u.email as u_email, m.role as m_role,
         w.id as w_id, w.slug as w_slug, w.name as w_name, w.plan as w_plan
         ${project ? `, ${projectColumns}` : ""}
         ${issueBy ? `, ${issueColumns}, ${labelsOf("i.label_ids")} as labels` : ""}
  from api_key k
  join workspace w on w.id = k.workspace_id
  join app_user u on u.id = k.user_id
  join member m on m.workspace_id = k.workspace_id and m.user_id = k.user_id and m.status = 'active'
  ${project ? projectJoin : ""}
  ${issueBy ? `left join issue i on i.project_id = p.id and i.${issueBy} = $5 ${issueJoins}` : ""}
  where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2::timestamptz)`;

const projectColumns = `
  p.id as p_id, p.key as p_key, p.slug as p_slug, p.name as p_name, p.scoped as p_scoped,
  p.archived_at as p_archived_at, ds.id as d_id, ds.name as d_name, ds.category as d_category,
  p.default_assignee_id as p_default_assignee_id, p.transition_rules as p_transition_rules,
  p.wip_mode as p_wip_mode, p.enforce_blockers as p_enforce_blockers, pm.role as p_role`;

// A project may be named by id, key or slug, in this order; coalesce stops at the first that is found.
const projectJoin = `
  left join project p on p.workspace_id = w.id and p.id = coalesce(
    $4::uuid,
    (select id from project where workspace_id = w.id and key = upper($3)),
    (select id from project where workspace_id = w.id and slug = lower($3)))
  left join board_status ds on ds.id = p.default_status_id and ds.deleted_at is null
  left join project_member pm on pm.project_id = p.id and pm.user_id = k.user_id`;

type Prefixed<Prefix extends string, Row> = { [Column in keyof Row & string as `${Prefix}_${Column}`]: Row[Column] };

type AccessRow = Prefixed<"w", Workspace> &
  Prefixed<"p", Project> &
  Prefixed<"d", { id: string | null; name: string; category: Category }> &
  Prefixed<"k", { id: string; kind: Caller["key_kind"]; name: string; prefix: string; expires_at: string | null }> &
  Prefixed<"k", { scopes: string[]; project_ids: string[] | null; rate_limit: number | null }> &
  Prefixed<"u", { id: string; kind: Caller["user_kind"]; name: string | null; email: string | null }> &
  Prefixed<"m", { role: Caller["role"] }> &
  NonNullable<Located["issue"]>;

const callerOf = (row: AccessRow): Caller => ({
  key_id: row.k_id,
  key_kind: row.k_kind,
  key_name: row.k_name,
  key_prefix: row.k_prefix,
  key_expires_at: row.k_expires_at,
  scopes: row.k_scopes,
  project_ids: row.k_project_ids,
  rate_limit_per_minute: row.k_rate_limit,
  user_id: row.u_id,
  user_kind: row.u_kind,
  user_name: row.u_name,
  user_email: row.u_email,
  role: row.m_role,
});

const projectOf = (row: AccessRow): Project => ({
  id: row.p_id,
  key: row.p_key,
  slug: row.p_slug,
  name: row.p_name,
  scoped: row.p_scoped,
  archived_at: row.p_archived_at,
  default_column: row.d_id ? { id: row.d_id, name: row.d_name, category: row.d_category } : null,
  default_assignee_id: row.p_default_assignee_id,
  transition_rules: row.p_transition_rules,
  wip_mode: row.p_wip_mode,
  enforce_blockers: row.p_enforce_blockers,
  role: row.p_role,
});
