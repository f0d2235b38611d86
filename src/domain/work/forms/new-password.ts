import type { InProject } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { findForm } from "./forms.sql.ts";
import { hashPassword, saltOf } from "./password.ts";

/**
 * Hashes a form's new password. It takes long on purpose, so it happens before the transaction that stores it. A form
 * keeps its salt, and its first one comes from its id. So the same password has the same hash, also when two callers set
 * it at once, and once the form is locked a comparison of hashes tells whether the password changes.
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
