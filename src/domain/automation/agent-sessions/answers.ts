import { z } from "zod";
import type { InWorkspace } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { answersSince } from "./answers.sql.ts";
import { aboutAnswer, aboutAnswers } from "./descriptions.ts";
import { STATES } from "./states.ts";
import type { AgentSessionView } from "./view.ts";

export const AgentAnswersView = view("AgentAnswers", aboutAnswers, {
  session_id: id,
  state: z.enum(STATES),
  question: z.string().nullable(),
  asked_at: timestamp.nullable(),
  answers: z.array(
    part(aboutAnswer, {
      comment_id: id,
      author_id: id,
      author_name: z.string().nullable(),
      body_md: z.string(),
      option: z.string().nullable(),
      created_at: timestamp,
    }),
  ),
});
type AgentAnswersView = z.output<typeof AgentAnswersView>;

/** What people answered since the last question of a session. */
export async function answersTo(
  ctx: InWorkspace,
  { id: session_id, state, question, needs_input_at }: AgentSessionView,
): Promise<AgentAnswersView> {
  const rows = await answersSince(ctx, session_id);
  const optionOf = (body: string) => question?.options.find((option) => plain(option) === plain(body)) ?? null;
  const answers = rows.map((row) => ({ ...row, option: optionOf(row.body_md) }));
  return { session_id, state, question: question?.text ?? null, asked_at: needs_input_at, answers };
}

const plain = (text: string) => text.trim().toLowerCase();
