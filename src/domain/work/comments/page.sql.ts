import { untilHeavy } from "../../kernel/paging.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Statement } from "../../kernel/ports/ports.ts";

/**
 * A page of the comments `c` of one object with their authors `u`, oldest first. Deleted comments that have replies are
 * listed. Parameters: the workspace, the object, the limit, the cursor and the first comment.
 * @param of.table the table of the comments
 * @param of.object the column with the id of the object that they are about
 * @param from id of the first comment of the list. Deleted ones have their place, too
 */
export const commentPage = (
  { table, object, columns }: { table: string; object: string; columns: string },
  after: Cursor | null,
  from: string | null = null,
): Statement => ({
  name: `list_${table}s${after ? "_after" : ""}${from === null ? "" : "_from"}`,
  text: untilHeavy(
    `select ${columns}, octet_length(c.body_md) + octet_length(c.body_html) as bytes
     from ${table} c join app_user u on u.id = c.author_id
     where c.workspace_id = $1 and c.${object} = $2 and (c.deleted_at is null or c.reply_count > 0)
       ${after ? "and (c.created_at, c.id) > ($4::timestamptz, $5::uuid)" : ""}
       ${from === null ? "" : `and (c.created_at, c.id) >= (select created_at, id from ${table} where ${object} = $2 and id = $${after ? 6 : 4}::uuid)`}
     order by c.created_at, c.id limit $3`,
    "created_at, id",
  ),
});
