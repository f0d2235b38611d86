import { recordChange } from "../../events/record.ts";
import { type Found, ofMembers } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { lockEntity } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { isAdmin, type Role } from "../../kernel/roles.ts";
import { accessChanged } from "../identity/access-changed.ts";
import { lockRole } from "../identity/lock-role.ts";
import { renameAgent } from "./agents.sql.ts";
import { AgentEntity } from "./entities.ts";
import { agentErrors } from "./errors.ts";
import { agentUpdated } from "./events.ts";
import { readFieldPolicy } from "./field-policy.ts";
import { checkHandle } from "./handles.ts";
import type { AgentPatchInput, AgentQuery } from "./inputs.ts";
import { listAgents, readAgentDetails } from "./read.sql.ts";
import type { AgentDetailView } from "./view.ts";

/** Profiles of agents. All members see them; guests see none. */

/** Newest first, also revoked ones. */
export async function listPage(ctx: InWorkspace, { online, kind }: AgentQuery, paging: Paging) {
  if (ctx.principal.role === "guest") return { rows: [], next_cursor: null };
  const filter = { online: online === undefined ? null : online === "true", kind: kind?.toLowerCase() ?? null };
  const { after, limit } = paging;
  const rows = await listAgents(ctx.db, ctx.workspace.id, { ...filter, after, limit: limit + 1, now: ctx.now });
  return pageOf(rows, paging, (row) => [row.created_at, row.agent_id]);
}

/** An agent by id; `me` is the agent that calls. */
export async function read(ctx: InWorkspace, text: string): Promise<Found<AgentDetailView> | null> {
  const id = idIn(ctx, text);
  return ofMembers(id && (await detailOf(ctx, id)));
}

/** The id that a path gives as id or `me`. @throws Refusal agent_key_required, if a person calls themselves an agent */
export function idIn({ principal }: InWorkspace, text: string): string | null {
  if (text.toLowerCase() !== "me") return readId(text);
  if (principal.user_kind !== "agent") refuse(agentErrors.agent_key_required);
  return principal.user_id;
}

/** The profile of an agent of the workspace. Null if there is no such agent. */
export async function detailOf(ctx: InWorkspace, id: string): Promise<AgentDetailView | null> {
  const [agent] = await readAgentDetails(ctx.db, ctx.workspace.id, [id], ctx.now);
  return agent ?? null;
}

/** An agent that may be changed, and the caller's role, read while the workspace is locked. */
export type LockedAgent = { entity: AgentEntity; agent: AgentDetailView; role: Role };

/** Locks the workspace, then the agent. */
export async function byId(ctx: InWorkspace & Writing, text: string): Promise<Found<LockedAgent> | null> {
  const id = idIn(ctx, text);
  if (!id) return null;
  const role = await lockRole(ctx);
  const entity = await lockEntity(ctx, AgentEntity, { id });
  const agent = entity && (await detailOf(ctx, id));
  return ofMembers(agent && { entity, agent, role });
}

/**
 * Changes an agent's profile and limits. Every call reads the limits, so they count from the next one.
 * @throws Refusal not_owner_of_resource, already_exists, validation_failed, invalid_reference
 */
export async function change(
  ctx: InWorkspace & Writing,
  { entity, agent, role }: LockedAgent,
  { paused, field_policy, description, ...plain }: AgentPatchInput,
): Promise<AgentDetailView> {
  checkMayManage(ctx, agent, role);
  const wanted = {
    ...plain,
    ...(paused === undefined ? {} : { paused }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(field_policy === undefined ? {} : { field_policy: await policyOf(ctx, agent, field_policy) }),
  };
  const { name, paused: pauses, ...changes } = changesTo(agent, wanted);
  if (Object.keys(changes).length === 0 && name === undefined && pauses === undefined) return agent;

  if (changes.handle !== undefined) await checkHandle(ctx.tx, ctx.workspace.id, changes.handle);
  if (name !== undefined) await renameAgent(ctx.tx, ctx.workspace.id, agent.id, name, ctx.now);
  const pausing = pauses === undefined ? {} : { paused_at: pauses ? ctx.now : null };
  ctx.em.assign(entity, { ...changes, ...pausing, updated_at: ctx.now });
  await ctx.em.flush();
  if (pauses !== undefined || changes.field_policy !== undefined) accessChanged(ctx, ctx.workspace.id, agent.id);
  const after = (await detailOf(ctx, agent.id))!;
  recordChange(ctx, agentUpdated, agent, after);
  return after;
}

/** The person who connected the agent, owners and admins. An agent has no say in its limits. */
export function checkMayManage({ principal }: InWorkspace, agent: AgentDetailView, role: Role): void {
  const isAgent = principal.user_kind === "agent";
  if (!isAgent && (principal.user_id === agent.owner_user_id || isAdmin(role))) return;
  refuse("not_owner_of_resource", {
    message: "Only the agent's owner, or an owner or admin of the workspace, may change it.",
  });
}

const policyOf = async (ctx: InWorkspace, { field_policy }: AgentDetailView, sent: string[] | null) =>
  sent && readFieldPolicy(ctx, sent, field_policy ?? []);
