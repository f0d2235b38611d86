import type { Db } from "../../kernel/ports/ports.ts";

/** A person who created keys, with the data for a mail to them. */
export type KeyCreator = {
  id: string;
  email: string;
  workspace_name: string;
  workspace_slug: string;
  /** Whether they are still a member of the workspace. */
  is_member: boolean;
  /** Mails about revoked keys that this workspace sent them since `since`. */
  mails_sent: number;
};

/** The people among the creators of a workspace's keys. */
export function readKeyCreators(
  db: Db,
  workspaceId: string,
  { ids, since }: { ids: string[]; since: string },
): Promise<KeyCreator[]> {
  return db.query<KeyCreator>(
    {
      text: `
        select u.id, u.email, w.name as workspace_name, w.slug as workspace_slug,
               exists (select from member m where m.workspace_id = w.id and m.user_id = u.id) as is_member,
               (select count(*) from mail
                where mail.workspace_id = w.id and mail.kind = 'key_revoked' and mail.recipient = u.email
                  and mail.created_at > $3::timestamptz) as mails_sent
        from app_user u join workspace w on w.id = $1
        where u.id = any($2::uuid[]) and u.kind = 'person' and u.email is not null`,
    },
    [workspaceId, ids, since],
  );
}
