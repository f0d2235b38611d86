import type { Db } from "../../kernel/ports/ports.ts";
import { type LabelRow, labelColumns } from "./issue-row.ts";
import { kindOf, type UserKind } from "./kind.sql.ts";

/** What issues show of the rows that they refer to. */

export type Wanted = { columns: string[]; people: string[]; labels: string[] };

export type FoundNames = {
  /** The workspace's access version at the same moment. */
  version: number;
  columns: { id: string; name: string }[];
  people: { id: string; name: string | null; kind: UserKind; is_member: boolean }[];
  labels: LabelRow[];
};

const NAMES = {
  name: "names_of_issues",
  text: `
    select a.version,
      coalesce((select json_agg(s) from (
        select id, name from board_status where workspace_id = $1 and id = any($2::uuid[]) and deleted_at is null) s),
        '[]') as columns,
      coalesce((select json_agg(p) from (
        select u.id, u.name, ${kindOf("u")} as kind,
          exists (select from member m where m.workspace_id = $1 and m.user_id = u.id) as is_member
        from app_user u where u.id = any($3::uuid[])) p), '[]') as people,
      coalesce((select json_agg(l) from (
        select ${labelColumns} from label where workspace_id = $1 and id = any($4::uuid[])) l), '[]') as labels
    from access_version a where a.workspace_id = $1`,
};

/** Reads the workspace's access version, which increases with every change of a name. */
export async function readVersion(db: Db, workspaceId: string): Promise<number> {
  const text = "select version from access_version where workspace_id = $1";
  const [row] = await db.query<{ version: number }>({ name: "version_of_names", text }, [workspaceId]);
  return row!.version;
}

export async function readNames(db: Db, workspaceId: string, wanted: Wanted): Promise<FoundNames> {
  const [found] = await db.query<FoundNames>(NAMES, [workspaceId, wanted.columns, wanted.people, wanted.labels]);
  return found ?? { version: 0, columns: [], people: [], labels: [] };
}
