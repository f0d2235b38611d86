import Provider, { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import { findClient } from "../../domain/access/oauth/clients.sql.ts";
import { findGrantHolder, findLiveGrant } from "../../domain/access/oauth/grants.sql.ts";
import { revokeHeldGrant } from "../../domain/access/oauth/grants.ts";
import type { RecordModel } from "../../domain/access/oauth/records.sql.ts";
import { type Payload, readRecord, removeRecord, saveRecord, useRecord } from "../../domain/access/oauth/records.ts";
import { unitOfWork } from "../../domain/events/unit-of-work.ts";
import { type Ctx, systemContext } from "../../domain/kernel/context.ts";
import { baseContext, type Runtime } from "../engine/call.ts";
import { callerOf } from "../http/caller.ts";
import { limitGrant, limitTokenRequests } from "./limits.ts";
import { providerMetadata } from "./metadata-of-client.ts";
import { resourcesOf } from "./resources.ts";

/**
 * The provider's storage, in Postgres only. Of several concurrent requests that use a code or refresh token, one
 * wins. Losing Redis signs nobody out.
 */
export function adapterOf(runtime: Runtime): (model: string) => Adapter {
  return (model) => {
    const particular = { Client: clients, Grant: grants, Session: sessions }[model];
    return { ...unused, ...(particular ?? records(model as RecordModel))(runtime) };
  };
}

type Kept = Partial<Adapter>;

/** Records whose id is a secret. */
const records =
  (model: RecordModel) =>
  (runtime: Runtime): Kept => ({
    async upsert(id, payload, seconds) {
      const kept = await saveRecord(contextOf(runtime), model, id, payload as Payload, seconds!);
      if (!kept) throw new errors.InvalidGrant("grant is revoked");
    },
    async find(id) {
      const found = await readRecord(contextOf(runtime), model, id);
      if (!found) return undefined;
      // A stolen code or token is exempt from the limit: using it ends its grant.
      const live = (model === "AuthorizationCode" || model === "RefreshToken") && !found.consumed;
      if (live) await limitGrant(runtime, found.grantId!);
      return found as AdapterPayload;
    },
    async consume(id) {
      if (!(await useRecord(contextOf(runtime), model, id))) throw new errors.InvalidGrant("already used");
    },
    destroy: (id) => removeRecord(contextOf(runtime), model, id),
    // Ending the grant deletes all of its records, and the provider does that at the same time.
    revokeByGrantId: async () => {},
  });

/** Grants are API keys. Approval creates them, so the provider only reads and ends them. */
const grants = (runtime: Runtime): Kept => ({
  async find(id) {
    const grant = await findLiveGrant(runtime.database, id, runtime.now());
    if (!grant) return undefined;
    const scope = grant.scopes.join(" ");
    const { baseUrl } = runtime.settings;
    // The token endpoint's reply also contains the workspace and agent.
    if (Provider.ctx) Provider.ctx.state.grant = grant;
    return {
      jti: grant.id,
      kind: "Grant",
      accountId: grant.approved_by,
      clientId: grant.client_id,
      iat: seconds(grant.created_at),
      ...(grant.expires_at ? { exp: seconds(grant.expires_at) } : {}),
      openid: { scope },
      resources: Object.fromEntries(resourcesOf(baseUrl).map((resource) => [resource, scope])),
    };
  },
  // The provider ends a grant if a code or refresh token is used twice, because then someone else may have it.
  destroy: (id) => revoke(runtime, id, "leaked"),
});

/**
 * Maximum length of a client id, in characters. Registered clients have UUIDs; other ids are addresses of documents.
 */
const MAX_LENGTH = 500;

const clients = (runtime: Runtime): Kept => ({
  async find(id) {
    // Postgres cannot store NUL.
    if (id.includes("\0")) return undefined;
    // An error, because the library would otherwise fetch a document from that address. Indexes cannot store texts of
    // any length.
    if (id.length > MAX_LENGTH) throw new errors.InvalidClient("client_id is too long");
    await limitTokenRequests(runtime, id);
    const client = await findClient(runtime.database, id);
    return client ? { client_id: client.id, ...providerMetadata(client.metadata) } : undefined;
  },
});

/**
 * The provider's own sessions are not stored. When a person approves, the pages' session decides who is signed in.
 * Signing out there also signs out here.
 */
const sessions = (): Kept => ({
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  destroy: async () => {},
});

const never = (what: string) => async () => {
  throw new Error(`The OAuth provider is not set up to ${what}.`);
};

const unused: Adapter = {
  upsert: never("store this"),
  find: never("find this"),
  findByUserCode: never("find by user code"),
  findByUid: never("find by uid"),
  consume: never("use this up"),
  destroy: never("delete this"),
  revokeByGrantId: never("revoke this"),
};

/**
 * Ends a grant because its holder or the actor of `by` revoked it, or because its secret leaked.
 * @param by the context of a request on a page
 */
export async function revoke(runtime: Runtime, grantId: string, reason: "user" | "leaked", by?: Ctx): Promise<void> {
  const base = by ?? contextOf(runtime);
  const holder = await findGrantHolder(base.db, grantId);
  if (!holder) return;
  const { workspace_id: workspaceId, agent_id: id, agent_name: name } = holder;
  const byHolder = { actor: { id, kind: "agent", name }, cause: { ...base.cause, key_id: grantId } } as const;
  const ctx: Ctx = reason === "user" && !by ? { ...base, ...byHolder } : base;
  const { database, entities } = runtime;
  await unitOfWork(ctx, { database, entities, workspaceId }, (tx) => revokeHeldGrant(tx, workspaceId, grantId, reason));
}

/** The context of the provider's own work. */
function contextOf(runtime: Runtime): Ctx {
  const { ctx } = Provider;
  return ctx ? baseContext(runtime, callerOf(ctx)) : systemContext(runtime, runtime.now());
}

const seconds = (instant: string) => Math.floor(Date.parse(instant) / 1000);
