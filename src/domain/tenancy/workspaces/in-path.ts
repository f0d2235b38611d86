import { mayFindBy } from "../../access/identity/emails.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { readEmail } from "../../kernel/email.ts";
import { readId } from "../../kernel/ids.ts";
import { memberByEmail } from "../invites/invites.sql.ts";

/**
 * The user id that a path gives as id, e-mail or `me`. Suspended people are found too, so that they can be removed.
 */
export async function userInPath({ db, principal, workspace }: InWorkspace, text: string): Promise<string | null> {
  if (text.toLowerCase() === "me") return principal.user_id;
  if (!text.includes("@")) return readId(text);
  return mayFindBy(principal, text) ? memberByEmail(db, workspace.id, readEmail(text) ?? text) : null;
}
