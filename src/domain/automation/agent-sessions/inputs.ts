import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { choice, idInput, line, reference, text } from "../../kernel/wire.ts";
import { IssueFilter } from "../../work/issues/list.ts";
import { aboutQuestion, aboutSessionInput, aboutSessionQuery, aboutStep } from "./descriptions.ts";
import { STATES } from "./states.ts";

/** Bodies of the calls of agent sessions. */

const title = line(1, 300);
const note = text(0, 2_000).nullable().optional();
const external_url = z
  .string()
  .trim()
  .max(2_048)
  .refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), {
    message: "must be an http or https URL",
    params: { code: "pattern" },
  })
  .nullable()
  .optional();
const branch = line(0, 255).nullable().optional();

export const STEP_STATUSES = ["pending", "in_progress", "completed"] as const;
const Question = inputPart(aboutQuestion, {
  text: text(1, 2_000),
  options: z.array(line(1, 200)).max(10).default([]),
});
const Step = inputPart(aboutStep, {
  text: line(1, 300),
  status: choice(STEP_STATUSES, { done: "completed", todo: "pending" }).default("pending"),
});

export const AgentSessionCreateInput = input("AgentSessionCreateInput", aboutSessionInput, {
  title,
  issue_key: reference.nullable().optional(),
  issue_id: reference.nullable().optional(),
  project: reference.nullable().optional(),
  filter: IssueFilter.nullable().optional(),
  claim: z.boolean().optional(),
  note,
  external_url,
  branch,
  agent_id: idInput.optional(),
  model: line(0, 64).nullable().optional(),
  workflow_run_id: idInput.nullable().optional(),
});
export type AgentSessionCreateInput = z.output<typeof AgentSessionCreateInput>;

/** `{}` says that the agent is still at work. */
export const AgentSessionPatchInput = input("AgentSessionPatchInput", aboutSessionInput, {
  state: choice(STATES, { canceled: "cancelled" }).optional(),
  title: title.optional(),
  note,
  external_url,
  branch,
  agent_id: idInput.optional(),
  question: Question.nullable().optional(),
  plan: z.array(Step).max(50).optional(),
  summary: text(0, 4_000).nullable().optional(),
  error: text(0, 2_000).nullable().optional(),
});
export type AgentSessionPatchInput = z.output<typeof AgentSessionPatchInput>;

export const AgentSessionQuery = inputPart(aboutSessionQuery, {
  state: z.string().max(200).optional(),
  issue_key: z.string().max(100).optional(),
  agent_id: z.string().max(2_000).optional(),
});
export type AgentSessionQuery = z.output<typeof AgentSessionQuery>;
