import type { Ctx, InWorkspace } from "../context.ts";
import type { Cursor } from "../paging.ts";
import type { Db } from "../ports.ts";
import type { Workspace } from "../rows.ts";
import type { InviteRow } from "./invite-view.ts";

const columns = `
  i.id, i.email, i.role, i.invited_by as invited_by_user_id, i.expires_at, i.created_at, i.project_ids,
  u.name as invited_by_name, i.replaced_invite_id`;

/** Neither used nor revoked. One that has expired is open still, so that its address can be invited but once. */
const open = `i.accepted_at is null and i.revoked_at is null`;

/** Invites that can still be accepted, newest first. */
export function listPending(ctx: InWorkspace, after: Cursor | null, limit: number): Promise<InviteRow[]> {
  const paged = after ? `and (i.created_at, i.id) < ($4::timestamptz, $5::uuid)` : "";
  return ctx.db.query<InviteRow>(
    {
      name: `list_invites_${after !== null}`,
      text: `
        select ${columns} from invite i join app_user u on u.id = i.invited_by
        where i.workspace_id = $1 and ${open} and i.expires_at > $2 ${paged}
        order by i.created_at desc, i.id desc limit $3`,
    },
    [ctx.workspace.id, ctx.now, limit, ...(after ?? [])],
  );
}

export async function findPending(ctx: InWorkspace, id: string): Promise<InviteRow | null> {
  const [row] = await ctx.db.query<InviteRow>(
    {
      text: `
        select ${columns} from invite i join app_user u on u.id = i.invited_by
        where i.workspace_id = $1 and i.id = $2 and ${open} and i.expires_at > $3`,
    },
    [ctx.workspace.id, id, ctx.now],
  );
  return row ?? null;
}

const WHICH = { id: "i.id = $3::uuid", email: "lower(i.email) = lower($3)", invited_by: "i.invited_by = $3::uuid" };

/** Ends open invites. Answers those that could still have been accepted. */
export function endInvites(ctx: InWorkspace, which: keyof typeof WHICH, value: string): Promise<InviteRow[]> {
  return ctx.db.query<InviteRow>(
    {
      text: `
        with ended as (
          update invite i set revoked_at = $2 where i.workspace_id = $1 and ${open} and ${WHICH[which]} returning i.*
        )
        select ${columns} from ended i join app_user u on u.id = i.invited_by where i.expires_at > $2`,
    },
    [ctx.workspace.id, ctx.now, value],
  );
}

/** Invites by a person and to an address since then, from whichever workspace: mail is sent by the installation. */
export async function countInvitesSent(
  db: Db,
  { by, to, since }: { by: string; to: string; since: string },
): Promise<{ by: number; to: number }> {
  const [row] = await db.query<{ by: number; to: number }>(
    {
      text: `
        select (select count(*) from invite where invited_by = $1 and created_at > $3) as by,
               (select count(*) from invite where lower(email) = lower($2) and created_at > $3) as to`,
    },
    [by, to, since],
  );
  return row!;
}

export type NewInvite = Pick<
  InviteRow,
  "id" | "email" | "role" | "project_ids" | "expires_at" | "replaced_invite_id"
> & {
  message: string | null;
  token_hash: Buffer;
};

export async function insertInvite(ctx: InWorkspace, invite: NewInvite): Promise<void> {
  await ctx.db.query(
    {
      text: `
        insert into invite (id, workspace_id, email, role, project_ids, message, token_hash, invited_by,
                            replaced_invite_id, expires_at, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    },
    [
      invite.id,
      ctx.workspace.id,
      invite.email,
      invite.role,
      invite.project_ids,
      invite.message,
      invite.token_hash,
      ctx.caller.user_id,
      invite.replaced_invite_id,
      invite.expires_at,
      ctx.now,
    ],
  );
}

/** The member with this address, suspended ones too. */
export async function memberByEmail(db: Db, workspaceId: string, email: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    {
      text: `
        select u.id from app_user u join member m on m.workspace_id = $1 and m.user_id = u.id
        where lower(u.email) = lower($2)`,
    },
    [workspaceId, email],
  );
  return row?.id ?? null;
}

/** Guests of the workspace, and those who are invited as such. */
export async function countGuests(
  ctx: Ctx & { workspace: Workspace },
  { invited }: { invited: boolean },
): Promise<number> {
  const pending = `(select count(*) from invite i
                    where i.workspace_id = $1 and i.role = 'guest' and ${open} and i.expires_at > $2)`;
  const [row] = await ctx.db.query<{ guests: number }>(
    {
      text: `
        select (select count(*) from member where workspace_id = $1 and role = 'guest' and status = 'active')
               ${invited ? `+ ${pending}` : ""} as guests`,
    },
    invited ? [ctx.workspace.id, ctx.now] : [ctx.workspace.id],
  );
  return row?.guests ?? 0;
}

/** An invite as its token's holder finds it. */
export type TokenRow = InviteRow & {
  workspace: Workspace;
  accepted_at: string | null;
  accepted_by: string | null;
  revoked_at: string | null;
};

/** The token is what names the invite, and through it the workspace. */
export async function findByToken(db: Db, tokenHash: Buffer): Promise<TokenRow | null> {
  const [row] = await db.query<TokenRow>(
    {
      text: `
        select ${columns}, i.accepted_at, i.accepted_by, i.revoked_at,
               json_build_object('id', w.id, 'slug', w.slug, 'name', w.name, 'plan', w.plan) as workspace
        from invite i join workspace w on w.id = i.workspace_id join app_user u on u.id = i.invited_by
        where i.token_hash = $1`,
    },
    [tokenHash],
  );
  return row ?? null;
}

/** Marks an invite as used; false when somebody was faster, or it is over. */
export async function claimInvite(ctx: Ctx, invite: TokenRow, userId: string): Promise<boolean> {
  const rows = await ctx.db.query(
    {
      text: `
        update invite i set accepted_at = $3, accepted_by = $4
        where i.workspace_id = $1 and i.id = $2 and ${open} and i.expires_at > $3 returning i.id`,
    },
    [invite.workspace.id, invite.id, ctx.now, userId],
  );
  return rows.length > 0;
}

/** Names a new guest in the projects they were invited to. */
export async function nameInProjects(
  ctx: Ctx,
  invite: { workspace: Workspace; project_ids: string[]; invited_by_user_id: string },
  userId: string,
): Promise<void> {
  await ctx.db.query(
    {
      text: `
        insert into project_member (project_id, user_id, workspace_id, role, added_by, added_at)
        select p.id, $3, $1, 'member', $4, $5 from project p where p.workspace_id = $1 and p.id = any($2::uuid[])
        on conflict do nothing`,
    },
    [invite.workspace.id, invite.project_ids, userId, invite.invited_by_user_id, ctx.now],
  );
}
