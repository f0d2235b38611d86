import type { InWorkspace, Writing } from "../../kernel/context.ts";

/** The owner who has been a member for the longest time, other than this person; null if there is none. */
export async function longestOwner({ db, workspace }: InWorkspace, exceptId: string): Promise<string | null> {
  const [row] = await db.query<{ user_id: string }>(
    {
      text: `
        select user_id from member
        where workspace_id = $1 and user_id <> $2 and role = 'owner' and status = 'active'
        order by joined_at, user_id limit 1`,
    },
    [workspace.id, exceptId],
  );
  return row?.user_id ?? null;
}

/** Gives a batch of a person's private docs to another person. Returns how many. */
export async function giveBatch(
  ctx: InWorkspace & Writing,
  fromId: string,
  toId: string,
  most: number,
): Promise<number> {
  const rows = await ctx.tx.query(
    {
      text: `
        with part as materialized (
          select id from doc where workspace_id = $1 and owner_id = $2 and visibility = 'private' order by id limit $4
          for no key update)
        update doc set owner_id = $3 where id in (select id from part) returning 1`,
    },
    [ctx.workspace.id, fromId, toId, most],
  );
  ctx.waited();
  return rows.length;
}
