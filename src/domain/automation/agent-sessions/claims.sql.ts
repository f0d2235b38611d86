import type { InProject, InWorkspace, Writing } from "../../kernel/context.ts";

/** Reads for the start of a session. The caller has locked what they are about. */

export type Holder = { session_id: string; agent_id: string; agent_name: string };

/** The open session of somebody else that claims the issue. */
export async function claimHolder(
  { tx, workspace }: InWorkspace & Writing,
  issueId: string,
  agentId: string,
): Promise<Holder | undefined> {
  const text = `
    select s.id as session_id, s.agent_id, coalesce(u.name, '') as agent_name
    from agent_session s join app_user u on u.id = s.agent_id
    where s.workspace_id = $1 and s.issue_id = $2 and s.claim and s.ended_at is null and s.agent_id <> $3`;
  const [holder] = await tx.query<Holder>({ name: "claim_holder", text }, [workspace.id, issueId, agentId]);
  return holder;
}

/** Whether the start of a session moves issues of the project. The caller then locks the board before the issue. */
export async function startsByItself({ tx, workspace, project }: InProject & Writing): Promise<boolean> {
  const text = `select auto_start from project where workspace_id = $1 and id = $2`;
  const [row] = await tx.query<{ auto_start: boolean }>({ name: "auto_start", text }, [workspace.id, project.id]);
  return row?.auto_start ?? false;
}
