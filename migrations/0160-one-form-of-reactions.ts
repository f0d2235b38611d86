import { Migration } from "@mikro-orm/migrations";

/**
 * The same emoji with and without a variation selector becomes one reaction, in the form in which new ones are stored
 * (chat-messages/inputs.ts). A person who has added both keeps the earlier one.
 */
export class OneFormOfReactions extends Migration {
  override async up(): Promise<void> {
    const rows = await this.execute(`select distinct emoji from chat_reaction`);
    for (const emoji of rows.map((row) => String((row as { emoji: string }).emoji))) {
      const listed = asListed(emoji);
      if (listed === emoji) continue;
      this.addSql(
        `insert into chat_reaction (message_id, emoji, user_id, workspace_id, created_at)
         select message_id, ${quoted(listed)}, user_id, workspace_id, created_at from chat_reaction
         where emoji = ${quoted(emoji)}
         on conflict (message_id, emoji, user_id) do update
         set created_at = least(chat_reaction.created_at, excluded.created_at)`,
      );
      this.addSql(`delete from chat_reaction where emoji = ${quoted(emoji)}`);
    }
  }
}

const asListed = (text: string): string =>
  text
    .replace(/[\ufe0e\ufe0f]/g, "")
    .replace(/(?![\d#*]|\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})|[\d#*](?=\u20e3)/gu, "$&\ufe0f");

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
