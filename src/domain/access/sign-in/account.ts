import type { Writing } from "../../kernel/context.ts";
import { refuseField } from "../../kernel/errors.ts";
import { readTimezone } from "../../kernel/locale.ts";
import { line } from "../../kernel/wire.ts";
import { renameUser, setTimezone } from "./account.sql.ts";

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

/**
 * Sets the time zone in which pages show times to a person. Empty: that of the workspace.
 * @throws Refusal validation_failed
 */
export async function changeTimezone(ctx: Writing, person: { id: string }, text: string): Promise<void> {
  const zone = text === "" ? null : readTimezone(text);
  if (zone === null && text !== "") refuseField("/timezone", "invalid_choice", "must be one of those in the list");
  await setTimezone(ctx.db, person.id, zone, ctx.now);
}
