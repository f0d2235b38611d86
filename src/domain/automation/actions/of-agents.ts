import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { refuse } from "../../kernel/errors.ts";
import { reference, text } from "../../kernel/wire.ts";
import { onRun } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { peopleProblems } from "./references.ts";
import { pathProblems, plainText } from "./texts.ts";

/** Actions that wake agents. */

const MAX_PROMPT = 8_000;

const NotifyAgent = inputPart(aboutAction, {
  type: z.literal("notify_agent"),
  agent_user_id: reference,
  prompt: text(0, MAX_PROMPT).nullable().optional(),
});

export const notifyAgent = onRun(NotifyAgent, {
  check: async (ctx, { agent_user_id, prompt }) => [
    ...(await peopleProblems(ctx, [["/agent_user_id", agent_user_id]])),
    ...pathProblems("/prompt", prompt),
  ],
  run: async () => refuse("unavailable", { message: "This action is not available yet." }),
  says: ({ agent_user_id, prompt }, running) =>
    `Wake the agent ${agent_user_id}${prompt ? `: ${plainText(prompt, running, MAX_PROMPT)}` : ""}`,
});
