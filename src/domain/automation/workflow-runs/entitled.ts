import type { Principal } from "../../kernel/principal.ts";
import { isAdmin, rolesFrom } from "../../kernel/roles.ts";
import { isApprover } from "./activate.ts";
import type { OpenRun } from "./open-run.ts";
import { readAnswerable, starterOfChain } from "./people.sql.ts";
import type { FlowNode, StageRow, Vote } from "./rows.ts";

/** Who may complete a stage. */

export async function mayComplete(open: OpenRun, principal: Principal, node: FlowNode): Promise<boolean> {
  if (node.kind === "approval") return mayApprove(open, principal, node);
  if (isAdmin(principal.role)) return true;
  const { assignee_user_id } = open.stages.get(node.id)!;
  if (assignee_user_id !== null) return assignee_user_id === principal.user_id;
  if (node.kind === "agent") return false;
  // Work for people is not for the agent that is assigned to the issue.
  if (principal.user_kind !== "person") return false;
  const roles = rolesFrom(node.config.role);
  if (roles.length > 0) return roles.includes(principal.role!);
  return open.issue.assignee_ids.includes(principal.user_id);
}

/** Whether a stage asks people of whom the caller is none: an approval, or the work of somebody else. */
export async function asksOthers(open: OpenRun, principal: Principal, node: FlowNode): Promise<boolean> {
  if (node.kind !== "person") return node.kind === "approval";
  const { assignee_user_id } = open.stages.get(node.id)!;
  const isFree = assignee_user_id === null && !node.config.role && open.issue.assignee_ids.length === 0;
  return !isFree && !(await mayComplete(open, principal, node));
}

/**
 * Approvers vote, and admins only if they are approvers. Unless the node allows it, neither the one who started the run
 * nor the one who completed the stage before approves, nor an agent or owner of theirs. Agents approve only if they are named.
 */
async function mayApprove(open: OpenRun, { user_id }: Principal, node: FlowNode): Promise<boolean> {
  if (!node.config.allow_self && (await isOwnWork(open, node, user_id))) return false;
  return isApprover(open, node, user_id);
}

async function isOwnWork(open: OpenRun, node: FlowNode, userId: string): Promise<boolean> {
  const { automation_id, root_event_id, started_by } = open.run;
  const workers = completersBefore(open, node);
  // Runs of an automation have no starter.
  if (automation_id === null) {
    // A run that another one starts in its creator's name is the work of the one who began the chain.
    const first = root_event_id && (await starterOfChain(open.ctx, root_event_id));
    workers.add(first || started_by);
  }
  return countsAsOneOf(open, userId, workers);
}

/**
 * Whether a user counts as one with one of these users. An agent counts as one with the people who answer for it. So a person
 * cannot approve their own work, or vote twice, through an agent.
 */
async function countsAsOneOf({ ctx }: OpenRun, userId: string, others: ReadonlySet<string>): Promise<boolean> {
  if (others.size === 0 || others.has(userId)) return others.has(userId);
  const [own, theirs] = await Promise.all([readAnswerable(ctx, [userId]), readAnswerable(ctx, [...others])]);
  return [userId, ...own].some((id) => others.has(id) || theirs.has(id));
}

/** The users whose votes a new vote replaces: the voter and, without `allow_self`, all who count as one with the voter. */
export async function replacedBy(open: OpenRun, node: FlowNode, stage: StageRow, userId: string): Promise<Set<string>> {
  const replaced = new Set([userId]);
  if (node.config.allow_self) return replaced;
  for (const { by } of stage.approvals) if (await countsAsOneOf(open, userId, new Set([by]))) replaced.add(by);
  return replaced;
}

/**
 * Whether enough approvers have approved. A vote no longer counts once its voter has left, has another role, or cannot see
 * the project.
 */
export async function isApproved(open: OpenRun, node: FlowNode, votes: readonly Vote[]): Promise<boolean> {
  const required = node.config.required ?? 1;
  const approving = votes.filter(({ outcome }) => outcome === "approved");
  if (approving.length < required) return false;
  const counted = await Promise.all(approving.map(({ by }) => isApprover(open, node, by)));
  return counted.filter(Boolean).length >= required;
}

/** Those who completed the nearest stages before a node that somebody completed. */
function completersBefore({ flow, stages }: OpenRun, { in: edges }: FlowNode): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const left = edges.map(({ source_node_id }) => source_node_id);
  // The list grows while it is read.
  for (const id of left) {
    if (seen.has(id)) continue;
    seen.add(id);
    const by = stages.get(id)!.completed_by;
    if (by !== null) found.add(by);
    else left.push(...flow.graph.nodes.get(id)!.in.map(({ source_node_id }) => source_node_id));
  }
  return found;
}
