import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { sessionErrors } from "./errors.ts";

/** At most one open session of an issue claims it. A claim ends with its session. The caller has locked the issue. */

/** @throws Refusal issue_claimed, with the holder, if a session of somebody else claims the issue */
export async function refuseClaimed(
  { tx, workspace }: InWorkspace & Writing,
  issueId: string,
  agentId: string,
): Promise<void> {
  const text = `
    select s.id as session_id, s.agent_id, coalesce(u.name, '') as agent_name
    from agent_session s join app_user u on u.id = s.agent_id
    where s.workspace_id = $1 and s.issue_id = $2 and s.claim and s.ended_at is null and s.agent_id <> $3`;
  const [holder] = await tx.query({ name: "claim_holder", text }, [workspace.id, issueId, agentId]);
  if (holder) refuse(sessionErrors.issue_claimed, { holder });
}
