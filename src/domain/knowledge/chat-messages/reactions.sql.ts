import type { InWorkspace } from "../../kernel/context.ts";
import { reactionsOf } from "./messages.sql.ts";
import type { ChatReactionsView } from "./view.ts";

export async function readReactions({ db }: InWorkspace, messageId: string): Promise<ChatReactionsView> {
  const [row] = await db.query<ChatReactionsView>(
    { name: "read_reactions", text: `select $1::uuid as message_id, ${reactionsOf("$1::uuid")} as reactions` },
    [messageId],
  );
  return row!;
}

/** Adds the caller's reaction, unless they have added it already. */
export async function insertReaction(ctx: InWorkspace, messageId: string, emoji: string): Promise<void> {
  await ctx.db.query(
    {
      name: "insert_reaction",
      text: `
        insert into chat_reaction (message_id, emoji, user_id, workspace_id, created_at)
        values ($2, $3, $4, $1, $5) on conflict do nothing`,
    },
    [ctx.workspace.id, messageId, emoji, ctx.principal.user_id, ctx.now],
  );
}

/** Removes the caller's reaction, if there is one. */
export async function deleteReaction(ctx: InWorkspace, messageId: string, emoji: string): Promise<void> {
  const text = `delete from chat_reaction where workspace_id = $1 and message_id = $2 and emoji = $3 and user_id = $4`;
  await ctx.db.query({ name: "delete_reaction", text }, [ctx.workspace.id, messageId, emoji, ctx.principal.user_id]);
}
