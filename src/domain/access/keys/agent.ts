import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import { changeProfile, findRevokedAgent } from "../agents/agents.sql.ts";
import { createAgent } from "../agents/create.ts";
import { readFieldPolicy } from "../agents/field-policy.ts";
import type { ApiKeyCreateInput } from "./inputs.ts";
import { countAgents, findAgent } from "./keys.sql.ts";

/**
 * The user that a new key acts as: its creator, an existing agent, or a new agent that this creates.
 * @throws Refusal validation_failed, mutually_exclusive, invalid_reference, not_owner_of_resource, plan_limit_reached
 */
export async function actorOf(
  ctx: InWorkspace & Writing,
  input: ApiKeyCreateInput,
): Promise<{ kind: "workspace" | "agent"; userId: string }> {
  const { kind, agent_id, agent_name } = input;
  const named = agent_id ?? agent_name;
  if ((kind ?? (named ? "agent" : "workspace")) === "workspace") {
    if (named)
      refuseField("/kind", "not_allowed", "must be agent for a key that names an agent", { allowed: ["agent"] });
    refuseProfile(input);
    return { kind: "workspace", userId: ctx.principal.user_id };
  }

  if (agent_id && agent_name) {
    refuse("mutually_exclusive", {
      message: "Send agent_id or agent_name, not both.",
      fields: ["agent_id", "agent_name"],
    });
  }
  if (agent_id) {
    refuseProfile(input);
    return { kind: "agent", userId: await existing(ctx, agent_id) };
  }
  if (agent_name) return { kind: "agent", userId: await connect(ctx, agent_name, input) };
  return refuseField("/agent_name", "required", "an agent key needs agent_id or agent_name");
}

/** Fields of a new agent. @throws Refusal validation_failed */
function refuseProfile(input: ApiKeyCreateInput): void {
  for (const field of ["agent_kind", "spend_cap_usd", "field_policy"] as const) {
    if (input[field] === undefined || input[field] === null) continue;
    refuseField(`/${field}`, "not_allowed", "is possible with agent_name only; change an existing agent instead");
  }
}

async function existing(ctx: InWorkspace & Writing, text: string): Promise<string> {
  const id = readId(text);
  const agent = id && (await checkAgentLimit(ctx, id));
  if (!agent) return refuseReference("/agent_id", text);
  checkMayAct(ctx, id, agent.owner_id);
  return id;
}

/**
 * A key of an agent reads what is addressed to the agent, such as its direct messages. So a key of another person must not
 * make one, unless the agent's owner is no longer active.
 * @throws Refusal not_owner_of_resource
 */
function checkMayAct({ principal }: InWorkspace, agentId: string, ownerId: string | null): void {
  if (principal.key === null || ownerId === null || [agentId, ownerId].includes(principal.user_id)) return;
  const message =
    "A key makes keys of its own person's agents only. Ask the owner of the agent for one, or send agent_name for an agent of your own.";
  refuse("not_owner_of_resource", { message });
}

/**
 * Checks that an agent may have a live key, because it has one or the plan allows one more agent. Returns null if there is
 * no such agent.
 * @throws Refusal plan_limit_reached
 */
export async function checkAgentLimit(ctx: InWorkspace & Writing, agentId: string) {
  const agent = await findAgent(ctx.tx, ctx.workspace.id, agentId, ctx.now);
  if (agent && !agent.works) await enforceAgentLimit(ctx);
  return agent;
}

/** Creates an agent, or brings back the caller's agent of that name whose keys have all ended. */
async function connect(ctx: InWorkspace & Writing, name: string, input: ApiKeyCreateInput): Promise<string> {
  await enforceAgentLimit(ctx);
  const { agent_kind: kind, spend_cap_usd, field_policy } = input;
  const ownerId = ctx.principal.user_id;
  const fieldPolicy = field_policy && (await readFieldPolicy(ctx, field_policy));
  const known = await findRevokedAgent(ctx.tx, ctx.workspace.id, { name, ownerId, now: ctx.now });
  if (known) {
    await changeProfile(ctx.tx, ctx.workspace.id, known, {
      kind,
      spendCapUsd: spend_cap_usd,
      fieldPolicy,
      now: ctx.now,
    });
    return known;
  }
  const profile = { kind: kind ?? null, spendCapUsd: spend_cap_usd ?? null, fieldPolicy: fieldPolicy ?? null };
  return createAgent(ctx, ctx.workspace.id, { name, ownerId, clientId: null, keyName: input.name, ...profile });
}

/** @throws Refusal plan_limit_reached */
export const enforceAgentLimit = (ctx: InWorkspace & Writing): Promise<void> =>
  enforcePlanLimit(ctx, "agents", () => countAgents(ctx.tx, ctx.workspace.id, ctx.now));
