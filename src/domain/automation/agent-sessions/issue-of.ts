import type { InIssue } from "../../access/identity/issue-row.ts";
import { readersAmong } from "../../access/identity/readers.sql.ts";
import type { ProjectAccess } from "../../kernel/belongs.ts";
import { extended, type InWorkspace, type Writing } from "../../kernel/context.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { keepLiveProject, lockBoard } from "../../kernel/locks.sql.ts";
import { lockLive } from "../../work/issues/lock-live.ts";
import { findTarget } from "../../work/links/links.sql.ts";
import { readVisible } from "../actions/issue.sql.ts";
import { checkProjectRole } from "../actions/rights.ts";
import { isUnstarted } from "./auto-start.ts";
import { startsByItself } from "./claims.sql.ts";
import type { AgentSessionCreateInput } from "./inputs.ts";
import { isNext, lockNext } from "./next.ts";

/** Finds and locks the issue of a new session. */

/** The locked issue, and whether the start of a session may move it, for which its board is locked too. */
export type IssueOfSession = InIssue & Writing & { readonly mayMove: boolean };

/**
 * Locks the issue that the body names, or the next one that is ready. Null if it names none.
 * @throws Refusal invalid_reference, insufficient_role, archived, key_project_limit, nothing_ready
 */
export async function issueOf(
  ctx: InWorkspace & Writing,
  input: AgentSessionCreateInput,
  agentId: string,
  project: ProjectAccess | null,
): Promise<IssueOfSession | null> {
  const { issue_key, issue_id, filter } = input;
  if (issue_key && issue_id) refuse("mutually_exclusive", { fields: ["issue_key", "issue_id"] });
  if (isNext(input)) {
    if (!project) refuseField("/project", "required", "is required with the issue_key next");
    await checkSees(ctx, project, agentId);
    return lockNext(ctx, input, agentId, project);
  }
  if (filter) refuseField("/filter", "not_allowed", "is possible with the issue_key next only");
  const ref = issue_key || issue_id;
  if (!ref) {
    if (input.claim) refuseField("/claim", "not_allowed", "needs an issue");
    if (project) {
      await checkSees(ctx, project, agentId);
      await keepLiveProject(ctx, project.id);
    } else if (ctx.principal.project_ids) refuse("key_project_limit");
    return null;
  }
  const path = issue_key ? "/issue_key" : "/issue_id";
  const target = (await findTarget(ctx, ref)) ?? refuseReference(path, ref);
  const located = (await readVisible(ctx, target.id)) ?? refuseReference(path, ref);
  if (project && project.id !== located.project.id) {
    refuseReference(path, ref, { message: "The issue belongs to another project." });
  }
  checkProjectRole(ctx, located.project);
  const { archived_at } = located.project;
  if (archived_at) refuse("archived", { archived_at });
  await checkSees(ctx, located.project, agentId);
  const at = extended(ctx, located);
  const mayMove = isUnstarted(located.issue.status) && (await startsByItself(at));
  await (mayMove ? lockBoard(at) : keepLiveProject(at, at.project.id));
  await lockLive(at);
  return extended(at, { mayMove });
}

/** An agent that works for somebody else has to see the project too. */
async function checkSees(ctx: InWorkspace, project: ProjectAccess, agentId: string): Promise<void> {
  if (agentId === ctx.principal.user_id || (await readersAmong(ctx, project, [agentId])).length > 0) return;
  refuseReference("/agent_id", agentId, { message: "The agent cannot see the issue." });
}
