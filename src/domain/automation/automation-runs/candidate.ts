import type { Scope } from "../../access/identity/scopes.ts";
import { instantInWords } from "../../kernel/locale.ts";
import { shorten } from "../../kernel/text.ts";
import { scopesOfConditions } from "../actions/scopes.ts";
import { SCOPE_OF_TRIGGER, type Trigger } from "../automations/triggers.ts";
import type { Path, Values } from "../templates/template.ts";
import type { Happened } from "./happened.ts";
import type { Rule } from "./rules.sql.ts";
import { SOURCES } from "./sources.ts";
import type { Subject } from "./subject.ts";

/** An automation that matched, before its run is created. */
export type Candidate = {
  automation_id: string;
  event_id: string;
  issue_id: string | null;
  trigger: string;
  root_event_id: string;
  /** Number of reactions from the root event to this run: 1 for a change that a person made. */
  depth: number;
  triggering_user_id: string | null;
  values: Values;
  /** The scopes that a key needs to read what its trigger and its conditions have read. */
  reads: Scope[];
  /** Characters that its run takes: those of the actions and of the values. */
  weight: number;
};

export type Chain = Pick<Candidate, "root_event_id" | "depth">;

/** Characters of a value that texts may repeat. */
const MAX_VALUE = 10_000;

export function candidateOf(rule: Rule, event: Happened, subject: Subject, chain: Chain): Candidate {
  const values = valuesOf(event, subject, rule.timezone);
  return {
    automation_id: rule.id,
    event_id: SOURCES[rule.trigger]?.cause?.(event) ?? event.id,
    issue_id: subject.issueId,
    trigger: rule.trigger,
    ...chain,
    triggering_user_id: event.actor_id !== null && isPerson(event.actor_kind) ? event.actor_id : null,
    values,
    reads: readsOf(rule),
    weight: weightOf(rule, values),
  };
}

/** The scopes that a key needs to read what starts an automation, and what its conditions compare. */
export const readsOf = ({ trigger, conditions }: Pick<Rule, "trigger" | "conditions">): Scope[] => [
  ...new Set([SCOPE_OF_TRIGGER[trigger as Trigger], ...scopesOfConditions(conditions)]),
];

/** Characters of what a run stores. */
export const weightOf = ({ actions_weight }: Rule, values: Values): number =>
  Object.values(values).reduce((sum, text) => sum + text.length, actions_weight);

const isPerson = (kind: string) => kind === "user" || kind === "agent";

/** The values of paths in texts. Those of people are their names, which the actions know. */
export function valuesOf(
  event: Pick<Happened, "type" | "actor_kind" | "actor_name" | "data" | "created_at">,
  { issue }: Pick<Subject, "issue">,
  timezone: string,
): Values {
  const comment = event.type === "comment.created" ? { "comment.body": event.data.body_md } : {};
  const ofIssue = issue && {
    "issue.key": issue.key,
    "issue.title": issue.title,
    "issue.url": issue.url,
    "issue.type": issue.type,
    "issue.status": issue.status_name ?? issue.status,
    "issue.priority": issue.priority,
    "issue.due_at": issue.due_on ?? (issue.due_at && instantInWords(issue.due_at, timezone)),
    "issue.assignee": issue.assignee_name,
    "project.key": issue.project_key,
  };
  const all: Partial<Record<Path, unknown>> = {
    ...ofIssue,
    ...comment,
    "actor.name": event.actor_name,
    "actor.kind": event.actor_kind,
    "event.type": event.type,
    now: event.created_at,
  };
  const texts = Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(texts.map(([path, text]) => [path, shorten(text, MAX_VALUE)]));
}
