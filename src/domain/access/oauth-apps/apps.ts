import { asNew, audit } from "../../events/audit/audit.ts";
import { type Found, ofWorkspace } from "../../kernel/belongs.ts";
import type { Ctx, InWorkspace, WithCredential, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { newSecret } from "../../kernel/secrets.ts";
import { lockRole } from "../identity/lock-role.ts";
import { checkGrant } from "../keys/grant.ts";
import { revokeGrantsOfClient } from "../oauth/grants.ts";
import type { ClientMetadata } from "../oauth/registration.ts";
import { type AppRow, findApp, insertApp, listApps, revokeApp } from "./apps.sql.ts";
import { oauthAppCreated, oauthAppRevoked } from "./audits.ts";
import type { OauthAppCreateInput } from "./inputs.ts";
import { OauthAppView } from "./view.ts";

/** Programs that people of a workspace may connect, or have connected. */

/** Newest first: the workspace's own apps, and clients that registered themselves and have a live grant here. */
export async function listPage(ctx: InWorkspace, paging: Paging) {
  const rows = await listApps(ctx, ctx.workspace.id, { after: paging.after, limit: paging.limit + 1 });
  const page = pageOf(rows, paging, (row) => [row.created_at, row.client_id]);
  return { rows: page.rows.map(appView), next_cursor: page.next_cursor };
}

export const read = (ctx: InWorkspace, clientId: string): Promise<Found<OauthAppView> | null> =>
  viewOf(ctx, ctx.workspace.id, clientId).then(ofWorkspace);

/**
 * Creates an app that only people of this workspace can approve. Its secret, if it has one, is returned here and stored
 * only as a hash.
 * @throws Refusal insufficient_role, scope_exceeds_grantor
 */
export async function create(ctx: InWorkspace & WithCredential & Writing, input: OauthAppCreateInput) {
  const { workspace, principal } = ctx;
  const scopes = [...new Set(input.scopes)];
  const role = await lockRole(ctx);
  if (!isAdmin(role)) refuse("insufficient_role", { role, required_role: "admin" });
  checkGrant({ role }, ctx.credential, scopes);

  const id = newId();
  const secret = input.is_public ? null : newSecret("ocs_");
  const metadata: ClientMetadata = {
    client_name: input.name,
    redirect_uris: [...new Set(input.redirect_uris)],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: secret ? "client_secret_basic" : "none",
    scope: scopes.join(" "),
    ...(input.homepage_url ? { client_uri: input.homepage_url } : {}),
    ...(input.logo_url ? { logo_uri: input.logo_url } : {}),
    ...(secret ? { client_secret_hash: secret.hash.toString("hex") } : {}),
  };
  const { name, description = null } = input;
  await insertApp(ctx, workspace, { id, name, metadata, description, createdBy: principal.user_id });
  const view = (await viewOf(ctx, workspace.id, id))!;
  audit(ctx, oauthAppCreated, targetOf(view), asNew(view, ["scopes", "redirect_uris", "is_public"]));
  return { ...view, client_secret: secret?.plaintext ?? null };
}

/** Loads an app for a change. The workspace's lock also waits for approvals that are under way. */
export async function forChange(ctx: InWorkspace & Writing, clientId: string): Promise<Found<OauthAppView> | null> {
  await lockWorkspace(ctx, ctx.workspace.id);
  return read(ctx, clientId);
}

/**
 * Ends all grants and tokens of an app in this workspace, and the app itself if it was created here. A client that
 * registered itself keeps working elsewhere, and people may approve it here again.
 * @throws Refusal scope_exceeds_grantor
 */
export async function revoke(ctx: InWorkspace & WithCredential & Writing, app: OauthAppView) {
  const { principal, credential, workspace } = ctx;
  checkGrant(principal, credential, app.scopes);
  await revokeGrantsOfClient(ctx, workspace.id, app.client_id);
  await revokeApp(ctx.tx, workspace.id, app.client_id, ctx.now);
  audit(ctx, oauthAppRevoked, targetOf(app), { scopes: [app.scopes, null] });
  return { client_id: app.client_id, revoked: true };
}

const targetOf = ({ client_id: id, name }: OauthAppView) => ({ id, name });

async function viewOf(ctx: Ctx, workspaceId: string, clientId: string): Promise<OauthAppView | null> {
  const row = await findApp(ctx, workspaceId, clientId);
  return row && appView(row);
}

function appView({ metadata, workspace_id, granted_scopes, ...row }: AppRow): OauthAppView {
  const isOwn = workspace_id !== null;
  return OauthAppView.parse({
    ...row,
    redirect_uris: metadata?.redirect_uris ?? [],
    scopes: isOwn ? (metadata?.scope ?? "").split(" ") : granted_scopes,
    is_public: (metadata?.token_endpoint_auth_method ?? "none") === "none",
    origin: isOwn ? "dashboard" : "dynamic",
    homepage_url: metadata?.client_uri ?? null,
    logo_url: metadata?.logo_uri ?? null,
  });
}
