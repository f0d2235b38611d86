import { type Background, write } from "../../events/background.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import { Refusal } from "../../kernel/errors.ts";
import type { Running } from "../actions/action.ts";
import type { ActionInput } from "../actions/inputs.ts";
import { preview } from "../actions/preview.ts";
import { applyAction, lockBefore, targetsOf, withoutTarget } from "../actions/run.ts";
import { readViews } from "../automation-runs/subject.ts";
import { seenBy } from "../seen/definitions.ts";
import { visibleIssues } from "../seen/issues.sql.ts";
import type { AutomationDryRunView } from "./dry-run-view.ts";

type Tried = Pick<AutomationDryRunView, "actions" | "omitted">;

/** Number of actions that a dry run tries; an action counts once for each of its issues. */
const MOST = 50;

/**
 * Tries actions with the rights of an automation's creator. Each runs in a transaction of its own, which is rolled back, so
 * that the answer is the one that a run would get.
 * @param reader who asks, and sees only the projects and issues that they may see
 */
export async function tryActions(
  reader: InWorkspace,
  creator: Background & InWorkspace,
  actions: readonly ActionInput[],
  running: Running,
): Promise<Tried> {
  const tried: Tried = { actions: [], omitted: 0 };
  // Only callers who may change automations run them dry, so they see whole addresses.
  const seenActions = await seenBy(reader, actions, { addresses: true });
  for (const [n, action] of actions.entries()) {
    const seenAction = seenActions[n]!;
    // The outcome may name what the reader does not see.
    const isWhole = isSame(seenAction, action);
    const targets = (await targetsOf(creator, action, running)) ?? [null];
    const within = targets.slice(0, MOST - tried.actions.length);
    tried.omitted += targets.length - within.length;
    if (targets.length === 0)
      tried.actions.push(shown(seenAction, running, null, { ok: true, detail: withoutTarget(running) }));
    const ids = within.filter((id) => id !== null);
    const seen = await visibleIssues(reader, ids);
    const issues = await readViews(creator, creator.workspace.id, ids);
    for (const id of within) {
      const outcome = await attempt(creator, action, running, id);
      const isSeen = id === null || seen.has(id);
      const issue = (id !== null && isSeen && issues.get(id)) || null;
      tried.actions.push(shown(seenAction, running, issue, isSeen && isWhole ? outcome : { ...outcome, detail: null }));
    }
  }
  return tried;
}

type Outcome = { ok: boolean; detail: string | null };

function shown(action: ActionInput, running: Running, issue: { key: string } | null, outcome: Outcome) {
  const { type, issue_key, summary, action: rendered } = preview(action, running, issue);
  return { type, issue_key, would: summary, ...outcome, action: { ...rendered, type } };
}

/** Carries the effect out of the transaction that it rolls back. */
class RolledBack extends Error {
  readonly detail: string | null;

  constructor(detail: string | null) {
    super("A dry run was rolled back.");
    this.detail = detail;
  }
}

async function attempt(
  creator: Background & InWorkspace,
  action: ActionInput,
  running: Running,
  issueId: string | null,
): Promise<Outcome> {
  try {
    return await write(creator, creator.workspace.id, async (tx): Promise<never> => {
      await lockBefore(tx, action);
      const { result, detail } = await applyAction(tx, action, running, issueId);
      throw new RolledBack(result === "skipped" ? `Skipped: ${detail}` : detail);
    });
  } catch (error) {
    if (error instanceof RolledBack) return { ok: true, detail: error.detail };
    if (error instanceof Refusal) return { ok: false, detail: `${error.code}: ${error.message}` };
    throw error;
  }
}
