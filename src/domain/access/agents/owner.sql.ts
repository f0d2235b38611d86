/**
 * SQL: the person who answers for the agent in row `u` of app_user: whoever approved it or, if it has keys, whoever made
 * the newest one. Null for people.
 */
export const ownerOf = (u: string): string => `
  coalesce(${u}.agent_owner_id, (
    select k.created_by from api_key k
    where ${u}.kind = 'agent' and k.workspace_id = ${u}.agent_workspace_id and k.user_id = ${u}.id
    order by k.created_at desc limit 1))`;
