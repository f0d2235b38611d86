import { kindOf } from "../../access/identity/kind.sql.ts";
import { projectColumns, projectJoin } from "../../access/identity/project-access.sql.ts";
import { visibility, visible, visibleObject } from "../../access/identity/visible.sql.ts";
import type { Ctx, InWorkspace, Writing } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { ChannelRow } from "./view.ts";

/** Messages that are counted as unread, at most. */
const MAX_UNREAD = 1_000;

/** A direct message is archived by each member for themselves. */
const ARCHIVED_AT = (member: string) => `case when c.kind = 'dm' then ${member}.hidden_at else c.archived_at end`;

/**
 * Parameters: $1 the workspace, $2 the caller's user id. No number is above `last_number`. The second bound tells Postgres
 * that few messages are unread: with one bound it expects a third of them, and reads the whole table.
 */
const columns = `
  case when c.kind = 'dm' then (
    select coalesce(json_agg(json_build_object('user_id', u.id, 'name', u.name, 'kind', ${kindOf("u")})
                             order by o.joined_at, u.id), '[]')
    from chat_member o join app_user u on u.id = o.user_id where o.channel_id = c.id and o.user_id <> $2::uuid) end as others,
  c.id, c.kind, c.name, c.slug, c.topic, c.created_by, ${ARCHIVED_AT("me")} as archived_at, c.last_message_at, c.created_at, c.updated_at,
  c.member_count, me.role as my_role, unread.unread_count, ${projectColumns}`;
const joins = `
  ${projectJoin("c.project_id", 2)}
  left join chat_member me on me.channel_id = c.id and me.user_id = $2::uuid,
  lateral (
    select count(*)::int as unread_count from (
      select from chat_message m
      where me.user_id is not null and m.channel_id = c.id and m.number > me.read_number and m.author_id <> $2::uuid
        and m.number <= c.last_number and m.deleted_at is null limit ${MAX_UNREAD}) counted) unread`;

/** Returns channels by id, whether or not the caller may see them. */
export function findChannels({ db, workspace, principal }: InWorkspace, ids: readonly string[]): Promise<ChannelRow[]> {
  return db.query<ChannelRow>(
    {
      name: "find_channels",
      text: `select ${columns} from chat_channel c ${joins} where c.workspace_id = $1 and c.id = any($3::uuid[])`,
    },
    [workspace.id, principal.user_id, ids],
  );
}

/** A channel without a reader, for events and mentions of its messages. */
export type BareChannel = { id: string; kind: string; project_id: string | null; project_scoped: boolean | null };

/** Returns a channel for a worker, which reads no messages. */
export async function readChannel(
  { db, workspace }: Pick<Ctx, "db"> & { workspace: { id: string } },
  id: string,
): Promise<BareChannel | null> {
  const [row] = await db.query<BareChannel>(
    {
      name: "read_channel",
      text: `
        select c.id, c.kind, c.project_id, p.scoped as project_scoped
        from chat_channel c left join project p on p.id = c.project_id where c.workspace_id = $1 and c.id = $2`,
    },
    [workspace.id, id],
  );
  return row ?? null;
}

/**
 * Channels that the caller sees, newest first. Two scans are merged: public channels, and those that the caller is a
 * member of. So private channels of others cost nothing.
 */
export function listChannels(
  { db, workspace, principal }: InWorkspace,
  archived: boolean,
  after: Cursor | null,
  limit: number,
): Promise<ChannelRow[]> {
  const isListed = `is ${archived ? "not null" : "null"}`;
  const conditions = `
    c.workspace_id = $1 ${after ? "and (c.created_at, c.id) < ($8::timestamptz, $9::uuid)" : ""}`;
  const order = "order by c.created_at desc, c.id desc limit $3";
  return db.query<ChannelRow>(
    {
      name: `list_channels_${archived}${after ? "_after" : ""}`,
      text: `
        select ${columns}
        from (
          (select c.id as listed from chat_channel c left join project p on p.id = c.project_id
           where ${conditions} and c.kind = 'public' and c.archived_at ${isListed} and ${visibleObject(4)} ${order})
          union
          (select c.id from chat_member own join chat_channel c on c.id = own.channel_id
           left join project p on p.id = c.project_id
           where own.user_id = $2::uuid and own.workspace_id = $1 and ${conditions}
             and c.kind <> 'public' and ${ARCHIVED_AT("own")} ${isListed} and case when p.id is null then ${visibleObject(4)} else ${visible(4)} end ${order})
        ) page join chat_channel c on c.id = page.listed ${joins}
        ${order}`,
    },
    [workspace.id, principal.user_id, limit, ...visibility(principal), ...(after ?? [])],
  );
}

