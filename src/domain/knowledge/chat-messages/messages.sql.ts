import { kindOf } from "../../access/identity/kind.sql.ts";
import type { Ctx, InWorkspace } from "../../kernel/context.ts";
import { untilHeavy, type Weighed } from "../../kernel/paging.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { SILENCE, textOfParts } from "./stream.sql.ts";
import type { ChatMessageView, MessageRow } from "./view.ts";

type InChannels = Pick<Ctx, "db"> & { workspace: { id: string } };

/** User ids that a reaction shows. */
const MAX_USERS = 100;

export const reactionsOf = (message: string): string => `
  (select coalesce(json_agg(json_build_object('emoji', r.emoji, 'count', r.count, 'user_ids', r.user_ids)
                            order by r.first, r.emoji), '[]')
   from (select emoji, count(*) as count, min(created_at) as first,
                (array_agg(user_id order by created_at, user_id))[1:${MAX_USERS}] as user_ids
         from chat_reaction where message_id = ${message} group by emoji) r)`;

/** While a message is streamed, its text is in its parts. */
const BODY = `
  case when m.stream_status = 'open'
       then ${textOfParts("m.id")}
       else m.body_md end`;

const columns = `
  m.id, m.channel_id, m.number, m.author_id, ${BODY} as body_md, m.parent_id, m.root_id, m.reply_count, m.last_reply_at,
  m.edited_at, m.deleted_at, m.created_at, m.updated_at, ${reactionsOf("m.id")} as reactions,
  ${kindOf("u")} as author_kind, m.mentions,
  m.stream_status is not distinct from 'open' as streaming, m.stream_seq as seq, m.stream_status`;

export type MessageFilter = {
  root_id: string | null;
  topLevel: boolean;
  /** The page has this message, and at most so many newer ones. */
  window?: { id: string; newer: number } | null;
};

/** Messages of a channel, newest first. Deleted ones are listed if they have replies. */
export function listMessages(
  { db, workspace }: InWorkspace,
  channelId: string,
  { root_id, topLevel, window = null }: MessageFilter,
  after: Cursor | null,
  limit: number,
): Promise<Weighed<MessageRow>[]> {
  const values: unknown[] = [workspace.id, channelId, limit];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const listed = [
    "m.workspace_id = $1 and m.channel_id = $2 and (m.deleted_at is null or m.reply_count > 0)",
    ...(root_id === null ? [] : [`m.root_id = ${parameter(root_id)}::uuid`]),
    ...(topLevel ? ["m.root_id is null"] : []),
  ];
  const conditions = [
    ...listed,
    ...(window ? [`m.number <= ${newestOf(listed, parameter(window.id), parameter(window.newer))}`] : []),
    ...(after ? [`m.number < ${parameter(after[0])}::bigint`] : []),
  ];
  return db.query<Weighed<MessageRow>>(
    {
      name: `list_messages_${root_id !== null}_${topLevel}_${after !== null}${window ? "_window" : ""}`,
      text: untilHeavy(
        `select ${columns}, coalesce(m.stream_length, octet_length(m.body_md)) as bytes
         from chat_message m join app_user u on u.id = m.author_id
         where ${conditions.join(" and ")} order by m.number desc limit $3`,
        "number desc",
      ),
    },
    values,
  );
}

/** The number of the newest message of a window. No message is listed if the channel does not have the one that is named. */
const newestOf = (listed: readonly string[], id: string, newer: string): string => `
  (select max(number) from (
     select m.number from chat_message m
     where ${listed.join(" and ")} and m.number >= (
       select number from chat_message where workspace_id = $1 and channel_id = $2 and id = ${id}::uuid)
     order by m.number limit ${newer}::int + 1) newer)`;

/** Returns messages by id, deleted ones too. */
export function findMessages({ db, workspace }: InChannels, ids: readonly string[]): Promise<MessageRow[]> {
  return db.query<MessageRow>(
    {
      name: "find_messages",
      text: `
        select ${columns} from chat_message m join app_user u on u.id = m.author_id
        where m.workspace_id = $1 and m.id = any($2::uuid[])`,
    },
    [workspace.id, ids],
  );
}

