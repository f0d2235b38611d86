import type { Ctx, InWorkspace } from "../../kernel/context.ts";
import { emailKey } from "../../kernel/email.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Workspace } from "../../kernel/rows.ts";
import type { InviteRow } from "./invite-view.ts";

const columns = `
  i.id, i.email, i.role, i.invited_by as invited_by_user_id, i.expires_at, i.created_at, i.project_ids,
  u.name as invited_by_name, i.replaced_invite_id`;

/** Neither accepted nor revoked. An expired invite is still open, so that an address has at most one open invite. */
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

/** Ends open invites. Returns those that could still have been accepted. */
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

/** Numbers of invites in one day. */
export type InvitesSent = {
  byPerson: number;
  fromHere: number;
  /** Mailed to the address by anyone, from all workspaces. */
  mailed: number;
  /** Of these, sent by this person or from this workspace. */
  mailedByUs: number;
};

/**
 * Counts earlier invites. It takes a lock per sender and per address until the transaction ends, so that invites sent
 * at once from several workspaces are counted one by one.
 */
export async function countInvitesSent(ctx: InWorkspace, to: string, since: string): Promise<InvitesSent> {
  // Locks are always taken in this order, to avoid deadlocks.
  for (const counted of [`invites by ${ctx.principal.user_id}`, `invites to ${emailKey(to)}`]) {
    await ctx.db.query({ text: `select pg_advisory_xact_lock(hashtextextended($1, 0))` }, [counted]);
  }
  const [row] = await ctx.db.query<InvitesSent>(
    {
      text: `
        select (select count(*) from invite where invited_by = $2 and created_at > $4) as "byPerson",
               count(*) filter (where workspace_id = $1) as "fromHere",
               count(*) filter (where mailed) as mailed,
               count(*) filter (where mailed and (workspace_id = $1 or invited_by = $2)) as "mailedByUs"
        from invite where lower(email) = lower($3) and created_at > $4`,
    },
    [ctx.workspace.id, ctx.principal.user_id, to, since],
  );
  return row!;
}

export type NewInvite = Pick<
  InviteRow,
  "id" | "email" | "role" | "project_ids" | "expires_at" | "replaced_invite_id"
> & {
  message: string | null;
  token_hash: Buffer;
  mailed: boolean;
};

export async function insertInvite(ctx: InWorkspace, invite: NewInvite): Promise<void> {
  await ctx.db.query(
    {
      text: `
        insert into invite (id, workspace_id, email, role, project_ids, message, token_hash, invited_by,
                            replaced_invite_id, expires_at, created_at, mailed)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    },
    [
      invite.id,
      ctx.workspace.id,
      invite.email,
      invite.role,
      invite.project_ids,
      invite.message,
      invite.token_hash,
      ctx.principal.user_id,
      invite.replaced_invite_id,
      invite.expires_at,
      ctx.now,
      invite.mailed,
    ],
  );
}

/** Moves the token hash of an ended invite to its replacement, so that the link in the mail opens the new one. */
export async function takeTokenHash(ctx: InWorkspace, id: string): Promise<Buffer> {
  const [row] = await ctx.db.query<{ token_hash: Buffer }>(
    {
      // A 16-byte value is never the hash of a token.
      text: `
        with held as (
          select id, token_hash from invite where workspace_id = $1 and id = $2 and revoked_at is not null for update
        )
        update invite i set token_hash = uuid_send(i.id) from held where i.workspace_id = $1 and i.id = held.id
        returning held.token_hash`,
    },
    [ctx.workspace.id, id],
  );
  return row!.token_hash;
}

/** The member with this address, including suspended members. */
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

/** Guests of the workspace, and optionally open invites for guests. */
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

/** An invite as the invited person sees it. */
export type FoundInvite = InviteRow & {
  workspace: Workspace;
  accepted_at: string | null;
  accepted_by: string | null;
  revoked_at: string | null;
};

const found = `
  select ${columns}, i.accepted_at, i.accepted_by, i.revoked_at,
         json_build_object('id', w.id, 'slug', w.slug, 'name', w.name, 'plan', w.plan) as workspace
  from invite i join workspace w on w.id = i.workspace_id join app_user u on u.id = i.invited_by`;

/** The token identifies the invite and its workspace. */
export async function findByToken(db: Db, tokenHash: Buffer): Promise<FoundInvite | null> {
  const [row] = await db.query<FoundInvite>({ text: `${found} where i.token_hash = $1` }, [tokenHash]);
  return row ?? null;
}

/** An invite for the address. */
export async function findForAddress(db: Db, id: string, email: string): Promise<FoundInvite | null> {
  const text = `${found} where i.id = $1 and lower(i.email) = lower($2)`;
  const [row] = await db.query<FoundInvite>({ text }, [id, email]);
  return row ?? null;
}

/** Pending invites to the person's address, newest first, without workspaces that they belong to. */
export function listForPerson(
  db: Db,
  person: { id: string; email: string },
  now: string,
  limit: number,
): Promise<FoundInvite[]> {
  return db.query<FoundInvite>(
    {
      text: `
        ${found}
        where lower(i.email) = lower($1) and ${open} and i.expires_at > $3
          and not exists (select from member m where m.workspace_id = i.workspace_id and m.user_id = $2)
        order by i.created_at desc, i.id desc limit $4`,
    },
    [person.email, person.id, now, limit],
  );
}

/** Marks an invite as accepted. Returns false if it was already used or has ended. */
export async function claimInvite(ctx: Ctx, invite: FoundInvite, userId: string): Promise<boolean> {
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

/** Adds a new guest to the projects they were invited to. */
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