/** Locks the channels that a user is a member of, in the order of their ids. Returns the ids. */
export async function lockChannelsOf(ctx: InWorkspace & Writing, userId: string): Promise<string[]> {
  const rows = await ctx.tx.query<{ id: string }>(
    {
      name: "lock_channels_of_user",
      text: `
        select id from chat_channel
        where workspace_id = $1 and id in (select channel_id from chat_member where user_id = $2 and workspace_id = $1)
        order by id for no key update`,
    },
    [ctx.workspace.id, userId],
  );
  ctx.waited();
  return rows.map(({ id }) => id);
}

/** Locks a channel. Returns when it was archived; null if it does not exist. */
export async function lockChannel(
  ctx: Writing & { workspace: { id: string } },
  id: string,
): Promise<{ archived_at: string | null; updated_at: string } | null> {
  const [row] = await ctx.tx.query<{ archived_at: string | null; updated_at: string }>(
    {
      name: "lock_channel",
      text: `select archived_at, updated_at from chat_channel where workspace_id = $1 and id = $2 for no key update`,
    },
    [ctx.workspace.id, id],
  );
  ctx.waited(row?.updated_at);
  return row ?? null;
}

/** Id of the live channel with a slug, if the caller sees it. Others are not to be found out by their names. */
export async function channelWithSlug(
  { db, workspace, principal }: InWorkspace,
  slug: string,
  except: string,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    {
      name: "channel_with_slug",
      text: `
        select c.id from chat_channel c left join project p on p.id = c.project_id
        where c.workspace_id = $1 and c.slug = $2 and c.archived_at is null and c.id <> $3 and ${visibleObject(4)}
          and (c.kind = 'public' or exists (
            select from chat_member own where own.channel_id = c.id and own.user_id = $7::uuid))
        limit 1`,
    },
    [workspace.id, slug, except, ...visibility(principal)],
  );
  return row?.id ?? null;
}

/** Id of the direct message of exactly these people. */
export async function channelOfPeople({ db, workspace }: InWorkspace, dmKey: string): Promise<string | null> {
  const text = `select id from chat_channel where workspace_id = $1 and dm_key = $2`;
  const [row] = await db.query<{ id: string }>({ name: "channel_of_people", text }, [workspace.id, dmKey]);
  return row?.id ?? null;
}

/** Adds members to a locked channel. Those who are members already stay as they are. Returns the ids of the new ones. */
export async function addMembers(
  ctx: Pick<Ctx, "db" | "now"> & { workspace: { id: string } },
  channelId: string,
  members: readonly { user_id: string; role: "owner" | "member" }[],
): Promise<string[]> {
  const rows = await ctx.db.query<{ user_id: string }>(
    {
      name: "add_channel_members",
      text: `
        with added as (
          insert into chat_member (channel_id, user_id, workspace_id, role, joined_at, read_number)
          select $2, m.user_id, $1, m.role, $5, c.last_number
          from unnest($3::uuid[], $4::text[]) as m(user_id, role), chat_channel c where c.id = $2
          on conflict do nothing returning user_id),
        counted as (
          update chat_channel set member_count = member_count + (select count(*) from added)
          where workspace_id = $1 and id = $2 and exists (select from added))
        select user_id from added`,
    },
    [ctx.workspace.id, channelId, members.map(({ user_id }) => user_id), members.map(({ role }) => role), ctx.now],
  );
  return rows.map(({ user_id }) => user_id);
}

/**
 * Removes members from locked channels. A channel without an owner gets its longest-standing member as owner. Returns the
 * channels that a user was removed from.
 */
export async function removeMember(
  { db, workspace }: { db: Db; workspace: { id: string } },
  userId: string,
  channelIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ channel_id: string }>(
    {
      name: "remove_channel_member",
      text: `
        with gone as (
          delete from chat_member where workspace_id = $1 and user_id = $2 and channel_id = any($3::uuid[])
          returning channel_id, role),
        counted as (
          update chat_channel set member_count = member_count - 1
          where workspace_id = $1 and id in (select channel_id from gone)),
        heirs as (
          select distinct on (m.channel_id) m.channel_id, m.user_id from chat_member m join gone g using (channel_id)
          where g.role = 'owner' and m.user_id <> $2
            and not exists (select from chat_member o where o.channel_id = m.channel_id and o.role = 'owner'
                            and o.user_id <> $2)
          order by m.channel_id, m.joined_at, m.user_id),
        inherited as (
          update chat_member m set role = 'owner' from heirs
          where m.channel_id = heirs.channel_id and m.user_id = heirs.user_id)
        select channel_id from gone`,
    },
    [workspace.id, userId, channelIds],
  );
  return rows.map(({ channel_id }) => channel_id);
}
