import type { Visitor } from "../../access/sign-in/sessions.ts";
import type { Ctx } from "../../kernel/context.ts";
import { emailKey } from "../../kernel/email.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { lengthOf } from "../../kernel/text.ts";
import { guess } from "./guesses.ts";
import { findPublicForm, type PublicForm } from "./public.sql.ts";
import { type FormRow, isAccepting } from "./rows.ts";

/** Access to a form at its public address. */

export const locate = (ctx: Ctx, token: string): Promise<PublicForm | null> =>
  findPublicForm(ctx.db, hashSecret(token));

export const isClosed = (ctx: Ctx, { form, project }: PublicForm): boolean =>
  project.archived_at !== null || !isAccepting(form, ctx.now);

export type FormAccess = "open" | "sign_in" | "not_a_member" | "not_invited" | "password";

/**
 * Returns what a visitor needs to open the form.
 * @param pass the pass that this form's page got for its password earlier
 */
export function accessOf(ctx: Ctx, { form, workspace }: PublicForm, visitor: Visitor | null, pass: string): FormAccess {
  if (form.access_mode !== "anyone" && !visitor) return "sign_in";
  if (form.access_mode === "members" && !isMember(visitor, workspace.id)) return "not_a_member";
  // A signed-in visitor has received mail at their address, so it is theirs.
  if (form.access_mode === "invited" && !form.allowed_emails.includes(emailKey(visitor!.user.email) ?? "")) {
    return "not_invited";
  }
  return form.password_hash === null || isPass(ctx, form, pass) ? "open" : "password";
}

export const isMember = (visitor: Visitor | null, workspaceId: string): boolean =>
  visitor?.workspaces.some(({ id }) => id === workspaceId) ?? false;

const PASS_HOURS = 12;

/**
 * Checks the password and returns a pass for the next hours; null if the password is wrong.
 * @param network the visitor's network; wrong attempts make it wait
 * @throws Refusal rate_limited, unavailable
 */
export async function tryPassword(
  ctx: Ctx,
  { form: { id, password_hash }, workspace }: PublicForm,
  { password, network }: { password: string; network: string },
): Promise<string | null> {
  // Passwords have 4 to 100 characters. Other texts are not counted as attempts.
  if (password_hash === null || password === "" || lengthOf(password) > 100) return null;
  if (!(await guess(ctx, { workspaceId: workspace.id, formId: id, network }, password, password_hash))) return null;
  const until = new Date(Date.parse(ctx.now) + PASS_HOURS * 3_600_000).toISOString();
  return ctx.ports.sealer.seal(JSON.stringify({ form: id, password: markOf(password_hash), until }));
}

function isPass(ctx: Ctx, { id, password_hash }: FormRow, pass: string): boolean {
  if (pass === "") return false;
  try {
    const { form, password, until } = JSON.parse(ctx.ports.sealer.open(pass));
    return form === id && password === markOf(password_hash!) && ctx.now < until;
  } catch {
    return false;
  }
}

/** A changed password invalidates earlier passes. */
const markOf = (passwordHash: string): string => hashSecret(passwordHash).toString("base64url");
