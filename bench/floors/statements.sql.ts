import pg from "pg";

/** The statements of the lean floors. Each change and its outbox row are one statement, and so one commit. */

const COLUMNS = `id, project_id, number, title, description, type, priority, status_id, assignee_id, reporter_id,
  sprint_id, milestone_id, parent_id, estimate, due_on, version, created_at, updated_at, archived_at`;

const CREATE = `
  with counter as (update project set last_number = last_number + 1 where id = $1 returning last_number),
  made as (
    insert into issue (project_id, number, title, description, type, priority, status_id, assignee_id, reporter_id)
    select $1, last_number, $2, $3, $4, $5, $6, $7, 1 from counter returning ${COLUMNS}),
  told as (insert into outbox (workspace_id, type, data) select 1, 'issue.created', to_jsonb(made) from made)
  select * from made`;

const CHANGE = `
  with changed as (
    update issue set title = coalesce($3, title), priority = coalesce($4, priority), version = version + 1, updated_at = now()
    where project_id = $1 and number = $2 returning ${COLUMNS}),
  told as (insert into outbox (workspace_id, type, data) select 1, 'issue.updated', to_jsonb(changed) from changed)
  select * from changed`;

const MOVE = `
  with changed as (
    update issue set status_id = (select id from status where project_id = $1 and category = $3),
      version = version + 1, updated_at = now()
    where project_id = $1 and number = $2 returning ${COLUMNS}),
  told as (insert into outbox (workspace_id, type, data) select 1, 'issue.moved', to_jsonb(changed) from changed)
  select * from changed`;

export type Row = Record<string, unknown> & { id: number; number: number };
export type NewIssue = {
  title: string;
  description: string;
  type: string;
  priority: string;
  assignee_id: number | null;
};
export type Change = { title?: string | undefined; priority?: string | undefined };

export type Store = ReturnType<typeof openStore>;

/** Instants become dates, as pg makes them without further ado. */
export function openStore(url: string) {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString: url, max: 10, min: 2 });
  const query = async <R = Row>(name: string, text: string, values: unknown[]) =>
    (await pool.query({ name, text, values })).rows as R[];
  return {
    one: async (project: number, number: number) =>
      (await query("one", `select ${COLUMNS} from issue where project_id = $1 and number = $2`, [project, number]))[0],
    list: (project: number, limit: number) =>
      query(
        "list",
        `select ${COLUMNS} from issue where project_id = $1 and archived_at is null order by id desc limit $2`,
        [project, limit],
      ),
    create: async (project: number, { title, description, type, priority, assignee_id }: NewIssue) => {
      const values = [project, title, description, type, priority, project * 10 + 1, assignee_id];
      return (await query("create", CREATE, values))[0]!;
    },
    change: async (project: number, number: number, { title, priority }: Change) =>
      (await query("change", CHANGE, [project, number, title, priority]))[0],
    move: async (project: number, number: number, category: string) =>
      (await query("move", MOVE, [project, number, category]))[0],
    access: async (hash: Buffer) =>
      (
        await query<{ workspace_id: number; slug: string; scopes: string[] }>(
          "access",
          `select k.workspace_id, w.slug, k.scopes from access_key k join workspace w on w.id = k.workspace_id
           where k.hash = $1 and k.revoked_at is null`,
          [hash],
        )
      )[0],
    project: async (workspace: number, key: string) =>
      (
        await query<{ id: number; key: string }>(
          "project",
          "select id, key, name from project where workspace_id = $1 and key = $2",
          [workspace, key],
        )
      )[0],
  };
}
