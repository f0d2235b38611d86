import type { Ctx } from "../../kernel/context.ts";
import type { Statement } from "../../kernel/ports/ports.ts";
import { lengthOf } from "../../kernel/text.ts";

type InChannels = Pick<Ctx, "db"> & { workspace: { id: string } };

/** The state of a streamed message. */
export type StreamState = {
  id: string;
  channel_id: string;
  author_id: string;
  /** null: the message was not streamed. */
  stream_status: "open" | "done" | "timed_out" | null;
  stream_seq: number;
  /** Characters. */
  stream_length: number;
  deleted_at: string | null;
};

/** A stream that gets no part for this long ends. */
export const SILENCE = "120 seconds";

/** The text of a message's parts, with line ends as LF. */
export const textOfParts = (message: string) => `
  (select regexp_replace(coalesce(string_agg(delta, '' order by seq), ''), E'\\r\\n?', E'\\n', 'g')
   from chat_part where message_id = ${message})`;

const OPEN = "stream_status = 'open'";
const DUE = `${OPEN} and stream_due_at <= now()`;

/** Locks a streamed message and returns its state. Parts that come at the same time wait for each other here. */
export const lockStream = (ctx: InChannels, channelId: string, id: string): Promise<StreamState | null> =>
  stateOf(ctx, { name: "lock_stream", text: `${STATE} for no key update` }, channelId, id);

/** Adds a part to a locked message. Returns the number of the part and the length of the text. */
export async function addPart(
  { db }: InChannels,
  { id, delta }: { id: string; delta: string },
): Promise<{ seq: number; length: number }> {
  const [row] = await db.query<{ seq: number; length: number }>(
    {
      name: "add_part",
      text: `
        with added as (
          update chat_message set stream_seq = stream_seq + 1, stream_length = stream_length + $2,
                                  stream_due_at = now() + interval '${SILENCE}'
          where id = $1 returning id, stream_seq, stream_length),
        part as (insert into chat_part (message_id, seq, delta) select id, stream_seq, $3 from added where $2 > 0)
        select stream_seq as seq, stream_length as length from added`,
    },
    [id, lengthOf(delta), delta],
  );
  return row!;
}

/** Stores the part with which a message was opened. */
export async function insertFirstPart({ db }: InChannels, id: string, delta: string): Promise<void> {
  await db.query(
    {
      name: "insert_first_part",
      text: `
        with part as (insert into chat_part (message_id, seq, delta) values ($1, 0, $2))
        update chat_message set stream_length = $3 where id = $1`,
    },
    [id, delta, lengthOf(delta)],
  );
}

const STATE = `
  select id, channel_id, author_id, stream_status, coalesce(stream_seq, 0) as stream_seq,
         coalesce(stream_length, 0) as stream_length, deleted_at
  from chat_message where workspace_id = $1 and channel_id = $2 and id = $3`;

/** Returns the state of a streamed message, deleted or not. */
export const readStream = (ctx: InChannels, channelId: string, id: string): Promise<StreamState | null> =>
  stateOf(ctx, { name: "read_stream", text: STATE }, channelId, id);

async function stateOf({ db, workspace }: InChannels, statement: Statement, channelId: string, id: string) {
  const [row] = await db.query<StreamState>(statement, [workspace.id, channelId, id]);
  return row ?? null;
}

/** Locks a message if it is still open and, if asked, its author has been silent for too long. Returns its text. */
export async function lockOpen(
  { db, workspace }: InChannels,
  id: string,
  ifSilent: boolean,
): Promise<{ body_md: string } | null> {
  const lock = `
    select id from chat_message
    where workspace_id = $1 and id = $2 and ${ifSilent ? DUE : OPEN} and deleted_at is null for update`;
  const locked = await db.query({ name: `lock_open_message_${ifSilent}`, text: lock }, [workspace.id, id]);
  if (locked.length === 0) return null;
  const text = `select ${textOfParts("$1")} as body_md`;
  const [row] = await db.query<{ body_md: string }>({ name: "text_of_parts", text }, [id]);
  return row!;
}

/** Ends a message: stores its text instead of its parts. */
export async function closeMessage(
  { db, workspace }: InChannels,
  id: string,
  closed: { status: "done" | "timed_out"; body_md: string; mentions: unknown[]; now: string; isEmpty: boolean },
): Promise<void> {
  await db.query(
    {
      name: "close_message",
      text: `
        with gone as (delete from chat_part where message_id = $2)
        update chat_message set stream_status = $3, body_md = $4, mentions = $5::jsonb, updated_at = $6,
          stream_due_at = null, stream_length = $7, deleted_at = case when $8::boolean then $6::timestamptz end
        where workspace_id = $1 and id = $2`,
    },
    [
      workspace.id,
      id,
      closed.status,
      closed.body_md,
      JSON.stringify(closed.mentions),
      closed.now,
      lengthOf(closed.body_md),
      closed.isEmpty,
    ],
  );
}

/** Parts of an open message: those after one and up to another. */
export const readParts = ({ db, workspace }: InChannels, id: string, after: number, upTo: number) =>
  db.query<{ seq: number; delta: string }>(
    {
      name: "read_parts",
      text: `
        select seq, delta from chat_part
        where message_id = (select id from chat_message where workspace_id = $1 and id = $2) and seq > $3 and seq <= $4
        order by seq`,
    },
    [workspace.id, id, after, upTo],
  );

/** Removes the parts of a message that is deleted while it is written. */
export async function deleteParts({ db }: InChannels, id: string): Promise<void> {
  await db.query({ name: "delete_parts", text: "delete from chat_part where message_id = $1" }, [id]);
}

/** Streamed messages whose authors have been silent for too long. */
export const silentStreams = {
  table: "chat_message",
  open: OPEN,
  due: DUE,
  later: `${OPEN} and stream_due_at > now()`,
};

/** Silent messages. Workspaces take turns, so that one with thousands does not delay the others. */
export const findSilent = (db: Ctx["db"], limit: number) =>
  db.query<{ id: string; workspace_id: string; channel_id: string }>(
    {
      name: "silent_streams",
      text: `
        select id, workspace_id, channel_id from (
          select *, row_number() over (partition by workspace_id order by stream_due_at) as turn from (
            select id, workspace_id, channel_id, stream_due_at from chat_message where ${DUE}
            order by stream_due_at limit 10000) due) turns
        order by turn, stream_due_at limit $1`,
    },
    [limit],
  );
