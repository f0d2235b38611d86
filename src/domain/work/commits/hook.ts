import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { audit } from "../../events/audit/audit.ts";
import { defineAudit } from "../../events/audit/define-audit.ts";
import type { Ctx, InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { isAdmin } from "../../kernel/roles.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { deleteHook, findHook, type HookRow, putHook, readHook } from "./hook.sql.ts";

/** The URL and the secret with which forges report pushes. A workspace has one commit hook. */

/** A hook is a credential of its workspace. */
export const commitHookCreated = defineAudit("commit_hook.created", "commit_hook");
export const commitHookDeleted = defineAudit("commit_hook.deleted", "commit_hook");
const THE_HOOK = { id: null, name: null };

/** `replaced`: there was a hook before, which no longer works. */
export type NewHook = { url: string; secret: string; replaced: boolean };

/** Returns what admins may see of the hook; null if there is none. @throws Refusal insufficient_role */
export function read(ctx: InWorkspace): Promise<HookRow | null> {
  checkAdmin(ctx);
  return readHook(ctx);
}

/**
 * Creates a hook and replaces the earlier one. The URL and the secret are shown only once.
 * @throws Refusal insufficient_role
 */
export async function create(ctx: InWorkspace & Writing): Promise<NewHook> {
  checkAdmin(ctx);
  const token = randomBytes(32).toString("base64url");
  const secret = randomBytes(32).toString("base64url");
  const replaced = await putHook(ctx, { tokenHash: hashSecret(token), secretSealed: ctx.ports.sealer.seal(secret) });
  audit(ctx, commitHookCreated, THE_HOOK);
  return { url: `${ctx.settings.baseUrl}/hooks/commits/${token}`, secret, replaced };
}

/** Deletes the hook. Links that it created stay. @throws Refusal insufficient_role */
export async function remove(ctx: InWorkspace & Writing): Promise<void> {
  checkAdmin(ctx);
  if (await deleteHook(ctx)) audit(ctx, commitHookDeleted, THE_HOOK);
}

function checkAdmin({ principal }: InWorkspace) {
  if (!isAdmin(principal.role)) refuse("insufficient_role", { required_role: "admin" });
}

/** Returns the workspace of a hook's token, with the hook's secret. */
export async function locate(ctx: Ctx, token: string): Promise<{ workspace: Workspace; secret: string } | null> {
  const hook = await findHook(ctx.db, hashSecret(token));
  if (!hook) return null;
  return { workspace: hook.workspace, secret: ctx.ports.sealer.open(hook.secret_sealed) };
}

/** The signature or token that came with a message; empty if none. */
export type Proof = { signature: string; token: string };

/**
 * Whether the sender of a message knows the secret. GitHub sends `sha256=` and the HMAC of the body in hexadecimal;
 * GitLab sends the secret itself.
 */
export function isAuthentic(secret: string, body: Buffer, { signature, token }: Proof): boolean {
  if (signature !== "") {
    return isEqual(signature, `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  }
  return token !== "" && isEqual(token, secret);
}

/** Compares hashes of equal length, so that the time taken reveals nothing. */
const isEqual = (given: string, wanted: string) => timingSafeEqual(hashSecret(given), hashSecret(wanted));
