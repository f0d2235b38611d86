import type { Acting } from "./action.ts";

type Wake = {
  id: string;
  agent_id: string;
  issue_id: string | null;
  automation_id: string | null;
  workflow_run_id: string | null;
  prompt: string | null;
};

/** Stores that an agent was woken. What it does to the issue afterwards continues the chain of causes. */
export async function insertWake({ tx, workspace, cause, now }: Acting, wake: Wake): Promise<void> {
  const { id, agent_id, issue_id, automation_id, workflow_run_id, prompt } = wake;
  await tx.query(
    {
      name: "agent_wake_insert",
      text: `
        insert into agent_wake (id, workspace_id, agent_id, issue_id, automation_id, workflow_run_id, prompt,
                                root_event_id, depth, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    },
    [
      ...[id, workspace.id, agent_id, issue_id, automation_id, workflow_run_id, prompt],
      // A run that no event started is the root of its chain itself.
      ...[cause.root_event_id ?? id, cause.depth ?? 1, now],
    ],
  );
}
