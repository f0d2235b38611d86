/** SQL of what a notification `n` is about, and of who sees it. It is checked when a notification is written and when it is read. */

/** Joins the objects that a notification names, and their project `p`. */
export const subjectJoins = `
  left join issue i on i.id = n.issue_id
  left join comment cm on cm.id = n.comment_id
  left join doc d on d.id = n.doc_id
  left join doc_comment dc on dc.id = n.comment_id
  left join goal g on g.id = n.goal_id
  left join chat_channel c on c.id = n.channel_id
  left join chat_message msg on msg.id = n.message_id
  left join project p on p.id = coalesce(i.project_id, d.project_id, c.project_id)`;

/**
 * Whether a user sees everything that a notification names. Deleted objects are seen by nobody.
 * @param of.project SQL: whether the user sees the project `p` or, without one, objects of the whole workspace
 * @param of.user SQL: the user's id
 * @param of.isAdmin SQL: whether the user is an owner or admin of the workspace
 */
export const seesSubject = (of: { project: string; user: string; isAdmin: string }): string => `
  (${of.project}) and (not n.admins_only or ${of.isAdmin})
  and (d.id is null or d.visibility = 'workspace' or d.owner_id = ${of.user})
  and (c.id is null or c.kind = 'public'
       or exists (select from chat_member own where own.channel_id = c.id and own.user_id = ${of.user}))
  and cm.deleted_at is null and dc.deleted_at is null and g.deleted_at is null and msg.deleted_at is null`;
