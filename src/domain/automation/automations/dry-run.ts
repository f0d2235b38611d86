import { actFor, type Unable, unableText } from "../../access/identity/act-as.ts";
import type { Scope } from "../../access/identity/scopes.ts";
import { requireScopes } from "../../access/identity/set-up-by.ts";
import { timezoneOf } from "../../access/identity/timezones.sql.ts";
import type { Background } from "../../events/background.ts";
import { sees } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { counted } from "../../kernel/counted.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { namesOf } from "../../work/issues/history.sql.ts";
import type { IssueView } from "../../work/issues/view.ts";
import { findTarget } from "../../work/links/links.sql.ts";
import type { Running } from "../actions/action.ts";
import { scopesOfConditions, scopesOfTexts } from "../actions/scopes.ts";
import { BY_CLOCK } from "../automation-runs/by-clock.ts";
import { valuesOf } from "../automation-runs/candidate.ts";
import { SOURCES } from "../automation-runs/sources.ts";
import { readViews } from "../automation-runs/subject.ts";
import { evaluate, type FailedRule, messageFor } from "../conditions/evaluate.ts";
import { factsOf } from "../conditions/facts.ts";
import { seenBy } from "../seen/definitions.ts";
import type { AutomationDryRunView } from "./dry-run-view.ts";
import { runsThisMonth } from "./month.sql.ts";
import { inPath } from "./rules.ts";
import { tryActions } from "./try-actions.ts";
import { automationView, type RuleRow } from "./view.ts";

/** Says what an automation would do to an issue, and changes nothing. */

/**
 * @returns null if the caller does not see the automation
 * @throws Refusal invalid_reference, insufficient_scope if the caller's key may not read what the reply contains of the issue
 */
export async function dryRun(
  ctx: InWorkspace & Background,
  automationId: string,
  issueRef: string | null,
): Promise<AutomationDryRunView | null> {
  const found = await inPath(ctx, automationId);
  if (!found || !sees(ctx.principal, found)) return null;
  const rule = found.object;
  if (issueRef !== null) requireScopes(ctx.principal, readsOf(rule), "A dry run with an issue");
  const issue = issueRef === null ? null : await issueNamed(ctx, issueRef);
  const failed = await failedRule(ctx, rule, issue);
  const matched = failed === null;
  const creator = await actFor(ctx, {
    workspaceId: ctx.workspace.id,
    userId: rule.created_by,
    by: rule,
    // The reply would show the caller objects of other projects.
    within: ctx.principal.project_ids,
    through: { kind: "automation", id: rule.id, name: rule.name },
    cause: {},
  });
  const running = await runningOf(ctx, rule, issue);
  const tried =
    matched && typeof creator !== "string"
      ? await tryActions(ctx, creator, rule.actions, running)
      : { actions: [], omitted: 0 };
  return {
    automation_id: rule.id,
    issue_key: issue?.key ?? null,
    matched,
    failed,
    skipped_reason: matched
      ? await skippedReason(ctx, rule, issue, typeof creator === "string" ? creator : null)
      : null,
    ...tried,
    last_skipped: automationView(ctx, rule).last_skipped,
  };
}

/** The scopes that read what the reply contains of the issue. */
const readsOf = ({ actions, conditions }: RuleRow): Scope[] => [
  "issues:read",
  ...scopesOfConditions(conditions),
  ...scopesOfTexts(actions),
];

async function issueNamed(ctx: InWorkspace & Background, ref: string): Promise<IssueView> {
  const target = await findTarget(ctx, ref);
  const view = target && (await readViews(ctx, ctx.workspace.id, [target.id])).get(target.id);
  return view || refuseReference("/issue_key", ref);
}

/** Who makes the change: the caller, or nobody if the clock starts the automation. */
function actorOf({ principal: { user_id, user_kind, user_name } }: InWorkspace, trigger: RuleRow["trigger"]) {
  if (SOURCES[trigger]?.timed) return BY_CLOCK;
  return { actor_kind: user_kind === "agent" ? "agent" : "user", actor_id: user_id, actor_name: user_name };
}

/** The first rule that does not apply, as the caller sees it. */
async function failedRule(ctx: InWorkspace, rule: RuleRow, issue: IssueView | null): Promise<FailedRule | null> {
  if (issue && rule.project_id !== null && issue.project_id !== rule.project_id) {
    return { path: "/project_id", message: "The issue is in another project." };
  }
  const actor = actorOf(ctx, rule.trigger);
  const facts = issue
    ? factsOf(issue, { ...actor, previous: {} })
    : {
        named: {
          project: rule.project_id === null ? [] : [rule.project_id],
          actor_kind: [actor.actor_kind],
          actor_id: actor.actor_id === null ? [] : [actor.actor_id],
        },
        custom: {},
        changed: () => false,
      };
  const outcome = evaluate(rule.conditions, facts);
  if (outcome.applies) return null;
  const { failed } = outcome;
  const [seen] = await seenBy(ctx, [rule.conditions!], { addresses: true });
  return { path: `/conditions${failed.path}`, message: messageFor(failed, seen!, facts) };
}

async function runningOf(ctx: InWorkspace, rule: RuleRow, issue: IssueView | null): Promise<Running> {
  const { id, name, trigger, run_count } = rule;
  const actor = actorOf(ctx, trigger);
  const events = Object.keys(SOURCES[trigger]?.on ?? {});
  const type = actor === BY_CLOCK ? trigger : (events[0] ?? trigger);
  const values = valuesOf(
    { ...actor, type, data: {}, created_at: ctx.now },
    { issue },
    await timezoneOf(ctx.db, ctx.workspace.id),
  );
  const reporter = issue
    ? ((await namesOf(ctx.db, ctx.workspace.id, [issue.reporter_id])).get(issue.reporter_id) ?? "")
    : "";
  return {
    issueId: issue?.id ?? null,
    values: { ...values, "automation.name": name, "issue.reporter": reporter },
    triggeringUserId: actor.actor_id,
    ordinal: run_count,
    source: { kind: "automation", id, name, runId: newId(), trigger },
  };
}

async function skippedReason(ctx: InWorkspace, rule: RuleRow, issue: IssueView | null, unable: Unable | null) {
  if (!rule.enabled) return `The automation is disabled (${rule.disabled_reason}).`;
  if (unable !== null) return unableText(unable, "the automation");
  if (issue?.archived_at) return "The issue is archived.";
  const limit = ctx.settings.plans(ctx.workspace.plan, "automation_runs_per_month");
  const used = await runsThisMonth(ctx.db, ctx.workspace.id, ctx.now);
  return limit !== null && used >= limit ? `The limit of the plan is reached: ${counted(limit, "run")} a month.` : null;
}
