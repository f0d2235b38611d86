import { byId, change, listPage, read } from "../../../domain/access/agents/agents.ts";
import { AgentPatchInput, AgentQuery } from "../../../domain/access/agents/inputs.ts";
import { remove, withKeys } from "../../../domain/access/agents/remove.ts";
import { AgentDetailView, AgentView } from "../../../domain/access/agents/view.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

export const agentOperations = [
  ...resource("W/agents", {
    id: "agents",
    view: AgentDetailView,
    read: "agents:read",
    write: "agents:write",
    limitedKeys: "refuse",
    entity: byId,
    list: {
      summary: "List the workspace's agents, newest first",
      about:
        "An agent is a member of the workspace without a seat: its `agent_id` can be assigned, mentioned and added like a person's id. Connect one with `POST …/api-keys` and `agent_name`, or over OAuth (`/auth.md`). Guests see no agents.",
      query: AgentQuery,
      returns: AgentView,
      handle: ({ ctx, query, paging }) => listPage(ctx, query, paging),
    },
    get: {
      summary: "Read an agent's profile; `me` is the calling agent",
      about: "Besides the profile: costs of the month, limits, and `pending_sessions`, the work that waits for it.",
      row: read,
    },
    patch: {
      summary: "Change or pause an agent; its owner and admins may",
      about:
        "A paused agent can only read (403 `agent_paused`); its open sessions wait until it is resumed. `field_policy` limits which fields of existing issues it may change. `spend_cap_usd` raises alarms at 80 % and 100 % of a month's costs; with `spend_cap_action: block` it also starts nothing new. No agent can change itself.",
      body: AgentPatchInput,
      example: { description: "Sorts new issues", field_policy: ["status", "labels"], paused: true },
      handle: ({ ctx, on, body }) => change(ctx, on, body),
    },
  }),
  operation({
    id: "agents.delete",
    route: "DELETE W/agents/{id}",
    summary: "Disconnect an agent: all its keys and grants are revoked; what it wrote stays",
    about:
      "Its open sessions are cancelled and its streams end. A new key or approval connects it again, with its profile and history.",
    needs: "agents:write",
    limitedKeys: "refuse",
    on: withKeys,
    returns: AgentDetailView,
    handle: ({ ctx, on }) => remove(ctx, on),
  }),
];
