import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Ctx, InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { isAdmin } from "../../kernel/roles.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { deleteHook, findHook, type HookRow, putHook, readHook } from "./hook.sql.ts";

/** The address and the secret by which forges tell a workspace of pushes. There is one of them a workspace. */

export type NewHook = { url: string; secret: string };

/** What admins see of it; null when there is none. @throws Refusal insufficient_role */
export function read(ctx: InWorkspace): Promise<HookRow | null> {
  checkAdmin(ctx);
  return readHook(ctx);
}

/** Makes a hook, in place of an earlier one. Address and secret are shown this once. @throws Refusal insufficient_role */
export async function make(ctx: InWorkspace & Writing): Promise<NewHook> {
  checkAdmin(ctx);
  const token = randomBytes(32).toString("base64url");
  const secret = randomBytes(32).toString("base64url");
  await putHook(ctx, { tokenHash: hashSecret(token), secretSealed: ctx.ports.sealer.seal(secret) });
  return { url: `${ctx.settings.baseUrl}/hooks/commits/${token}`, secret };
}

/** Takes the hook away; what it linked stays. @throws Refusal insufficient_role */
export async function remove(ctx: InWorkspace & Writing): Promise<void> {
  checkAdmin(ctx);
  await deleteHook(ctx);
}

function checkAdmin({ principal }: InWorkspace) {
  if (!isAdmin(principal.role)) refuse("insufficient_role", { required_role: "admin" });
}

/** The workspace that an address is of, with its secret. */
export async function locate(ctx: Ctx, token: string): Promise<{ workspace: Workspace; secret: string } | null> {
  const hook = await findHook(ctx.db, hashSecret(token));
  if (!hook) return null;
  return { workspace: hook.workspace, secret: ctx.ports.sealer.open(hook.secret_sealed) };
}

/** Signature or token as it came with a message; empty for none. */
export type Proof = { signature: string; token: string };

/**
 * Whether a message is from somebody who knows the secret: `sha256=` and the HMAC of the bytes in hex, as GitHub signs,
 * or the secret itself, as GitLab sends it.
 */
export function isProven(secret: string, body: Buffer, { signature, token }: Proof): boolean {
  if (signature !== "") {
    return isEqual(signature, `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  }
  return token !== "" && isEqual(token, secret);
}

/** Compares hashes, which are of one length, so that the time taken tells nothing. */
const isEqual = (given: string, wanted: string) => timingSafeEqual(hashSecret(given), hashSecret(wanted));
