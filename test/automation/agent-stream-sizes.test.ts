import { afterAll, beforeAll, test } from "vitest";
import { agentIn, listenToAgent, storeFrames } from "../support/agent-stream.ts";
import { app } from "../support/app.ts";
import { expectShortTurns, startWatched, type WatchedProcess } from "../support/loop.ts";
import { world } from "../support/world.ts";

/** Large events in the streams of agents: no turn of a web process takes long. */

let web: WatchedProcess;
beforeAll(async () => {
  web = await startWatched((await app()).config);
}, 60_000);
afterAll(() => web?.kill());

/** The largest data that an event has. */
const text = 'é"'.repeat(60_000);

test("replaying large events", { timeout: 120_000 }, async () => {
  const here = await world();
  const bot = await agentIn(here);
  await storeFrames(
    here,
    bot.id,
    Array.from({ length: 120 }, (_, n) => n + 1),
    { text },
  );
  await expectShortTurns(web, "replaying large events", async () => {
    const stream = await listenToAgent(here, bot.client, { base: web.url, query: "?since=2026-01-01" });
    await stream.until(({ data }) => data.sequence === 120, 30_000);
    stream.stop();
  });
});

test("missed large events", { timeout: 120_000 }, async () => {
  const here = await world();
  const bot = await agentIn(here);
  let last = 0;
  const stream = await listenToAgent(here, bot.client, { base: web.url });
  await expectShortTurns(web, "reading missed large events", async () => {
    const ns = Array.from({ length: 60 }, (_, n) => last + n + 1);
    last += 60;
    await storeFrames(here, bot.id, ns, { text });
    await stream.until(({ data }) => data.sequence === last, 30_000);
  });
  stream.stop();
});
