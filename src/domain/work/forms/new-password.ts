import type { InProject } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { findForm } from "./forms.sql.ts";
import { hashPassword, saltOf } from "./password.ts";

/**
 * Hashes a form's new password before the transaction that stores it, because hashing is slow on purpose. A form keeps
 * its salt, and its first salt is derived from its id. So the same password always has the same hash, also if two
 * callers set it at once. After the form is locked, comparing hashes shows whether the password changes.
 */
export async function preparePassword(
  ctx: InProject,
  wanted: string | null | undefined,
  formId?: string,
): Promise<string | null> {
  if (!wanted) return null;
  const id = formId === undefined ? null : readId(formId);
  if (!id) return hashPassword(wanted);
  const stored = (await findForm(ctx, id))?.password_hash;
  return hashPassword(wanted, stored ? saltOf(stored) : Buffer.from(id.replaceAll("-", ""), "hex"));
}
