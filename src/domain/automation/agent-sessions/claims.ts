import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { claimHolder } from "./claims.sql.ts";
import { sessionErrors } from "./errors.ts";

/** At most one open session of an issue claims it. A claim ends with its session. The caller has locked the issue. */

/** @throws Refusal issue_claimed, with the holder, if a session of somebody else claims the issue */
export async function refuseClaimed(ctx: InWorkspace & Writing, issueId: string, agentId: string): Promise<void> {
  const holder = await claimHolder(ctx, issueId, agentId);
  if (holder) refuse(sessionErrors.issue_claimed, { holder });
}
