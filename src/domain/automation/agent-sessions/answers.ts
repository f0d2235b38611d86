import { z } from "zod";
import { hasScope } from "../../access/identity/scopes.ts";
import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace, WithCredential } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { answersSince } from "./answers.sql.ts";
import { aboutAnswer, aboutAnswers, aboutSessionDetail } from "./descriptions.ts";
import { read } from "./sessions.ts";
import { STATES } from "./states.ts";
import { AgentSessionView } from "./view.ts";

const answers = z.array(
  part(aboutAnswer, {
    comment_id: id,
    author_id: id,
    author_name: z.string().nullable(),
    body_md: z.string(),
    option: z.string().nullable(),
    created_at: timestamp,
  }),
);
type Answers = z.output<typeof answers>;

export const AgentAnswersView = view("AgentAnswers", aboutAnswers, {
  session_id: id,
  state: z.enum(STATES),
  question: z.string().nullable(),
  asked_at: timestamp.nullable(),
  answers,
});
type AgentAnswersView = z.output<typeof AgentAnswersView>;

/** A session that is read alone. */
export const AgentSessionDetailView = view("AgentSessionDetail", aboutSessionDetail, {
  ...AgentSessionView.shape,
  answers: answers.nullable(),
});
type AgentSessionDetailView = z.output<typeof AgentSessionDetailView>;

/** What people answered since the last question of a session. */
export async function answersTo(ctx: InWorkspace, session: AgentSessionView): Promise<AgentAnswersView> {
  const { id: session_id, state, question, needs_input_at } = session;
  const found = await answersOf(ctx, session);
  return { session_id, state, question: question?.text ?? null, asked_at: needs_input_at, answers: found };
}

/** A session with its answers, unless the credential may not read comments. */
export async function readWithAnswers(
  ctx: InWorkspace & WithCredential,
  text: string,
): Promise<Found<AgentSessionDetailView> | null> {
  const found = await read(ctx, text);
  if (!found) return null;
  const mayRead = hasScope(ctx.principal, ctx.credential, "comments:read");
  return { ...found, object: { ...found.object, answers: mayRead ? await answersOf(ctx, found.object) : null } };
}

async function answersOf(ctx: InWorkspace, { id, needs_input_at }: AgentSessionView): Promise<Answers> {
  if (needs_input_at === null) return [];
  const rows = await answersSince(ctx, id);
  return rows.map(({ options, ...row }) => ({
    ...row,
    option: options.find((option) => plain(option) === plain(row.body_md)) ?? null,
  }));
}

const plain = (text: string) => text.trim().toLowerCase();
