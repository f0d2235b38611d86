import type { InProject } from "../context.ts";
import { readId } from "../ids.ts";
import { findForm } from "./forms.sql.ts";
import { hashPassword, isPassword } from "./password.ts";

/** `same`: the stored hash, when it is already that of the wanted password. */
export type NewPassword = { hash: string | null; same: string | null };

/** Hashes a form's new password. It takes long on purpose, so it happens before the transaction that stores it. */
export async function preparePassword(
  ctx: InProject,
  wanted: string | null | undefined,
  formId?: string,
): Promise<NewPassword> {
  if (!wanted) return { hash: null, same: null };
  const id = formId === undefined ? null : readId(formId);
  const stored = id ? ((await findForm(ctx, id))?.password_hash ?? null) : null;
  const isSame = stored !== null && (await isPassword(wanted, stored));
  return { hash: await hashPassword(wanted), same: isSame ? stored : null };
}
