import type { Context } from "koa";
import {
  type ClientMetadata,
  DEFAULT_SCOPE,
  type RegistrationFault,
  readMetadata,
  readPreferredWorkspace,
  register,
} from "../../domain/access/oauth/registration.ts";
import { Refusal } from "../../domain/kernel/errors.ts";
import { baseContext, type Runtime } from "../engine/call.ts";
import { readJson } from "../http/body.ts";
import { callerOf } from "../http/caller.ts";
import { limitRegistrations, limitRegistrationsFor } from "./limits.ts";
import { AUTH_GUIDE_PATH } from "./paths.ts";

const MAX_BYTES = 16 * 1024;

/** `POST /api/oauth/register` (RFC 7591). No authentication is needed. */
export async function registerClient(ctx: Context, runtime: Runtime): Promise<void> {
  ctx.set("Cache-Control", "no-store");
  const wait = await limitRegistrations(runtime, ctx.ip);
  if (wait !== null) return tooMany(ctx, `from this address; retry in ${wait} s.`, wait);

  const said = await readBody(ctx);
  if ("fault" in said) return refuse(ctx, said.fault);
  // The first drafts of agent_auth send this body to a different kind of registration endpoint.
  if (said.value.type === "anonymous" && said.value.redirect_uris === undefined) {
    const guide = runtime.settings.baseUrl + AUTH_GUIDE_PATH;
    return refuse(ctx, invalid(`This is an OAuth client registration (RFC 7591); ${guide} has it step by step.`));
  }
  const metadata = readMetadata(said.value);
  if ("error" in metadata) return refuse(ctx, metadata);
  const preferredWorkspace = readPreferredWorkspace(said.value.workspace);
  if (preferredWorkspace !== null && typeof preferredWorkspace !== "string") return refuse(ctx, preferredWorkspace);
  const later = preferredWorkspace === null ? null : await limitRegistrationsFor(runtime, preferredWorkspace);
  // Anyone can name any workspace, so this limit must lock nobody out: the person chooses the workspace when they
  // approve.
  if (later !== null) {
    return tooMany(ctx, `for this workspace; register without the field workspace, or retry in ${later} s.`, later);
  }

  const now = runtime.now();
  const base = baseContext(runtime, callerOf(ctx));
  const { id, secret } = await register({ ...base, now }, metadata, preferredWorkspace);
  ctx.status = 201;
  ctx.body = answer(metadata, { id, secret, preferredWorkspace, now });
}

function answer(
  { scope, ...metadata }: ClientMetadata,
  {
    id,
    secret,
    preferredWorkspace,
    now,
  }: { id: string; secret: string | null; preferredWorkspace: string | null; now: string },
) {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.parse(now) / 1000),
    ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    ...metadata,
    scope: scope ?? DEFAULT_SCOPE,
    ...(preferredWorkspace === null ? {} : { workspace: preferredWorkspace }),
  };
}

async function readBody(ctx: Context): Promise<{ value: Record<string, unknown> } | { fault: RegistrationFault }> {
  try {
    const { value } = await readJson(ctx, MAX_BYTES);
    return { value: (value ?? {}) as Record<string, unknown> };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { fault: invalid(error.message) };
  }
}

function refuse(ctx: Context, fault: RegistrationFault): void {
  ctx.status = 400;
  ctx.body = fault;
}

function tooMany(ctx: Context, which: string, wait: number): void {
  ctx.status = 429;
  ctx.set("Retry-After", String(wait));
  ctx.body = {
    error: "registration_limited",
    error_description: `Too many clients registered ${which}`,
  };
}

const invalid = (description: string): RegistrationFault => ({
  error: "invalid_client_metadata",
  error_description: description,
});
