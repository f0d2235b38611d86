import type { Writing } from "../../kernel/context.ts";
import { refuseField } from "../../kernel/errors.ts";
import { line } from "../../kernel/wire.ts";
import { renameUser } from "./account.sql.ts";

export const MAX_LENGTH = 100;
const Name = line(1, MAX_LENGTH);

/**
 * Sets the name that all of a person's workspaces show. Returns the stored name.
 * @throws Refusal validation_failed
 */
export async function changeName(ctx: Writing, person: { id: string }, text: string): Promise<string> {
  const read = Name.safeParse(text);
  if (!read.success) {
    const [fault] = read.error.issues;
    const message = fault?.code === "custom" ? fault.message : `must have 1 to ${MAX_LENGTH} characters`;
    refuseField("/your_name", "pattern", message);
  }
  await renameUser(ctx.db, person.id, read.data, ctx.now);
  return read.data;
}
