import { z } from "zod";
import { usageChart } from "../../../domain/access/key-usage/chart.ts";
import { usageOf } from "../../../domain/access/key-usage/usage.ts";
import { KeyUsageQuery, KeyUsageView } from "../../../domain/access/key-usage/view.ts";
import { aboutKeyRevoked } from "../../../domain/access/keys/descriptions.ts";
import { ApiKeyCreateInput, ApiKeyDeleteQuery, ApiKeyPatchInput } from "../../../domain/access/keys/inputs.ts";
import { byId, change, create, forChange, listPage, read, revoke } from "../../../domain/access/keys/keys.ts";
import { ApiKeyView, NewApiKeyView } from "../../../domain/access/keys/view.ts";
import { part } from "../../../domain/kernel/described.ts";
import { id } from "../../../domain/kernel/wire.ts";
import { drawn, SVG } from "../../engine/drawn.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

export const apiKeyOperations = [
  ...resource("W/api-keys", {
    id: "api-keys",
    view: ApiKeyView,
    read: "api_keys:read",
    write: "api_keys:write",
    limitedKeys: "filter",
    entity: forChange,
    list: {
      summary: "List the workspace's keys, newest first; revoked keys stay listed for 90 days",
      about:
        "A key limited to projects sees only keys that are limited to some of the same projects. Credentials of programs that people have approved over OAuth are in the list, too.",
      handle: ({ ctx, paging }) => listPage(ctx, paging),
    },
    create: {
      summary: "Create an API key; `plaintext` is shown only once",
      about:
        "`plaintext` is in this reply only; store it now. The key acts as you, or with `agent_name` or `agent_id` as an agent. It never has more rights than you have: scopes above your role or those of the calling key are 403 `scope_exceeds_grantor`. If the calling key expires, the new one expires with it or earlier. `project_ids` limits it to projects; calls on the whole workspace are then refused.",
      body: ApiKeyCreateInput,
      example: { name: "Deploy bot", scopes: ["read", "issues:write"] },
      returns: NewApiKeyView,
      secret: true,
      handle: ({ ctx, body }) => create(ctx, body),
    },
    get: { summary: "Read an API key", row: read },
    patch: {
      summary: "Change a key's name, rate limit or expiry",
      about:
        "Takes effect with the next call of the key. Scopes and projects cannot be changed: create another key. A revoked key cannot be changed (409 `invalid_state_change`); more time for an expired one makes it valid again.",
      body: ApiKeyPatchInput,
      example: { name: "Release bot" },
      handle: ({ ctx, on, body }) => change(ctx, on, body),
    },
  }),
  operation({
    id: "api-keys.delete",
    route: "DELETE W/api-keys/{id}",
    summary: "Revoke a key immediately and permanently",
    about:
      "From the next call on it is 401; its streams end, and its creator gets a mail. If it was the last key of an agent, the agent counts as revoked and its open sessions are cancelled. Revoking it again changes nothing.",
    needs: "api_keys:write",
    limitedKeys: "filter",
    on: byId,
    query: ApiKeyDeleteQuery,
    returns: part(aboutKeyRevoked, { id, revoked: z.literal(true) }),
    handle: ({ ctx, on, query }) => revoke(ctx, on, query.reason),
  }),
  operation({
    id: "api-keys.usage",
    route: "GET W/api-keys/{id}/usage",
    summary: "Read a key's calls, errors and latencies by day (UTC), for at most 90 days",
    about:
      "Days without calls are in the list with zeros. A period of more than 90 days begins later (`clamped`). Percentiles are in milliseconds; those of the totals are computed from all calls, not from the days. If Accept names `image/svg+xml`, the reply is a chart.",
    needs: "api_keys:read",
    limitedKeys: "filter",
    on: read,
    query: KeyUsageQuery,
    returns: KeyUsageView,
    downloads: [SVG],
    async handle({ ctx, on, query, asked }) {
      const usage = await usageOf(ctx, on.id, query);
      return asked === SVG ? drawn(ctx, usageChart(usage, on.name, query.width)) : usage;
    },
  }),
];
