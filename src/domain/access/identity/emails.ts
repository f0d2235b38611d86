import type { Principal } from "../../kernel/principal.ts";

/**
 * E-mail addresses and guests. A guest is often somebody from another company: they see people's names, and no address
 * but their own. Nor do they find anybody by an address, since that would tell whether somebody has it.
 */

type Asking = Pick<Principal, "role" | "user_id" | "user_email">;

export const seesEmails = ({ role }: Pick<Principal, "role">): boolean => role !== "guest";

/** A person as the caller may see them. */
export function withoutEmail<Row extends { user_id: string; email?: string | undefined }>(
  principal: Asking,
  row: Row,
): Omit<Row, "email"> & { email?: string | undefined } {
  if (seesEmails(principal) || row.user_id === principal.user_id) return row;
  const { email: _, ...rest } = row;
  return rest;
}

/** As SQL: what the person `u` is called; the parameter says whether the caller sees addresses. */
export const nameOrEmail = (seesEmails: number): string =>
  `coalesce(u.name, case when $${seesEmails}::boolean then u.email end)`;

/** Whether the caller finds people by this address. */
export const mayFindBy = (principal: Asking, email: string): boolean =>
  seesEmails(principal) || email.toLowerCase() === principal.user_email?.toLowerCase();