/** Id of the message that an author has created with an id of their own. */
export async function messageOfClient(
  { db, workspace, principal }: InWorkspace,
  channelId: string,
  clientId: string,
): Promise<string | null> {
  const text = `
    select id from chat_message where workspace_id = $1 and channel_id = $2 and author_id = $3 and client_id = $4`;
  const [row] = await db.query<{ id: string }>({ name: "message_of_client", text }, [
    workspace.id,
    channelId,
    principal.user_id,
    clientId,
  ]);
  return row?.id ?? null;
}

export type NewMessage = {
  id: string;
  channel_id: string;
  body_md: string;
  mentions: unknown[];
  parent_id: string | null;
  root_id: string | null;
  client_id: string | null;
  streamed: boolean;
};

/**
 * Stores a message of a locked channel: gives it the next number, counts it as a reply, and marks it as read for its
 * author. A direct message returns to the lists of everybody in it.
 */
export async function insertMessage(ctx: InWorkspace, message: NewMessage): Promise<void> {
  await ctx.db.query(
    {
      name: "insert_message",
      text: `
        with channel as (
          update chat_channel set last_number = last_number + 1, last_message_at = $3::timestamptz
          where workspace_id = $1 and id = $4 returning last_number, kind),
        written as (
          insert into chat_message (id, workspace_id, channel_id, number, author_id, body_md, mentions, parent_id, root_id,
                                    client_id, stream_status, stream_seq, stream_length, stream_due_at, created_at, updated_at)
          select $5, $1, $4, channel.last_number, $2, $6, $7::jsonb, $8, $9, $10,
                 case when $11::boolean then 'open' end, case when $11 then 0 end, case when $11 then 0 end,
                 case when $11 then now() + interval '${SILENCE}' end, $3::timestamptz, $3::timestamptz
          from channel),
        above as (
          update chat_message set reply_count = reply_count + 1, last_reply_at = $3::timestamptz
          where workspace_id = $1 and id in ($8::uuid, $9::uuid)),
        returned as (
          update chat_member set hidden_at = null
          where channel_id = $4 and hidden_at is not null and user_id <> $2 and (select kind from channel) = 'dm')
        update chat_member m set read_number = channel.last_number, hidden_at = null from channel
        where m.channel_id = $4 and m.user_id = $2`,
    },
    [
      ctx.workspace.id,
      ctx.principal.user_id,
      ctx.now,
      message.channel_id,
      message.id,
      message.body_md,
      JSON.stringify(message.mentions),
      message.parent_id,
      message.root_id,
      message.client_id,
      message.streamed,
    ],
  );
}

/** Subtracts a deleted message from the replies of the messages above it. The caller has locked the channel. */
export async function uncountReply(
  { db, workspace }: InChannels,
  { parent_id, root_id, created_at }: Pick<ChatMessageView, "parent_id" | "root_id" | "created_at">,
): Promise<void> {
  if (parent_id === null) return;
  await db.query(
    {
      name: "uncount_reply",
      text: `
        update chat_message above
        set reply_count = reply_count - 1,
            last_reply_at = case
              when reply_count = 1 then null
              when last_reply_at > $4::timestamptz then last_reply_at
              else (select r.created_at from chat_message r
                    where r.root_id = $3::uuid and r.deleted_at is null and (above.id = $3::uuid or r.parent_id = above.id)
                    order by r.number desc limit 1) end
        where workspace_id = $1 and id in ($2::uuid, $3::uuid)`,
    },
    [workspace.id, parent_id, root_id, created_at],
  );
}

/** Marks messages of a channel as read by the caller, up to a number. The mark never goes back. */
export async function markRead({ db, workspace, principal }: InWorkspace, channelId: string, number: number) {
  await db.query(
    {
      name: "mark_channel_read",
      text: `
        update chat_member set read_number = $4
        where workspace_id = $1 and channel_id = $2 and user_id = $3 and read_number < $4`,
    },
    [workspace.id, channelId, principal.user_id, number],
  );
}
