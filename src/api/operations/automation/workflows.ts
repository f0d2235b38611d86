import { pictureOf } from "../../../domain/automation/pictures/picture.ts";
import {
  WorkflowCreateInput,
  WorkflowDeleteQuery,
  WorkflowGraphInput,
  WorkflowPatchInput,
} from "../../../domain/automation/workflows/inputs.ts";
import { replaceGraph } from "../../../domain/automation/workflows/replace-graph.ts";
import { WorkflowDeletedView, WorkflowDetailView, WorkflowView } from "../../../domain/automation/workflows/view.ts";
import * as workflows from "../../../domain/automation/workflows/workflows.ts";
import { ANNOUNCED_EVENT_TYPES } from "../../../domain/event-catalogue.ts";
import { WEBHOOK_EVENTS } from "../../../domain/webhook-events.ts";
import { drawn, SVG } from "../../engine/drawn.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

/** The events that a workflow can wait for. */
const events = new Set([...WEBHOOK_EVENTS.map(({ name }) => name), ...ANNOUNCED_EVENT_TYPES]);

const GRAPH = {
  nodes: [
    { id: "start", kind: "start" },
    { id: "review", kind: "person", label: "Review", config: { instructions: "Read the change." } },
    { id: "end", kind: "end" },
  ],
  edges: [
    { id: "e1", source_node_id: "start", target_node_id: "review" },
    { id: "e2", source_node_id: "review", target_node_id: "end" },
  ],
} as const;

export const workflowOperations = [
  ...resource("W/workflows", {
    id: "workflows",
    view: WorkflowView,
    read: "workflows:read",
    write: "workflows:write",
    limitedKeys: "filter",
    entity: workflows.byId,
    list: {
      summary: "List workflows, newest first",
      handle: ({ ctx, paging }) => workflows.listPage(ctx, paging),
    },
    create: {
      summary: "Create a workflow as a draft, with or without its graph",
      about:
        "Send `nodes` and `edges` here or later with `PUT …/graph`. Enable it with `PATCH` and `status: enabled`, then start it on issues with `POST …/issues/{issueKey}/workflow`.",
      body: WorkflowCreateInput,
      example: { name: "Review and release", project_id: "WEB", ...structuredClone(GRAPH) } as never,
      handle: ({ ctx, body, project }) => workflows.create(ctx, body, { project, events }),
    },
    patch: {
      summary: "Change a workflow, or enable or disable it",
      about:
        "Enabling checks the whole graph: exactly one start, everything reachable, both branches of each condition, people and agents that exist. `problems` in the reply of a read lists what is wrong beforehand; 400 `graph_invalid` otherwise. Back to `draft`, it takes no new starts; open runs go on.",
      body: WorkflowPatchInput,
      example: { name: "Review, then release" },
      handle: ({ ctx, on, body, project }) => workflows.change(ctx, on, body, { project, events }),
    },
  }),
  operation({
    id: "workflows.get",
    route: "GET W/workflows/{id}",
    summary: "Read a workflow with its graph, or its picture if Accept names image/svg+xml",
    about: "`valid` and `problems` say whether it can be enabled.",
    needs: "workflows:read",
    limitedKeys: "filter",
    on: workflows.read,
    returns: WorkflowDetailView,
    downloads: [SVG],
    async handle({ ctx, on, asked }) {
      return asked === SVG ? drawn(ctx, await pictureOf(ctx, on.name, on, null)) : on;
    },
  }),
  operation({
    id: "workflows.delete",
    route: "DELETE W/workflows/{id}",
    summary: "Delete a workflow",
    about:
      "Refused while issues are in it (409 `workflow_runs_in_flight` with the number), unless `cancel_runs=true` cancels these runs.",
    needs: "workflows:write",
    limitedKeys: "filter",
    query: WorkflowDeleteQuery,
    on: workflows.byId,
    returns: WorkflowDeletedView,
    handle: ({ ctx, on, query }) => workflows.remove(ctx, on, { cancelRuns: query.cancel_runs === "true" }),
  }),
  operation({
    id: "workflows.graph",
    route: "PUT W/workflows/{id}/graph",
    summary: "Replace the graph of a workflow; open runs keep theirs",
    about:
      "Each call makes a new version. Ids of nodes and edges are yours and are kept. The graph must have no circle and no unknown or double id, else nothing is stored (400 `graph_invalid`); a draft may be incomplete in other ways.",
    needs: "workflows:write",
    limitedKeys: "filter",
    body: WorkflowGraphInput,
    example: structuredClone(GRAPH) as never,
    on: workflows.byId,
    current: workflows.read,
    returns: WorkflowDetailView,
    handle: ({ ctx, on, body }) => replaceGraph(ctx, on, body, events),
  }),
];
