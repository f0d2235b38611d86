import { counted } from "../../kernel/counted.ts";
import type { NodeKind } from "../workflows/graph.ts";
import type { WorkflowNode } from "../workflows/nodes.ts";

/** What a picture says about a node. */

const KINDS: Record<NodeKind, string> = {
  start: "Start",
  agent: "Agent",
  person: "Person",
  condition: "Condition",
  parallel: "Parallel",
  end: "End",
  approval: "Approval",
  action: "Action",
  wait: "Wait",
};

/** The name of a node: its label, or else what is to be done. */
export function titleOf({ id, label, ...node }: WorkflowNode): string {
  const task = node.kind === "agent" || node.kind === "person" ? node.config.title : null;
  if (label || task) return label || task || id;
  return node.kind === "start" || node.kind === "end" ? KINDS[node.kind] : id;
}

/** The people that a node names. */
export const peopleOf = (node: WorkflowNode): string[] => [
  ...(node.assignee_user_id ? [node.assignee_user_id] : []),
  ...(node.kind === "approval" ? (node.config.approver_ids ?? []) : []),
];

/**
 * The kind of a node, and who works on it or what it does.
 * @param nameOf the name of a person or an agent
 * @param assigned who works on the stage of a run, if anybody does
 */
export function detailOf(node: WorkflowNode, nameOf: (id: string) => string, assigned: string | null): string {
  if (node.kind === "start") return node.label ? KINDS.start : "";
  const more = assigned ? nameOf(assigned) : moreOf(node, nameOf);
  return more === "" ? KINDS[node.kind] : `${KINDS[node.kind]} · ${more}`;
}

function moreOf(node: WorkflowNode, nameOf: (id: string) => string): string {
  switch (node.kind) {
    case "agent":
      return node.assignee_user_id ? nameOf(node.assignee_user_id) : "the issue's assignee";
    case "person":
      if (node.assignee_user_id) return nameOf(node.assignee_user_id);
      return node.config.role ? `any ${node.config.role}` : "the issue's assignee";
    case "approval": {
      const { approver_ids, approver_role, required } = node.config;
      if (approver_role) return required === 1 ? `any ${approver_role}` : `${required} ${approver_role}s`;
      const who = (approver_ids ?? []).map(nameOf).join(", ");
      return who === "" ? "" : `${required} of ${who}`;
    }
    case "condition":
      return counted(node.config.rules.length, "rule");
    case "parallel":
      return node.config.join === "any" ? "first branch" : "all branches";
    case "action":
      return counted(node.config.actions.length, "action");
    case "wait":
      return waitOf(node.config);
    case "end":
      return node.config.result;
    default:
      return "";
  }
}

function waitOf({ minutes, until_field, event }: Extract<WorkflowNode, { kind: "wait" }>["config"]): string {
  if (minutes) return counted(minutes, "minute");
  if (until_field) return `until ${until_field.startsWith("custom_field:") ? "a custom field" : until_field}`;
  return event ? `for ${event.type}` : "";
}
