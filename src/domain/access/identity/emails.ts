import { emailKey } from "../../kernel/email.ts";
import type { Principal } from "../../kernel/principal.ts";

/**
 * E-mail addresses and guests. A guest is often from another company. Guests see names, but no address except their
 * own. They cannot look people up by address either, because that would reveal who has it.
 */

type Asking = Pick<Principal, "role" | "user_id" | "user_email">;

export const seesEmails = ({ role }: Pick<Principal, "role">): boolean => role !== "guest";

/** Removes a person's address if the caller may not see it. */
export function withoutEmail<Row extends { user_id: string; email?: string | undefined }>(
  principal: Asking,
  row: Row,
): Omit<Row, "email"> & { email?: string | undefined } {
  if (seesEmails(principal) || row.user_id === principal.user_id) return row;
  const { email: _, ...rest } = row;
  return rest;
}

/** SQL for a person's display name. The parameter tells whether the caller sees addresses. */
export const nameOrEmail = (seesEmails: number): string =>
  `coalesce(u.name, case when $${seesEmails}::boolean then u.email end)`;

/** Whether the caller may look people up by this address. */
export const mayFindBy = (principal: Asking, email: string): boolean =>
  seesEmails(principal) || (principal.user_email !== null && emailKey(email) === emailKey(principal.user_email));
