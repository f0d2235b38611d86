import type { InWorkspace } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { referenceKey } from "../../kernel/ids.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";
import type { AgentSessionPatchInput } from "./inputs.ts";
import { ownerOfAgent } from "./sessions.sql.ts";
import type { SessionRow } from "./view.ts";

/** Who may act as an agent: its own key, its owner, and admins. People also work in sessions of their own. */

/**
 * Returns whom a new session is for.
 * @throws Refusal not_owner_of_resource, invalid_reference
 */
export async function agentFor(ctx: InWorkspace, ref: string | undefined): Promise<string> {
  const { principal } = ctx;
  if (ref === undefined || ref === principal.user_id) return principal.user_id;
  const found = (await findPeople(ctx.db, ctx.workspace.id, [ref], principal, "workspace")).get(referenceKey(ref));
  if (found?.id === principal.user_id) return found.id;
  if (principal.user_kind === "agent") refuseOther();
  if (found?.kind !== "agent")
    refuseReference("/agent_id", ref, { message: "agent_id names no agent of the workspace." });
  if (!isAdmin(principal.role) && (await ownerOfAgent(ctx, found.id)) !== principal.user_id) refuseOther();
  return found.id;
}

function refuseOther(): never {
  refuse("not_owner_of_resource", { message: "Only the agent itself, its owner or an admin may act as this agent." });
}

/** Whoever may edit the issue may cancel a session on it, and leave a note. */
const OF_OTHERS: readonly string[] = ["state", "note", "agent_id"];

type Worker = Pick<SessionRow, "agent_id" | "owner_user_id">;

const mayActAs = (principal: InWorkspace["principal"], { agent_id, owner_user_id }: Worker): boolean =>
  principal.user_id === agent_id ||
  (principal.user_kind !== "agent" && (isAdmin(principal.role) || owner_user_id === principal.user_id));

/**
 * Checks that the caller may report for the agent of a session.
 * @throws Refusal not_owner_of_resource, invalid_reference
 */
export function checkMayReport({ principal }: InWorkspace, row: Worker, agentId: string | undefined): void {
  if (!mayActAs(principal, row)) refuseOther();
  checkIsAgent(principal, row, agentId);
}

function checkIsAgent({ user_id }: InWorkspace["principal"], { agent_id }: Worker, named: string | undefined): void {
  if (named === undefined || named === agent_id || (named.toLowerCase() === "me" && user_id === agent_id)) return;
  refuseReference("/agent_id", named, { message: "agent_id must be the agent of the session." });
}

/** @throws Refusal not_owner_of_resource, invalid_reference */
export function checkMayChange(
  { principal }: InWorkspace,
  { agent_id, owner_user_id, issue_id }: SessionRow,
  input: AgentSessionPatchInput,
): void {
  const isAgents = mayActAs(principal, { agent_id, owner_user_id });
  const given = Object.keys(input).filter((field) => input[field as keyof AgentSessionPatchInput] !== undefined);
  const mayStop =
    principal.user_kind !== "agent" &&
    issue_id !== null &&
    given.length > 0 &&
    given.every((field) => OF_OTHERS.includes(field)) &&
    (input.state ?? "cancelled") === "cancelled";
  if (!isAgents && !mayStop) {
    const message = "Only the agent, its owner or an admin may do this. Others may cancel the session or leave a note.";
    refuse("not_owner_of_resource", { message });
  }
  checkIsAgent(principal, { agent_id, owner_user_id }, input.agent_id);
}
