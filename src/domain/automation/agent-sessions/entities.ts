import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";
import type { State } from "./states.ts";
import type { AgentSessionView } from "./view.ts";

/** What a PATCH changes of a session, and what is set at its start. */
export const AgentSessionEntity = defineEntity({
  name: "AgentSession",
  tableName: "agent_session",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    agent_id: p.uuid(),
    issue_id: p.uuid().strictNullable(),
    project_id: p.uuid().strictNullable(),
    state: p.string().$type<State>(),
    state_reason: p.string().strictNullable(),
    state_before_pause: p.string().$type<State>().strictNullable(),
    title: p.string(),
    note: p.text().strictNullable(),
    external_url: p.string().strictNullable(),
    branch: p.string().strictNullable(),
    question: p.json<NonNullable<AgentSessionView["question"]>>().strictNullable(),
    /** The question that has been answered or dropped, until the next one. */
    last_question: p.json<NonNullable<AgentSessionView["question"]>>().strictNullable(),
    plan: p.json<AgentSessionView["plan"]>(),
    summary: p.text().strictNullable(),
    error: p.text().strictNullable(),
    claim: p.boolean(),
    reopened: p.integer(),
    workflow_run_id: p.uuid().strictNullable(),
    model: p.string().strictNullable(),
    started_by: p.uuid(),
    started_at: instantColumn(),
    last_activity_at: instantColumn(),
    needs_input_at: instantColumn().strictNullable(),
    review_at: instantColumn().strictNullable(),
    ended_at: instantColumn().strictNullable(),
  },
});
export type AgentSessionEntity = InferEntity<typeof AgentSessionEntity>;
