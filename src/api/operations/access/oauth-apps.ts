import { create, forChange, listPage, read, revoke } from "../../../domain/access/oauth-apps/apps.ts";
import { OauthAppCreateInput } from "../../../domain/access/oauth-apps/inputs.ts";
import { NewOauthAppView, OauthAppRevokedView, OauthAppView } from "../../../domain/access/oauth-apps/view.ts";
import { resource } from "../../engine/resource.ts";

export const oauthAppOperations = resource("W/oauth-apps", {
  id: "oauth-apps",
  param: "clientId",
  view: OauthAppView,
  read: "oauth_apps:read",
  write: "oauth_apps:write",
  limitedKeys: "refuse",
  entity: forChange,
  list: {
    summary:
      "List the workspace's OAuth apps, newest first, with programs that registered themselves and were approved",
    handle: ({ ctx, paging }) => listPage(ctx, paging),
  },
  create: {
    summary: "Create an OAuth app for this workspace; `client_secret` is shown only once",
    about:
      "For programs of your own that people of the workspace approve, instead of a client that registers itself (`/auth.md`). `client_secret` is `null` for a public app, which has no secret. Redirect addresses are compared exactly, apart from the port of loopback addresses.",
    body: OauthAppCreateInput,
    example: {
      name: "Release dashboard",
      redirect_uris: ["https://dashboard.example.com/callback"],
      scopes: ["read", "issues:write"],
    },
    returns: NewOauthAppView,
    secret: true,
    handle: ({ ctx, body }) => create(ctx, body),
  },
  get: { summary: "Read an OAuth app", row: read },
  remove: {
    summary: "Revoke an OAuth app, with all its grants and tokens in this workspace",
    about:
      "Everything that people have granted to it ends: its access and refresh tokens get 401 from the next call on, and agents that have no other credential count as revoked.",
    returns: OauthAppRevokedView,
    handle: ({ ctx, on }) => revoke(ctx, on),
  },
});
