import type { IssueRow } from "../../access/identity/issue-row.ts";
import type { Db, Statement } from "../../kernel/ports/ports.ts";
import { SHARED_TYPES, type SharedRecording, sharedRecordingCtes, sharedRow } from "./shared-recording.sql.ts";

/**
 * Stores changes of issues of a workspace from several calls in one statement, each with its own author and time. What a
 * change was computed from was read before, without a lock. So it is stored only if its row is still the same and nobody
 * is about to change it. The statement waits for no issue, and so cannot deadlock.
 */

/** Columns that are stored as they are in the item, changed or not. */
export const PLAIN_COLUMNS = [
  ...(["priority", "estimate_minutes", "story_points", "completion_pct"] as const),
  ...(["start_at", "start_on", "due_at", "due_on"] as const),
];
/** Writing them computes the search index anew. */
export const TEXT_COLUMNS = ["title", "description_md"] as const;

/** What a move to another column writes. */
const MOVE_COLUMNS = ["status", "status_id", "rank", "started_at", "resolved_at"] as const;

type SharedItem = SharedRecording & {
  id: string;
  /** The row as it was read. */
  row_state: string;
  /** The workspace's access version at which the names in the events were read. */
  access_version: number;
  /** The view after the change, as JSON. */
  json: string;
};
export type SharedChange = SharedItem &
  Pick<IssueRow, (typeof PLAIN_COLUMNS)[number]> &
  Partial<Pick<IssueRow, (typeof TEXT_COLUMNS)[number]>>;
export type SharedMove = SharedItem & Pick<IssueRow, (typeof MOVE_COLUMNS)[number]> & { left_id: string };

const PLAIN_TYPES = `priority text, estimate_minutes int, story_points int, completion_pct int, start_at timestamptz,
      start_on date, due_at timestamptz, due_on date, title text, description_md text`;
const MOVE_TYPES =
  "status text, status_id uuid, rank text, started_at timestamptz, resolved_at timestamptz, left_id uuid";

const statementFor = (columns: readonly string[], types: string, also = "") => `
  with item as materialized (
    select * from jsonb_to_recordset($4::jsonb) as t(
      ${types}, id uuid, access_version int, ${SHARED_TYPES})
  ),
  locked as materialized (
    -- A row that another transaction has changed meanwhile, even after this statement began, is not the same any more.
    select i.id, i.project_id from unnest($2::uuid[], $3::text[]) as n(id, row_state) join only issue i on i.id = n.id
    where i.workspace_id = $1 and i.xmin::text = n.row_state
      and not exists (select from mass_change m where m.project_id = i.project_id)
    for no key update of i skip locked
  ),
  changing as materialized (
    select item.*, locked.project_id from locked join item using (id)
    where access_version = (select version from access_version where workspace_id = $1)
  ),
  written as (
    update issue i set ${columns.map((column) => `${column} = c.${column}`).join(", ")},
                       version = i.version + 1, updated_at = c.now
    from changing c where i.workspace_id = $1 and i.id = c.id
  ),${also}${sharedRecordingCtes("changing", "view")}
  select id from changing`;

const CHANGE = { name: "change_shared_issues", text: statementFor(PLAIN_COLUMNS, PLAIN_TYPES) };
const CHANGE_TEXTS = {
  name: "change_shared_issues_and_texts",
  text: statementFor([...PLAIN_COLUMNS, ...TEXT_COLUMNS], PLAIN_TYPES),
};
const MOVE = {
  name: "move_shared_issues",
  text: statementFor(
    MOVE_COLUMNS,
    MOVE_TYPES,
    `
  counted as (
    update board_status s set issue_count = s.issue_count + n.more
    from (select column_id, sum(more) as more
          from changing, lateral (values (status_id, 1), (left_id, -1)) v(column_id, more) group by column_id) n
    where s.workspace_id = $1 and s.id = n.column_id
  ),`,
  ),
};

/**
 * Returns which of the changes are stored, in their order.
 * @param texts whether title or description are written
 */
export const changeShared = (
  db: Db,
  workspaceId: string,
  items: SharedChange[],
  { texts }: { texts: boolean },
): Promise<boolean[]> => store(db, workspaceId, texts ? CHANGE_TEXTS : CHANGE, items);

/** The same for moves to other columns of a board, which the caller has locked. */
export const moveShared = (db: Db, workspaceId: string, items: SharedMove[]): Promise<boolean[]> =>
  store(db, workspaceId, MOVE, items);

async function store(db: Db, workspaceId: string, statement: Statement, items: SharedItem[]): Promise<boolean[]> {
  // The second change of an issue was computed from the same row as the first.
  const first = [...new Map(items.toReversed().map((item) => [item.id, item])).values()];
  const stored = await db.query<{ id: string }>(statement, [
    workspaceId,
    first.map(({ id }) => id),
    first.map(({ row_state }) => row_state),
    `[${first.map(({ row_state: _, ...item }) => sharedRow(item)).join(",")}]`,
  ]);
  const ids = new Set(stored.map(({ id }) => id));
  return items.map((item) => first.includes(item) && ids.has(item.id));
}
