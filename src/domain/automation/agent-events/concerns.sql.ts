import type { TellingEvent } from "./rules.ts";

/** SQL: whether workspace `$1` has agents. */
export const HAS_AGENTS = "exists (select from agent a where a.workspace_id = $1)";

/**
 * SQL for the relay: whether event `e` names an agent, or is a comment or message that agents hear. It is the same for all
 * events, because each further condition takes the relay time to plan.
 */
const CONCERNS_AGENTS = `(
  exists (
    select from jsonb_array_elements_text(
      coalesce(e.context -> 'added', e.context -> 'removed', e.context -> 'mentioned', '[]')
      || jsonb_path_query_array(e.data, '$.mentions[*] ? (@.kind == "agent").id')) named(id)
    -- "offset 0" keeps this a lookup for each name.
    cross join lateral (select from agent a where a.user_id = named.id::uuid offset 0) a)
  or case e.type
    when 'comment.created' then exists (
      select from agent_session s where s.issue_id = e.issue_id and s.ended_at is null)
    when 'agent.updated' then 'paused' = any(e.changed)
    else (e.type = 'chat.message.created' or e.type = 'chat.message.updated' and 'stream_status' = any(e.changed))
      and exists (
        select from chat_member cm join agent a on a.user_id = cm.user_id
        where cm.channel_id = (e.data ->> 'channel_id')::uuid) end)`;

const MAY_CONCERN = [
  ...(["issue.assigned", "issue.unassigned", "issue.created", "issue.updated"] as const),
  ...(["comment.created", "comment.updated", "doc.created", "doc.updated"] as const),
  ...(["doc.comment.created", "doc.comment.updated", "chat.message.created", "chat.message.updated"] as const),
  "agent.updated",
] satisfies TellingEvent[];

/** All other events are about agents. */
export const WORTH_A_LOOK: Partial<Record<TellingEvent, string>> = Object.fromEntries(
  MAY_CONCERN.map((type) => [type, CONCERNS_AGENTS]),
);
