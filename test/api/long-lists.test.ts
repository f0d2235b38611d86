import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGE_BYTES, pageOf } from "../../src/domain/kernel/paging.ts";
import { app } from "../support/app.ts";
import { Client, type Reply } from "../support/client.ts";
import { expectShortTurns, startWatched, type WatchedProcess } from "../support/loop.ts";
import { type World, world } from "../support/world.ts";

/** Lists of the longest texts have more pages, lose no row and block the event loop for less than 50 ms. */

const MAX_PAGE = 12 * 1024 * 1024;

let web: WatchedProcess;
beforeAll(async () => {
  web = await startWatched((await app()).config);
});
afterAll(() => web?.kill());

/** Reads a list in the longest pages, as clients do: until `next_cursor` is null. Returns the ids of all rows. */
async function walk({ owner }: World, path: string): Promise<string[]> {
  const watched = new Client(owner.url(path).replace((await app()).baseUrl, web.url), {}, owner);
  const ids: string[] = [];
  let pages = 0;
  for (let cursor = ""; ; ) {
    let reply!: Reply;
    await expectShortTurns(web, `a page of ${path}`, async () => {
      reply = await watched.get(`?limit=100${cursor}`).expect(200);
    });
    expect(reply.data.length).toBeGreaterThan(0);
    expect(reply.text.length).toBeLessThan(MAX_PAGE);
    ids.push(...reply.data.map(({ id }: { id: string }) => id));
    pages++;
    if (reply.body.pagination.next_cursor === null) {
      expect(pages, `pages of ${path}`).toBeGreaterThan(1);
      return ids;
    }
    cursor = `&cursor=${reply.body.pagination.next_cursor}`;
  }
}

test("comments", { timeout: 120_000 }, async () => {
  const here = await world();
  const { data: issue } = await here.owner.post("P/issues", { title: "Long" }).expect(201);
  const made: string[] = [];
  for (let n = 0; n < 60; n++) {
    const body_md = n % 10 === 0 ? "short" : "&".repeat(64_000);
    made.push((await here.owner.post(`P/issues/${issue.id}/comments`, { body_md }).expect(201)).data.id);
  }
  expect(await walk(here, `P/issues/${issue.id}/comments`)).toEqual(made);
});

test("issues", { timeout: 120_000 }, async () => {
  const here = await world();
  const made: string[] = [];
  for (let n = 0; n < 110; n++) {
    const description_md = n % 10 === 0 ? null : "\\".repeat(65_000);
    made.push((await here.owner.post("P/issues", { title: `Issue ${n}`, description_md }).expect(201)).data.id);
  }
  expect(await walk(here, "P/issues")).toEqual(made);
});

test.each([
  ["milestones", { description_md: "語".repeat(20_000) }],
  ["releases", { description_md: "語".repeat(20_000) }],
])("%s, whose texts count by their bytes", { timeout: 120_000 }, async (list, texts) => {
  const here = await world();
  const made: string[] = [];
  for (let n = 0; n < 80; n++) {
    made.push((await here.owner.post(`P/${list}`, { name: `Number ${n}`, ...texts }).expect(201)).data.id);
  }
  const { data, text } = await here.owner.get(`P/${list}?limit=100`).expect(200);
  expect(data.length).toBeGreaterThan(50);
  expect(Buffer.byteLength(text)).toBeLessThan(PAGE_BYTES + 100_000);
  expect(await walk(here, `P/${list}`)).toEqual(made);
});

test("every text of a row counts, at any depth", () => {
  const paging = { limit: 100, after: null, cursor: (key: unknown[]) => String(key[0]) };
  const row = (id: number) => ({ id, values: { notes: ["x".repeat(PAGE_BYTES / 4)] } });
  const page = pageOf([1, 2, 3, 4, 5, 6].map(row), paging, ({ id }) => [id]);
  expect(page.rows.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(page.next_cursor).toBe("4");
});

test("submissions, including older ones without a limit", { timeout: 120_000 }, async () => {
  const here = await world();
  const { data: form } = await here.owner.post("P/forms", { title: "Long", status: "published" }).expect(201);
  // One is larger than a page may be, and comes alone.
  const made = await here.sql<{ id: string }>(
    `insert into form_submission (id, workspace_id, project_id, form_id, answers, source, one_per_email, confirmed,
                                  notified, created_at)
     select gen_random_uuid(), $1, $2, $3, jsonb_build_object('long', repeat('x', case n when 7 then 5000000 else 1000000 end)), 'public', false, false,
            false, now() from generate_series(1, 15) n
     returning id`,
    [here.workspace.id, here.project.id, form.id],
  );
  const walked = await walk(here, `P/forms/${form.id}/submissions`);
  expect(walked.sort()).toEqual(made.map(({ id }) => id).sort());
});
