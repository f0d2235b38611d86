import { afterAll, beforeAll, expect, test } from "vitest";
import { app, configure } from "../support/app.ts";
import { Client, type Reply, replyOf } from "../support/client.ts";
import { expectShortTurns, startWatched, type WatchedProcess } from "../support/loop.ts";
import { type World, world } from "../support/world.ts";

/** Exports of docs of 524,288 characters. */

/** On a machine that has much else to do. */
const PATIENT = { EXPORT_TIMEOUT_MS: "60000" };
configure({ ...PATIENT, RATE_LIMIT_PER_MINUTE: "100000" });

let web: WatchedProcess;
beforeAll(async () => {
  web = await startWatched((await app()).config, PATIENT);
});
afterAll(() => web?.kill());

const SIZE = 524_288;
const full = (unit: string) =>
  unit
    .repeat(Math.ceil(SIZE / unit.length))
    .slice(0, SIZE)
    .toWellFormed();

const written = async ({ owner }: World, body_md: string): Promise<string> =>
  (await owner.post("W/docs", { title: "Large", body_md }).expect(201)).data.id;

/** The same caller at the watched process. */
const at = ({ owner, workspace }: World, { url }: { url: string }) =>
  new Client(url, { W: `/v1/workspaces/${workspace.slug}` }, owner);

/** The PDF of a doc, of which nothing more is rendered once its caller has gone. */
const exportOf = async ({ owner }: World, id: string, signal: AbortSignal): Promise<Reply> =>
  replyOf(
    await fetch(owner.url(`W/docs/${id}/export?format=pdf`), {
      headers: { authorization: `Bearer ${owner.key}` },
      signal,
    }),
  );

const DOCS: Record<string, string> = {
  "text with markup": full("Some *text* with `code` and [a link](https://example.com) — 中文 and others.\n\n"),
  "a large reply": full("> - > - a\n"),
};

for (const [what, text] of Object.entries(DOCS)) {
  test(`exporting ${what} does not block the event loop`, { timeout: 120_000 }, async () => {
    const here = await world();
    const id = await written(here, text);
    const client = at(here, web);
    for (const [format, accept] of [
      ["md", "application/json"],
      ["html", "application/json"],
      ["html", "text/html"],
      ["pdf", "application/json"],
    ]) {
      await expectShortTurns(web, `${what} as ${format} (${accept})`, async () =>
        client.get(`W/docs/${id}/export?format=${format}`, { headers: { accept: accept! } }).expect(200),
      );
    }
  });
}

test("reads of the same workspace do not wait for exports", { timeout: 60_000 }, async () => {
  const here = await world();
  // The last of ten waits for nine others, also on a busy machine.
  const id = await written(here, DOCS["text with markup"]!.slice(0, 60_000));
  let pending = 0;
  // The reads of one workspace have six places.
  const over = new AbortController();
  const exports = Array.from({ length: 10 }, async () => {
    pending++;
    expect((await exportOf(here, id, over.signal)).status).toBe(200);
    pending--;
  });
  for (let n = 0; n < 4; n++) {
    await here.owner.get("W/docs").expect(200);
    expect(pending, "exports that are not done yet").toBeGreaterThan(6);
  }
  // The rest is not rendered.
  over.abort();
  await Promise.allSettled(exports);
});

test("one workspace's exports delay those of another by one document", { timeout: 60_000 }, async () => {
  const [busy, other] = [await world(), await world()];
  const large = await written(busy, DOCS["text with markup"]!.slice(0, 100_000));
  const small = await written(other, "small");
  const refused: Reply[] = [];
  const served: Reply[] = [];
  const over = new AbortController();
  const many = Array.from({ length: 50 }, async () => {
    const reply = await exportOf(busy, large, over.signal);
    if (!over.signal.aborted) (reply.status === 200 ? served : refused).push(reply);
  });
  // One is rendered and ten may wait. The others are told at once to come back.
  await expect.poll(() => refused.length + served.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(39);
  expect(refused.length).toBeGreaterThan(30);
  for (const { status, headers, body } of refused) {
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([503, true]);
    expect(body.detail).toContain("Too many exports are waiting");
  }
  const before = served.length;
  await other.owner.get(`W/docs/${small}/export?format=pdf`).expect(200);
  expect(served.length - before).toBeLessThan(3);
  expect(served.length).toBeLessThan(10);
  over.abort();
  await Promise.allSettled(many);
});
