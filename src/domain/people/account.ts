import type { Writing } from "../context.ts";
import { refuseField } from "../errors.ts";
import { line } from "../wire.ts";
import { renameUser } from "./account.sql.ts";

export const MOST_LETTERS = 100;
const Name = line(1, MOST_LETTERS);

/**
 * Gives a person the name by which all of their workspaces know them. Answers it as it is kept.
 * @throws Refusal validation_failed
 */
export async function changeName(ctx: Writing, person: { id: string }, text: string): Promise<string> {
  const name = Name.safeParse(text).data;
  if (name === undefined) refuseField("/your_name", "pattern", `must have 1 to ${MOST_LETTERS} characters`);
  await renameUser(ctx.db, person.id, name, ctx.now);
  return name;
}
