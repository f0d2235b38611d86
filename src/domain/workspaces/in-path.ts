import type { InWorkspace } from "../context.ts";
import { mayFindBy } from "../identity/emails.ts";
import { readId } from "../ids.ts";
import { memberByEmail } from "../people/invites.sql.ts";

/** Whom a path names by id, e-mail or `me`. Suspended people are found as well: they, too, can be removed. */
export async function userInPath({ db, caller, workspace }: InWorkspace, text: string): Promise<string | null> {
  if (text.toLowerCase() === "me") return caller.user_id;
  if (!text.includes("@")) return readId(text);
  return mayFindBy(caller, text) ? memberByEmail(db, workspace.id, text) : null;
}
