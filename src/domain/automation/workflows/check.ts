import type { Scope } from "../../access/identity/scopes.ts";
import { requireScopes } from "../../access/identity/set-up-by.ts";
import { scopesOfEvent } from "../../events/scopes.ts";
import type { ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { firstErrors, refuse } from "../../kernel/errors.ts";
import { checkScopes } from "../actions/check.ts";
import { scopesOfConditions } from "../actions/scopes.ts";
import { configProblems } from "./config-problems.ts";
import { workflowErrors } from "./errors.ts";
import type { Edge } from "./graph.ts";
import type { WorkflowNode } from "./nodes.ts";
import { flowProblems, type Problem, structureProblems, unreachable } from "./problems.ts";
import type { ProblemView } from "./view.ts";

/** A graph with the whole config of its nodes. */
export type WorkflowGraph = { nodes: readonly WorkflowNode[]; edges: readonly Edge[] };

/** What the check of a graph depends on besides the graph. */
export type Checked = {
  /** The project whose issues go through the workflow. Null: all projects. */
  project: ProjectAccess | null;
  /** The names of all events. */
  events: ReadonlySet<string>;
};

/** Everything that keeps a graph from being enabled now. */
export async function problemsOf(ctx: InWorkspace, graph: WorkflowGraph, checked: Checked): Promise<Problem[]> {
  const structure = unsound(graph);
  const flow = structure.length > 0 ? [] : flowProblems(graph);
  return [...structure, ...flow, ...(await configProblems(ctx, graph.nodes, checked))];
}

/**
 * Problems of structure and, if there are any, the nodes that nothing leads to, so that one answer names them, too. In a
 * graph that is too large these would be very many.
 */
function unsound(graph: WorkflowGraph): Problem[] {
  const structure = structureProblems(graph);
  const isWhole = structure.length > 0 && structure.every(({ code }) => code !== "too_large");
  return isWhole ? [...structure, ...unreachable(graph)] : structure;
}

/** Checks that the caller may have the graph's stages done. @throws Refusal insufficient_scope */
export function checkGraphScopes(ctx: InWorkspace, { nodes }: Pick<WorkflowGraph, "nodes">): void {
  for (const node of nodes) {
    if (node.kind === "action") checkScopes(ctx, node.config.actions);
    else requireScopes(ctx.principal, scopesOfNode(node), `The ${node.kind} ${node.id}`);
  }
}

/**
 * The scopes of what a node does and reads. To tell people that a stage waits for them is part of the workflow and needs none
 * of its own.
 */
function scopesOfNode(node: Exclude<WorkflowNode, { kind: "action" }>): readonly Scope[] {
  switch (node.kind) {
    case "agent":
      return node.config.assign ? ["agents:write", "issues:write"] : ["agents:write"];
    case "person":
      return node.assignee_user_id !== null && node.config.assign ? ["issues:write"] : [];
    case "condition":
      return ["issues:read", ...scopesOfConditions(node.config)];
    case "end":
      return node.config.set_status ? ["issues:write"] : [];
    case "wait": {
      // An unknown event is a problem of the graph.
      const awaited = (node.config.event && scopesOfEvent(node.config.event.type)) ?? [];
      return [...(node.config.until_field ? (["issues:read"] as const) : []), ...(awaited as readonly Scope[])];
    }
    case "start":
    case "parallel":
    case "approval":
      return [];
  }
}

/** Returns a graph whose structure is sound. @throws Refusal graph_invalid with all problems of its structure */
export function savable<G extends WorkflowGraph>(graph: G): G {
  refuseInvalid(unsound(graph));
  return graph;
}

/** @throws Refusal graph_invalid if there are problems */
export function refuseInvalid(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const errors = problems.map(viewOf);
  const named = firstErrors(errors.map(({ message }) => message));
  const message = errors.length === 1 ? named : `The graph has ${errors.length} problems. ${named}`;
  refuse(workflowErrors.graph_invalid, { message, errors });
}

/** Maximum number of problems that a workflow shows. */
const MAX_SHOWN = 100;

/** Problems as a workflow shows them. */
export const shownProblems = (problems: readonly Problem[]): ProblemView[] => problems.slice(0, MAX_SHOWN).map(viewOf);

const viewOf = ({ code, message, node_id, edge_id, path }: Problem): ProblemView => ({
  code,
  message,
  node_id: node_id ?? null,
  edge_id: edge_id ?? null,
  path,
});
