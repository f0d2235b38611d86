import type { Caller } from "../../kernel/rows.ts";

/**
 * E-mail addresses and guests. A guest is often somebody from another company: they see people's names, and no address
 * but their own. Nor do they find anybody by an address, since that would tell whether somebody has it.
 */

type Asking = Pick<Caller, "role" | "user_id" | "user_email">;

export const seesEmails = ({ role }: Pick<Caller, "role">): boolean => role !== "guest";

/** A person as the caller may see them. */
export function withoutEmail<Row extends { user_id: string; email?: string | undefined }>(
  caller: Asking,
  row: Row,
): Omit<Row, "email"> & { email?: string | undefined } {
  if (seesEmails(caller) || row.user_id === caller.user_id) return row;
  const { email: _, ...rest } = row;
  return rest;
}

/** As SQL: what the person `u` is called; the parameter says whether the caller sees addresses. */
export const nameOrEmail = (seesEmails: number): string =>
  `coalesce(u.name, case when $${seesEmails}::boolean then u.email end)`;

/** Whether the caller finds people by this address. */
export const mayFindBy = (caller: Asking, email: string): boolean =>
  seesEmails(caller) || email.toLowerCase() === caller.user_email?.toLowerCase();
