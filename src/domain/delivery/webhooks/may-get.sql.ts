import { isAdminsCredentialLive } from "../../access/identity/set-up-by.sql.ts";
import { scopesOfEventSql } from "../../events/scopes.ts";

/**
 * SQL: whether the webhook `hook` is for the project of the event `event`. Events outside any project are not for webhooks
 * that are limited to some.
 */
export const isInProjects = (event: string, hook: string): string =>
  `(${hook}.project_ids is null or ${event}.project_id = any(${hook}.project_ids))`;

/**
 * SQL: whether the webhook `hook` may get the event `event`. A webhook that a key defined gets what the key may read, while
 * the key is live and its person an admin, even if an action names the webhook. Messages of a channel that is not public are for webhooks that a
 * person defined in a browser, and whose URL was set by somebody who can read the channel now.
 */
export const mayGet = (event: string, hook: string): string => `
  (${hook}.key_id is null or (${event}.channel_id is null and ${isAdminsCredentialLive(hook)} and (
    ${event}.type = 'webhook.test' or coalesce((${scopesOfEventSql(`${event}.type`)}) <@ ${hook}.key_scopes, false))))
  and (${event}.channel_id is null or exists (
    select from chat_member c
    join member m on m.workspace_id = c.workspace_id and m.user_id = c.user_id and m.status = 'active'
    left join project p on p.id = ${event}.project_id
    where c.channel_id = ${event}.channel_id and c.user_id = coalesce(${hook}.url_set_by, ${hook}.created_by)
      and (p.id is null or m.role in ('owner', 'admin') or (m.role <> 'guest' and not p.scoped)
           or exists (select from project_member pm where pm.project_id = p.id and pm.user_id = m.user_id))))`;

/**
 * SQL: the event `event` is about a doc, or a comment on one, that is private now. Private docs record no events for
 * webhooks, but a doc may become private later.
 * @param reader SQL of the id of a person who may be the doc's owner; null for none
 */
export const isOfPrivateDoc = (event: string, reader: string | null): string => `
  exists (
    select from doc x
    where x.workspace_id = ${event}.workspace_id and x.visibility = 'private'
      and x.id = case when ${event}.type like 'doc.comment.%' then (${event}.data ->> 'doc_id')::uuid
                      when ${event}.type like 'doc.%' then (${event}.data ->> 'id')::uuid end
      ${reader === null ? "" : `and x.owner_id is distinct from ${reader}`})`;
