import type { InWorkspace, Writing } from "../../kernel/context.ts";
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

/** What wakes an agent. */
export type Through = Pick<Wake, "automation_id" | "workflow_run_id">;

/**
 * Stores the same for agents that events of this transaction assigned to an issue, mentioned in it, or asked to complete a
 * stage. The events are written already, and belong to a chain.
 */
export async function insertWakesOf(
  { tx, workspace, cause, now }: Writing & Pick<InWorkspace, "workspace">,
  eventIds: readonly string[],
  { automation_id, workflow_run_id }: Through,
): Promise<void> {
  await tx.query(
    {
      name: "agent_wakes_of_events",
      text: `
        insert into agent_wake (id, workspace_id, agent_id, issue_id, automation_id, workflow_run_id, root_event_id,
                                depth, created_at)
        select uuidv7(), $1, woken.agent_id, woken.issue_id, $3, $4, $5, $6, $7
        from (
          select distinct e.issue_id, named.id::uuid as agent_id
          from event e cross join lateral jsonb_array_elements_text(
            coalesce(e.context -> 'added', e.context -> 'mentioned', '[]')
            || jsonb_path_query_array(e.data, '$.mentions[*] ? (@.kind == "agent").id')
            || case when e.type = 'workflow.stage_activated' then to_jsonb(array[e.person_id]) else '[]' end) named(id)
          where e.workspace_id = $1 and e.id = any($2::uuid[]) and e.issue_id is not null) woken
        join agent a on a.user_id = woken.agent_id
        -- The start of a workflow stores it, and then the action that started the workflow.
        where not exists (
          select from agent_wake w
          where w.agent_id = woken.agent_id and w.created_at > $7::timestamptz - interval '1 minute'
            and w.issue_id = woken.issue_id and w.root_event_id = $5 and w.depth = $6)`,
    },
    [...[workspace.id, eventIds, automation_id, workflow_run_id], ...[cause.root_event_id, cause.depth, now]],
  );
}
