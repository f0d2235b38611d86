import { requireScopes } from "../../access/identity/set-up-by.ts";
import { extended, type InWorkspace } from "../../kernel/context.ts";
import { Refusal, refuse } from "../../kernel/errors.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { isEditor } from "../../kernel/roles.ts";
import type { Acting, Effect, Running } from "./action.ts";
import { declarationOf } from "./catalogue.ts";
import { type Definition, type OnIssue, skipped } from "./define.ts";
import type { ActionInput } from "./inputs.ts";
import { readFamily, readLinked, readVisible } from "./issue.sql.ts";
import { checkProjectRole } from "./rights.ts";
import { scopesOfAction } from "./scopes.ts";
import { linkOf } from "./targets.ts";
import { markEvents, throughOf, wakeNamed } from "./wakes.ts";

/** Runs actions. Automations and stages of workflows call this, once for each target. */

/**
 * Returns the issues on which an action runs, at most 50. The person for whom it runs must see them, and the key that set
 * it up must be allowed their projects. Null if the action acts on no issue; it then runs once.
 */
export async function targetsOf(ctx: InWorkspace, action: ActionInput, { issueId }: Running): Promise<string[] | null> {
  if (!("target" in action)) return null;
  const { target } = action;
  if (issueId === null) return [];
  if (target === "self") return [issueId];
  const link = linkOf(target);
  if (link) return readLinked(ctx, issueId, link);
  return readFamily(ctx, issueId, target === "parent" ? "parent" : "children");
}

/** What becomes of an action on issues that has no target. */
export const withoutTarget = ({ issueId }: Running): string =>
  issueId === null ? "Skipped: The run is about no issue." : "There is no such issue that this may change.";

/** Takes the lock that an action needs before the row of its run is locked: links that may close a cycle come one by one. */
export async function lockBefore(ctx: Acting, action: ActionInput): Promise<void> {
  const kind = action.type === "link_issue" ? action.kind : action.type === "create_issue" ? action.link_kind : null;
  if (kind === "blocks") await lockWorkspace(ctx, ctx.workspace.id);
}

/**
 * Runs an action on one of its targets, within the transaction of `ctx`. All changes have the actor and the cause of
 * `ctx`, and its rights.
 * @param issueId one of `targetsOf`, or null
 * @throws Refusal if the rights, the plan or the rules of the board do not allow it; the transaction must not commit then
 */
export async function applyAction(
  ctx: Acting,
  action: ActionInput,
  running: Running,
  issueId: string | null,
): Promise<Effect> {
  requireScopes(ctx.principal, scopesOfAction(action), `The action ${action.type}`);
  const mark = markEvents(ctx);
  const effect = await apply(ctx, action, running, issueId);
  await wakeNamed(ctx, mark, throughOf(running));
  return effect;
}

async function apply(ctx: Acting, action: ActionInput, running: Running, issueId: string | null): Promise<Effect> {
  const declaration = declarationOf(action.type);
  if (declaration.on === "run") {
    if (!isEditor(ctx.principal.role)) refuse("insufficient_role", { required_role: "member" });
    return (declaration as unknown as Definition<never, Acting>).run(ctx, action as never, running);
  }
  const located = issueId && (await readVisible(ctx, issueId));
  if (!located)
    refuse("not_found", { message: "The issue does not exist, or the person for whom the action runs cannot see it." });
  if (located.issue.archived_at) return skipped(ARCHIVED);
  if (located.project.archived_at) refuse("archived", { archived_at: located.project.archived_at });
  checkProjectRole(ctx, located.project, { guests: declaration.guests === true });
  try {
    return await (declaration as unknown as Definition<never, OnIssue>).run(
      extended(ctx, located),
      action as never,
      running,
    );
  } catch (error) {
    // Somebody archived the issue meanwhile. Actions notice this under the issue's lock, before they change anything.
    if (error instanceof Refusal && error.is("archived") && !error.details.path) return skipped(ARCHIVED);
    throw error;
  }
}

const ARCHIVED = "The issue is archived.";
