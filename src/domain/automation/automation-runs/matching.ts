import type { Background } from "../../events/background.ts";
import { causedBy } from "../../kernel/context.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { evaluate } from "../conditions/evaluate.ts";
import { type Candidate, candidateOf } from "./candidate.ts";
import { readHappened } from "./happened.sql.ts";
import type { Happened } from "./happened.ts";
import type { Rule } from "./rules.sql.ts";
import { rulesByTrigger } from "./rules.ts";
import { SOURCES, SOURCES_BY_EVENT } from "./sources.ts";
import { type Subject, subjectOf } from "./subject.ts";

/** The automations that react to events. */
export type Matches = {
  candidates: Candidate[];
  /** Automations that would have run, but do not react to changes that automations made. */
  ignored: Set<string>;
  /** Errors of events that could not be read. They do not keep the other events from starting automations. */
  errors: unknown[];
};

/** Finds the automations of a workspace that react to events: trigger, project, parameters and conditions match. */
export async function matchesOf(ctx: Background, workspaceId: string, eventIds: readonly string[]): Promise<Matches> {
  const { version, events } = await readHappened(ctx.db, workspaceId, eventIds);
  const found: Matches = { candidates: [], ignored: new Set(), errors: [] };
  if (events.length === 0) return found;
  const rules = await rulesByTrigger(ctx.db, workspaceId, version);
  for (const event of events) {
    try {
      await match(ctx, workspaceId, { event, rules, found });
    } catch (error) {
      if (!isDueToEvent(error)) throw error;
      found.errors.push(error);
    }
    await letOthersRun();
  }
  return found;
}

type Matching = { event: Happened; rules: ReadonlyMap<string, readonly Rule[]>; found: Matches };

async function match(ctx: Background, workspaceId: string, { event, rules, found }: Matching): Promise<void> {
  const concerned = (SOURCES_BY_EVENT.get(event.type) ?? [])
    .flatMap((trigger) => rules.get(trigger) ?? [])
    .filter((rule) => concerns(rule, event));
  if (concerned.length === 0) return;
  const subject = await subjectOf(ctx, workspaceId, event);
  const isLong = (subject.issue?.description_md?.length ?? 0) > LONG;
  for (const [n, rule] of concerned.entries()) {
    if (isLong || n % AT_A_TIME === AT_A_TIME - 1) await letOthersRun();
    add(found, rule, event, subject);
  }
}

/** Automations that are compared before other work may go on. */
const AT_A_TIME = 50;
/** Characters of a description from which on each automation takes noticeable time. */
const LONG = 10_000;

/** Whether an error comes from fields that have another form than the view of today. */
const isDueToEvent = (error: unknown): boolean => error instanceof TypeError;

/** An automation does not react to what happened before it existed. */
const concerns = (rule: Rule, event: Happened): boolean =>
  (rule.project_id === null || rule.project_id === event.project_id) &&
  rule.created_at <= event.created_at &&
  SOURCES[rule.trigger]!.chooses(rule.config, event);

function add({ candidates, ignored }: Matches, rule: Rule, event: Happened, subject: Subject): void {
  if (!evaluate(rule.conditions, subject.facts).applies) return;
  const { root_event_id, depth } = causedBy(event, {});
  if (depth! > 1 && !rule.allow_chaining) {
    ignored.add(rule.id);
    return;
  }
  candidates.push(candidateOf(rule, event, subject, { root_event_id: root_event_id!, depth: depth! }));
}
