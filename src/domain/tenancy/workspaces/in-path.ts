import { mayFindBy } from "../../access/identity/emails.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { memberByEmail } from "../invites/invites.sql.ts";

/** Whom a path names by id, e-mail or `me`. Suspended people are found as well: they, too, can be removed. */
export async function userInPath({ db, principal, workspace }: InWorkspace, text: string): Promise<string | null> {
  if (text.toLowerCase() === "me") return principal.user_id;
  if (!text.includes("@")) return readId(text);
  return mayFindBy(principal, text) ? memberByEmail(db, workspace.id, text) : null;
}
