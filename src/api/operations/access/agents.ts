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
      query: AgentQuery,
      returns: AgentView,
      handle: ({ ctx, query, paging }) => listPage(ctx, query, paging),
    },
    get: { summary: "Read an agent's profile; `me` is the calling agent", row: read },
    patch: {
      summary: "Change or pause an agent; its owner and admins may",
      body: AgentPatchInput,
      example: { description: "Sorts new issues", field_policy: ["status", "labels"], paused: true },
      handle: ({ ctx, on, body }) => change(ctx, on, body),
    },
  }),
  operation({
    id: "agents.delete",
    route: "DELETE W/agents/{id}",
    summary: "Disconnect an agent: all its keys and grants are revoked; what it wrote stays",
    needs: "agents:write",
    limitedKeys: "refuse",
    on: withKeys,
    returns: AgentDetailView,
    handle: ({ ctx, on }) => remove(ctx, on),
  }),
];
