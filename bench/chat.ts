import pg from "pg";
import { newId } from "../src/domain/kernel/ids.ts";
import { compareWithFloor, type FloorCase } from "./against-floor.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * Channels with ten and with a thousand members, and fifty channels with a thousand unread messages each. Median time of
 * a message, of a part of a streamed message, and of the lists. The reference is a bare program that does the least
 * possible: it stores the message, the number of the channel's last message and one event, or reads the rows.
 */

const TIMES = 400;
const MESSAGES = 10_000;
const CHANNELS = 50;
const UNREAD = 1_000;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 0 });
  const bare = new pg.Client({ connectionString: bench.env.DATABASE_URL! });
  try {
    await addPeople(bench);
    const [ten, thousand, bareOne] = [
      await channel(bench, { members: 9 }),
      await channel(bench, { members: 999 }),
      await channel(bench, { members: 9 }),
    ];
    for (let n = 0; n < CHANNELS; n++) await channel(bench, { members: 9, unread: UNREAD });
    await bench.sql("vacuum analyze");
    await bare.connect();
    const web = await bench.start("src/web.ts");
    const base = `http://127.0.0.1:${web.port}/v1/workspaces/bench/chat/channels`;
    const call = async (path: string, body?: object) => {
      const reply = await fetch(base + path, {
        method: body ? "POST" : "GET",
        headers: { authorization: `Bearer ${bench.key}`, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text.slice(0, 300)}`);
      return JSON.parse(text).data;
    };
    const say = (id: string) => call(`/${id}/messages`, { body_md: "The release is **ready**." });
    const append = await streamTo(call, ten);
    const cases: FloorCase[] = [
      ["message, 10 members", () => say(ten), () => bareMessage(bare, bench, bareOne)],
      ["message, 1,000 members", () => say(thousand), () => bareMessage(bare, bench, bareOne)],
      ["part of a message", append, () => barePart(bare, bareOne)],
      ["50 messages", () => call(`/${bareOne}/messages?limit=50`), () => bareMessages(bare, bareOne)],
      [`${CHANNELS} channels`, () => call(`?limit=${CHANNELS}`), () => bareChannels(bare, bench)],
    ];
    console.log(`chat: median (99th percentile) of ${TIMES} calls, one at a time`);
    const medians = await compareWithFloor(cases, TIMES);
    console.log(`A message to 1,000 members takes ${(medians[1]! / medians[0]!).toFixed(2)} of the time of one to 10.`);
  } finally {
    await bare.end();
    await bench.stop();
  }
}

/** Returns a call that adds the next part to a streamed message. */
async function streamTo(call: (path: string, body: object) => Promise<{ message_id: string }>, id: string) {
  const path = `/${id}/messages/stream`;
  const { message_id } = await call(path, { delta: "0 " });
  let seq = 0;
  return () => call(path, { message_id, seq: ++seq, delta: `${seq} ` });
}

async function addPeople({ sql, ids }: Bench): Promise<void> {
  await sql(
    `insert into app_user (id, kind, email, name, created_at, updated_at)
     select gen_random_uuid(), 'person', 'u' || n || '@bench.test', 'U' || n, now(), now() from generate_series(1, 999) n`,
  );
  await sql(
    `insert into member (workspace_id, user_id, role, joined_at)
     select $1, id, 'member', now() from app_user where email like 'u%'`,
    [ids.workspaceId],
  );
}

/** A private channel of the caller and of others, who have written to it. */
async function channel({ sql, ids }: Bench, { members, unread = 0 }: { members: number; unread?: number }) {
  const id = newId();
  const { workspaceId, userId } = ids;
  await sql(
    `insert into chat_channel (id, workspace_id, kind, name, slug, last_number, member_count, created_by, created_at, updated_at)
     values ($1, $2, 'private', 'Channel', $3, $4, $5, $6, now(), now())`,
    [id, workspaceId, `channel-${id}`, MESSAGES, members + 1, userId],
  );
  await sql(
    `insert into chat_member (channel_id, user_id, workspace_id, role, joined_at, read_number)
     select $1::uuid, $3::uuid, $2::uuid, 'owner', now(), $5::bigint
     union all (select $1::uuid, id, $2::uuid, 'member', now(), 0 from app_user where email like 'u%' order by id limit $4)`,
    [id, workspaceId, userId, members, MESSAGES - unread],
  );
  await sql(
    `insert into chat_message (id, workspace_id, channel_id, number, author_id, body_md, created_at, updated_at)
     select gen_random_uuid(), $2::uuid, $1::uuid, n, (select id from app_user where email = 'u1@bench.test'),
            'Message ' || n, now(), now() from generate_series(1, $3::int) n`,
    [id, workspaceId, unread > 0 ? UNREAD + 50 : MESSAGES],
  );
  if (unread > 0) {
    await sql(`update chat_channel set last_number = $2 where id = $1`, [id, UNREAD + 50]);
    await sql(`update chat_member set read_number = 50 where channel_id = $1 and user_id = $2`, [id, userId]);
  }
  return id;
}

async function bareMessage(client: pg.Client, { ids }: Bench, channelId: string): Promise<void> {
  const { workspaceId, userId } = ids;
  const id = newId();
  await client.query("begin");
  const { rows } = await client.query({
    name: "number",
    text: "update chat_channel set last_number = last_number + 1, last_message_at = now() where id = $1 returning last_number",
    values: [channelId],
  });
  await client.query({
    name: "message",
    text: `insert into chat_message (id, workspace_id, channel_id, number, author_id, body_md, created_at, updated_at)
           values ($1, $2, $3, $4, $5, 'The release is **ready**.', now(), now())`,
    values: [id, workspaceId, channelId, rows[0].last_number, userId],
  });
  await client.query({
    name: "event",
    text: `insert into event (id, workspace_id, type, actor_kind, cause, data, created_at)
           values ($3, $1, 'chat.message.created', 'user', '{}', $2, now())`,
    values: [workspaceId, JSON.stringify({ id, body_md: "The release is **ready**." }), newId()],
  });
  await client.query("commit");
}

let bareSeq = 1_000_000;
async function barePart(client: pg.Client, channelId: string): Promise<void> {
  await client.query({
    name: "part",
    text: `
      with m as (select id from chat_message where channel_id = $1 order by number desc limit 1)
      insert into chat_part (message_id, seq, delta) select id, $2, 'part ' from m`,
    values: [channelId, ++bareSeq],
  });
}

async function bareMessages(client: pg.Client, channelId: string): Promise<string> {
  const { rows } = await client.query({
    name: "messages",
    text: `select m.*, u.kind from chat_message m join app_user u on u.id = m.author_id
           where channel_id = $1 order by number desc limit 50`,
    values: [channelId],
  });
  return JSON.stringify({ data: rows });
}

async function bareChannels(client: pg.Client, { ids }: Bench): Promise<string> {
  const { rows } = await client.query({
    name: "channels",
    text: `select c.*, m.role, c.last_number - m.read_number as unread_count
           from chat_member m join chat_channel c on c.id = m.channel_id
           where m.user_id = $1 order by c.created_at desc limit ${CHANNELS}`,
    values: [ids.userId],
  });
  return JSON.stringify({ data: rows });
}
