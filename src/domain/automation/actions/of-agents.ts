import { z } from "zod";
import { agentErrors } from "../../access/agents/errors.ts";
import { readActingUser } from "../../access/identity/act-as.sql.ts";
import { readersAmong } from "../../access/identity/readers.sql.ts";
import { record } from "../../events/record.ts";
import { extended } from "../../kernel/context.ts";
import { inputPart } from "../../kernel/described.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { newId, referenceKey } from "../../kernel/ids.ts";
import { reference, text } from "../../kernel/wire.ts";
import { labelsOf, viewOf } from "../../work/issues/view.ts";
import { checkSpendCap } from "../agent-usage/spend-cap.ts";
import type { Acting } from "./action.ts";
import { done, onRun } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { agentWake } from "./events.ts";
import { readVisible } from "./issue.sql.ts";
import { missing, peopleNamed } from "./references.ts";
import { pathProblems, plainText } from "./texts.ts";
import { insertWake } from "./wakes.sql.ts";
import { throughOf } from "./wakes.ts";

/** The action that wakes an agent. */

const MAX_PROMPT = 8_000;

const NotifyAgent = inputPart(aboutAction, {
  type: z.literal("notify_agent"),
  agent_user_id: reference,
  prompt: text(0, MAX_PROMPT).nullable().optional(),
});

export const notifyAgent = onRun(NotifyAgent, {
  scopes: ["agents:write"],
  check: async (ctx, { agent_user_id, prompt }) => {
    const found = (await peopleNamed(ctx, [agent_user_id])).get(referenceKey(agent_user_id));
    return [
      ...(found?.kind === "agent" ? [] : [missing("/agent_user_id", "agent")]),
      ...pathProblems("/prompt", prompt),
    ];
  },
  run: async (ctx, { agent_user_id, prompt }, running) => {
    const at = running.issueId === null ? null : await readVisible(ctx, running.issueId);
    const agent_id = await liveAgent(ctx, agent_user_id);
    if (at && (await readersAmong(ctx, at.project, [agent_id])).length === 0) {
      refuseReference("/agent_user_id", agent_id, { message: `The agent cannot see ${at.issue.key}.` });
    }
    await checkSpendCap(ctx, agent_id);
    const wake = {
      agent_id,
      ...throughOf(running),
      prompt: (prompt && plainText(prompt, running, MAX_PROMPT)) || null,
    };
    await insertWake(ctx, { ...wake, id: newId(), issue_id: at?.issue.id ?? null });
    const issue = at && viewOf(extended(ctx, at), at.issue, labelsOf(at.issue));
    record(ctx, agentWake, { ...wake, issue }, { person_id: agent_id, ...(at ? { issue_id: at.issue.id } : {}) });
    return done("Agent woken.");
  },
  says: ({ agent_user_id, prompt }, running) =>
    `Wake the agent ${agent_user_id}${prompt ? `: ${plainText(prompt, running, MAX_PROMPT)}` : ""}`,
});

/** The id of an agent with a live key. Others hear nothing. @throws Refusal invalid_reference, agent_paused */
async function liveAgent(ctx: Acting, ref: string): Promise<string> {
  const person = (await peopleNamed(extended(ctx, { projectId: null }), [ref])).get(referenceKey(ref));
  const at = person && { workspaceId: ctx.workspace.id, userId: person.id, projectId: null, keyId: null };
  const found = at && (await readActingUser(ctx.db, at));
  if (found?.agent?.paused) {
    refuse(agentErrors.agent_paused, { message: "The agent is paused. It can be woken when it is resumed." });
  }
  if (found?.user.kind === "agent") return found.user.id;
  return refuseReference("/agent_user_id", ref, {
    message: "The agent does not exist any more, or has no key that works.",
  });
}
