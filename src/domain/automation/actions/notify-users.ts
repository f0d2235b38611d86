import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { refuse } from "../../kernel/errors.ts";
import { choice, reference, text } from "../../kernel/wire.ts";
import { onRun, reportRequired } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { peopleProblems } from "./references.ts";
import { pathProblems, plainText } from "./texts.ts";

/** Actions that notify people. */

const MAX_MESSAGE = 2_000;

const NotifyUsers = inputPart(aboutAction, {
  type: z.literal("notify_users"),
  user_ids: z.array(reference).min(1).max(50).optional(),
  to: choice(["assignee", "reporter", "watchers"]).optional(),
  message: text(1, MAX_MESSAGE),
}).superRefine(({ user_ids, to }, ctx) => {
  if (user_ids === undefined && to === undefined) reportRequired(ctx, "user_ids", "is required, unless to is sent");
});

export const notifyUsers = onRun(NotifyUsers, {
  check: async (ctx, { user_ids = [], message }) => [
    ...(await peopleProblems(
      ctx,
      user_ids.map((id, n) => [`/user_ids/${n}`, id] as const),
    )),
    ...pathProblems("/message", message),
  ],
  run: async () => refuse("unavailable", { message: "This action is not available yet." }),
  says: ({ user_ids = [], to, message }, running) =>
    `Notify ${[...user_ids, ...(to ? [`the issue's ${to}`] : [])].join(", ")}: ${plainText(message, running, MAX_MESSAGE)}`,
});
