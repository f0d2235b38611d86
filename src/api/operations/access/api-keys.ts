import { z } from "zod";
import { aboutKeyRevoked } from "../../../domain/access/keys/descriptions.ts";
import { ApiKeyCreateInput, ApiKeyDeleteQuery, ApiKeyPatchInput } from "../../../domain/access/keys/inputs.ts";
import { byId, change, create, forChange, listPage, read, revoke } from "../../../domain/access/keys/keys.ts";
import { ApiKeyView, NewApiKeyView } from "../../../domain/access/keys/view.ts";
import { part } from "../../../domain/kernel/described.ts";
import { id } from "../../../domain/kernel/wire.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

export const apiKeyOperations = [
  ...resource("W/api-keys", {
    id: "api-keys",
    view: ApiKeyView,
    read: "api_keys:read; admin tier",
    write: "api_keys:write; admin tier",
    limitedKeys: "filter",
    entity: forChange,
    list: {
      summary: "List the workspace's keys, newest first; revoked keys stay listed for 90 days",
      handle: ({ ctx, paging }) => listPage(ctx, paging),
    },
    create: {
      summary: "Create an API key; `plaintext` is shown only once",
      body: ApiKeyCreateInput,
      example: { name: "Deploy bot", scopes: ["read", "issues:write"] },
      returns: NewApiKeyView,
      secret: true,
      handle: ({ ctx, body }) => create(ctx, body),
    },
    get: { summary: "Read an API key", row: read },
    patch: {
      summary: "Change a key's name, rate limit or expiry",
      body: ApiKeyPatchInput,
      example: { name: "Release bot" },
      handle: ({ ctx, on, body }) => change(ctx, on, body),
    },
  }),
  operation({
    id: "api-keys.delete",
    route: "DELETE W/api-keys/{id}",
    summary: "Revoke a key immediately and permanently",
    needs: "api_keys:write; admin tier",
    limitedKeys: "filter",
    on: byId,
    query: ApiKeyDeleteQuery,
    returns: part(aboutKeyRevoked, { id, revoked: z.literal(true) }),
    handle: ({ ctx, on, query }) => revoke(ctx, on, query.reason),
  }),
];
