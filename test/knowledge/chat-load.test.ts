import { expect, test } from "vitest";
import type { InWorkspace } from "../../src/domain/kernel/context.ts";
import { findChannels } from "../../src/domain/knowledge/chat/channels.sql.ts";
import { listen } from "../support/listen.ts";
import { expectShortTurns, startWatched } from "../support/loop.ts";
import { world } from "../support/world.ts";

/** Large channels, and many listeners in one process. */

const channels = "W/chat/channels";

test("a channel is read without reading all of its messages", { timeout: 60_000 }, async () => {
  const { owner, sql, workspace } = await world();
  const { id } = (await owner.post(channels, { name: "General" }).expect(201)).data;
  await sql(
    `insert into chat_message (id, workspace_id, channel_id, number, author_id, body_md, created_at, updated_at)
     select uuidv7(), $1, $2, n, $3, 'm', now(), now() from generate_series(1, 50000) n`,
    [workspace.id, id, owner.userId],
  );
  await sql("update chat_channel set last_number = 50000 where id = $1", [id]);
  await sql("update chat_member set read_number = 50000 where channel_id = $1", [id]);
  await sql("analyze chat_message");
  const plans: string[] = [];
  const db = {
    query: async ({ text }: { text: string }, values: unknown[]) => {
      plans.push(JSON.stringify(await sql(`explain (format json) ${text}`, values)));
      return [];
    },
  };
  await findChannels({ db, workspace, principal: { user_id: owner.userId } } as unknown as InWorkspace, [id]);
  expect(plans).toHaveLength(1);
  expect(plans[0]).toContain("chat_message_list");
});

test("500 listeners of a channel get a message of 64,000 characters without holding the event loop", {
  timeout: 120_000,
}, async () => {
  const here = await world();
  const { id } = (await here.owner.post(channels, { name: "General" }).expect(201)).data;
  const web = await startWatched(here.app.config);
  try {
    const listening: Awaited<ReturnType<typeof listen>>[] = [];
    for (let keys = 0; keys < 25; keys++) {
      const key = await here.keyFor(here.owner);
      const streams = Array.from({ length: 20 }, () => listen(here, key, id, web.url));
      listening.push(...(await Promise.all(streams)));
    }
    await expectShortTurns(web, "A message to 500 listeners", async () => {
      const { data } = await here.owner.post(`${channels}/${id}/messages`, { body_md: "x".repeat(64_000) }).expect(201);
      await Promise.all(listening.map(({ until }) => until((frame) => frame.data.id === data.id)));
    });
    for (const { stop } of listening) stop();
    await Promise.all(listening.map(({ ended }) => ended));
  } finally {
    await web.kill();
  }
});
