import type { ProjectAccess } from "../../kernel/belongs.ts";
import { extended, type InProject, type InWorkspace, type Writing } from "../../kernel/context.ts";
import { Refusal, refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { keepLiveProject, lockBoard } from "../../kernel/locks.sql.ts";
import { type IssueFilter, readFilters } from "../../work/issues/list.ts";
import { lockFirstReady } from "../../work/issues/next-ready.ts";
import { whyNotReady } from "../../work/issues/not-ready.ts";
import { readinessFor } from "../../work/issues/ready.ts";
import { readVisible } from "../actions/issue.sql.ts";
import { projectNamed } from "../actions/project.ts";
import { startsByItself } from "./claims.sql.ts";
import { sessionErrors } from "./errors.ts";
import type { AgentSessionCreateInput } from "./inputs.ts";
import type { IssueOfSession } from "./issue-of.ts";

/** Starting a session on the next issue that is ready, so that agents share a board without talking to each other. */

/** Whether a body asks for the next ready issue. No key of an issue is this word, because keys contain a dash. */
export const isNext = ({ issue_key }: AgentSessionCreateInput): boolean => issue_key?.toLowerCase() === "next";

/**
 * Locks the first issue by rank that is ready for the agent and matches the filter. If the project moves issues when
 * they are started, calls wait for each other at the board, as all moves do.
 * @throws Refusal nothing_ready, which says why other issues are not ready
 */
export async function lockNext(
  ctx: InWorkspace & Writing,
  { filter }: AgentSessionCreateInput,
  agentId: string,
  { id }: ProjectAccess,
): Promise<IssueOfSession> {
  const project = (await projectNamed(ctx, id)) ?? refuseReference("/project", id);
  const at = extended(ctx, { project });
  const filters = await filtersOf(at, filter ?? {});
  const mayMove = await startsByItself(at);
  await (mayMove ? lockBoard(at) : keepLiveProject(at, id));
  const ready = await readinessFor(at, agentId);
  const issueId = filters && (await lockFirstReady(at, filters, ready));
  if (!issueId) {
    const why = await whyNotReady(at, filters, ready);
    const none = filter ? "has no open issue that matches the filter" : "has no open issues";
    const message = `The project ${project.key} ${none}. Ask again later${filter ? ", or with another filter" : ""}.`;
    refuse(sessionErrors.nothing_ready, why.counts.open === 0 ? { ...why, message } : why);
  }
  return extended(ctx, { ...(await readVisible(ctx, issueId))!, mayMove });
}

/** @throws Refusal validation_failed */
async function filtersOf(ctx: InProject, filter: IssueFilter) {
  try {
    return await readFilters(ctx, filter);
  } catch (error) {
    if (!(error instanceof Refusal) || !error.is("invalid_parameter")) throw error;
    const { parameter, allowed } = error.details;
    const more = allowed ? { allowed } : {};
    return refuseField(`/filter/${parameter}`, "not_allowed", error.message.replace(/^\w+: /, ""), more);
  }
}
