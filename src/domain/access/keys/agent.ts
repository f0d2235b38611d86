import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import type { ApiKeyCreateInput } from "./inputs.ts";
import { countAgents, findAgent, insertAgent } from "./keys.sql.ts";

/** The user that a new key acts as: its creator, an existing agent, or a new agent that this creates. */
export async function actorOf(
  ctx: InWorkspace & Writing,
  { kind, agent_id, agent_name }: ApiKeyCreateInput,
): Promise<{ kind: "workspace" | "agent"; userId: string }> {
  const named = agent_id ?? agent_name;
  if ((kind ?? (named ? "agent" : "workspace")) === "workspace") {
    if (named)
      refuseField("/kind", "not_allowed", "must be agent for a key that names an agent", { allowed: ["agent"] });
    return { kind: "workspace", userId: ctx.principal.user_id };
  }

  if (agent_id && agent_name) {
    refuse("mutually_exclusive", {
      message: "Send agent_id or agent_name, not both.",
      fields: ["agent_id", "agent_name"],
    });
  }
  if (agent_id) return { kind: "agent", userId: await existing(ctx, agent_id) };
  if (agent_name) return { kind: "agent", userId: await connect(ctx, agent_name) };
  return refuseField("/agent_name", "required", "an agent key needs agent_id or agent_name");
}

async function existing(ctx: InWorkspace & Writing, text: string): Promise<string> {
  const id = readId(text);
  const agent = id && (await findAgent(ctx.tx, ctx.workspace.id, id, ctx.now));
  if (!agent) return refuseReference("/agent_id", text);
  if (!agent.works) await enforceAgentLimit(ctx);
  return id;
}

async function connect(ctx: InWorkspace & Writing, name: string): Promise<string> {
  await enforceAgentLimit(ctx);
  const id = newId();
  await insertAgent(ctx, ctx.workspace.id, { id, name });
  return id;
}

/** @throws Refusal plan_limit_reached */
export const enforceAgentLimit = (ctx: InWorkspace & Writing): Promise<void> =>
  enforcePlanLimit(ctx, "agents", () => countAgents(ctx.tx, ctx.workspace.id, ctx.now));
