import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { claimFor } from "../../src/api/engine/idempotency.ts";
import { partAt } from "../../src/domain/kernel/replies/parts.ts";
import { Client } from "../support/client.ts";
import { hold, waitersFor } from "../support/locks.ts";
import { type Process, startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** Calls that are repeated under their Idempotency-Key. The header itself is tested in http.test.ts. */

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function holding(text: string, values: unknown[] = []): Promise<() => Promise<void>> {
  const release = await hold(text, values);
  cleanUps.push(release);
  return release;
}

const under = (key: string) => ({ headers: { "idempotency-key": key } });
const issues = ({ owner }: World): Promise<number> => owner.get("P/issues").then(({ data }) => data.length);

async function keyIdOf({ sql, owner }: World): Promise<string> {
  const [row] = await sql<{ id: string }>("select id from api_key where hash = sha256($1::bytea)", [owner.key]);
  return row!.id;
}

/** What names a call of `POST P/issues`. */
async function creating(here: World, key: string) {
  const { workspace, project } = here;
  const path = `issues.create ${workspace.id} ${project.id}`;
  return claimFor({ keyId: await keyIdOf(here), method: "POST", path, key, workspaceId: workspace.id }, undefined);
}

describe("bodies are compared by their content", () => {
  test.each([
    ["white space", '{ "title" : "Same",\n\t"story_points":5, "labels":[] }\n'],
    ["the order of members", '{"labels":[],"story_points":5,"title":"Same"}'],
    ["the spelling of text and numbers", '{"title":"\\u0053ame","story_points":5.0e0,"labels":[]}'],
    ["a member that is said twice", '{"title":"Other","story_points":5,"labels":[],"title":"Same"}'],
  ])("%s does not make another body", async (_, raw) => {
    const here = await world();
    const body = { title: "Same", story_points: 5, labels: [] };
    const first = await here.owner.post("P/issues", body, under("same")).expect(201);
    const again = await here.owner.post("P/issues", undefined, { ...under("same"), raw }).expect(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await issues(here)).toBe(1);
  });

  test.each([
    ["another value", '{"title":"Same","story_points":6}'],
    ["another member", '{"title":"Same","story_points":5,"priority":"high"}'],
    ["another order of a list", '{"title":"Same","story_points":5,"custom_fields":{"a":[2,1]}}'],
    ["another case", '{"title":"same","story_points":5}'],
    ["null instead of nothing", '{"title":"Same","story_points":5,"parent":null}'],
  ])("%s is another body", async (_, raw) => {
    const here = await world();
    await here.owner.post("P/issues", { title: "Same", story_points: 5 }, under("other")).expect(201);
    await here.owner.post("P/issues", undefined, { ...under("other"), raw }).expect(409, "idempotency_key_reused");
    expect(await issues(here)).toBe(1);
  });

  test("a missing body and an empty object are the same", async () => {
    const here = await world();
    await here.owner.post("P/issues", { title: "x" }).expect(201);
    const first = await here.owner.patch("P/issues/WEB-1", undefined, under("empty")).expect(200);
    const again = await here.owner.patch("P/issues/WEB-1", {}, under("empty")).expect(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  test("numbers that are too large, broken text and no JSON at all are refused as without a key", async () => {
    const { owner } = await world();
    for (const raw of ['{"title":"x","story_points":1e999}', '{"title":"\\ud800"}', '{"title":', '["x"]', "7"]) {
      const without = await owner.post("P/issues", undefined, { raw });
      const reply = await owner.post("P/issues", undefined, { ...under("bad"), raw }).expect(400);
      expect(reply.body.code).toBe(without.body.code);
    }
  });

  test("a long call is compared by its meaning, too, and its reply is replayed", async () => {
    const { owner } = await world();
    const items = Array.from({ length: 50 }, (_, n) => ({
      title: `Issue ${n}`,
      description_md: `${n} words `.repeat(1_000),
    }));
    const raw = JSON.stringify({ items });
    const first = await owner.post("P/issues/bulk", undefined, { ...under("large"), raw }).expect(201);
    const spaced = JSON.stringify({ items }, null, 1);
    const again = await owner.post("P/issues/bulk", undefined, { ...under("large"), raw: spaced }).expect(201);
    expect(again.text).toBe(first.text);
  });
});

describe("what is stored", () => {
  async function emptied(): Promise<World> {
    const here = await world();
    await here.sql("truncate idempotent_reply");
    return here;
  }

  type Kept = { bytes: number; beside: boolean };
  const kept = ({ sql }: World): Promise<Kept[]> =>
    sql(
      `select pg_column_size(r.*) as bytes, event_id is not null as beside from idempotent_reply r order by created_at`,
    );

  test("a reply that an event contains is stored as a reference to it, and replayed exactly after changes", async () => {
    const here = await emptied();
    const { owner } = here;
    const long = "Something that was said at length. ".repeat(400);
    const calls = [
      () => owner.post("P/issues", { title: "Kept", description_md: long, assignee: "me" }, under("1")),
      () => owner.patch("P/issues/WEB-1", { priority: "high" }, under("2")),
      () => owner.post("P/issues/WEB-1/transition", { status: "in_progress" }, under("3")),
      () => owner.post("P/issues/WEB-1/comments", { body_md: long.slice(0, 3_000) }, under("4")),
      () => owner.post("P/labels", { name: "urgent", color: "#ff0000" }, under("5")),
      () => owner.patch("P/issues/WEB-1", { labels: ["urgent"], custom_fields: {}, title: "Ünïcödé ☃" }, under("6")),
    ];
    const firsts = [];
    for (const call of calls) firsts.push(await call());
    expect(firsts.map(({ status }) => status)).toEqual([201, 200, 200, 201, 201, 200]);
    const rows = await kept(here);
    expect(rows.map(({ beside }) => beside)).toEqual(rows.map(() => true));
    // 14,000 characters are not kept again.
    for (const { bytes } of rows) expect(bytes).toBeLessThan(400);

    for (const [at, call] of calls.entries()) {
      const again = await call();
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect([again.status, again.text]).toEqual([firsts[at]!.status, firsts[at]!.text]);
    }
  });

  test("a reply that can be read nowhere else is kept whole and sealed", async () => {
    const here = await emptied();
    const body = { url: "https://example.com/hook", event_types: ["*"] };
    const first = await here.owner.post("W/webhooks", body, under("hook")).expect(201);
    expect(await kept(here)).toMatchObject([{ beside: false }]);
    expect((await here.owner.post("W/webhooks", body, under("hook")).expect(201)).text).toBe(first.text);
    const [{ content }] = (await here.sql("select content from idempotent_reply")) as [{ content: Buffer }];
    const { sealer } = here.app.resources.ports;
    expect(sealer.openBytes(content).length).toBeLessThan(first.text.length);
    expect(content.toString("latin1")).not.toContain(sealer.openBytes(content).toString("latin1"));
  });

  test("a key is valid for 24 hours, in either table", async () => {
    const here = await emptied();
    const first = await here.owner.post("P/issues", { title: "Once" }, under("day")).expect(201);
    const age = async (hours: number) => {
      const at = new Date(Date.now() - hours * 3_600_000).toISOString();
      await here.sql("update idempotent_reply set created_at = $1, part = $2", [at, partAt(at)]);
    };
    for (const hours of [0.5, 1, 12, 23, 23.98]) {
      await age(hours);
      expect((await here.owner.post("P/issues", { title: "Once" }, under("day")).expect(201)).text).toBe(first.text);
    }
    await age(24.02);
    const next = await here.owner.post("P/issues", { title: "Once" }, under("day")).expect(201);
    expect(next.data.key).toBe("WEB-2");
  });

  test("a table that was not emptied in time still accepts new replies", async () => {
    const here = await emptied();
    await here.owner.post("P/issues", { title: "Old" }, under("around")).expect(201);
    await here.sql("update idempotent_reply set created_at = created_at - interval '36 hours'");
    const second = await here.owner.post("P/issues", { title: "New" }, under("around")).expect(201);
    const third = await here.owner.post("P/issues", { title: "New" }, under("around")).expect(201);
    expect(third.text).toBe(second.text);
    expect(await kept(here)).toHaveLength(1);
  });

  test("a refused call stores nothing", async () => {
    const here = await emptied();
    await here.owner.post("P/issues", { title: "x", assignee: randomUUID() }, under("refused")).expect(400);
    expect(await kept(here)).toEqual([]);
    await here.owner.post("P/issues", { title: "x" }, under("refused")).expect(201);
  });
});

describe("concurrent calls with one key", () => {
  async function other(here: World): Promise<Client> {
    const process: Process = await startProcess("web", here.app.config);
    cleanUps.push(() => process.kill());
    return clientAt(here, process.url);
  }

  test("happen once, whichever process they come to", { timeout: 90_000 }, async () => {
    const here = await world();
    const clients = [here.owner, await other(here)];
    for (let round = 0; round < 5; round++) {
      const call = (n: number) =>
        clients[n % 2]!.post("P/issues", { title: `Round ${round}` }, under(`round-${round}`));
      const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => call(n)));
      expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(201));
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(replies.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
    }
    expect(await issues(here)).toBe(5);
  });

  test("wait without delaying other writes of the project", async () => {
    const here = await world();
    const { owner, sql } = here;
    await owner.post("P/issues", { title: "Held" }).expect(201);
    const release = await holding("select 1 from issue where workspace_id = $1 for update", [here.workspace.id]);
    const patch = () => owner.patch("P/issues/WEB-1", { title: "Patched" }, under("patch"));
    const first = patch();
    await waitersFor(here, 1);
    const twins = Array.from({ length: 20 }, patch);
    const began = performance.now();
    await Promise.all(
      ["Labels", "are", "free"].map((name) => owner.post("P/labels", { name, color: "#000000" }).expect(201)),
    );
    expect(performance.now() - began).toBeLessThan(2_000);
    // Only the first one has a connection.
    const [busy] = await sql<{ count: number }>(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(busy?.count).toBe(1);
    await release();
    const replies = await Promise.all([first, ...twins]);
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await owner.get("P/issues/WEB-1")).data).toMatchObject({ title: "Patched", version: 2 });
  });

  test("are refused after five seconds, and then answered once the first has ended", async () => {
    const here = await world();
    const { lock } = await creating(here, "long");
    const release = await holding("select pg_advisory_xact_lock($1)", [lock]);
    const began = performance.now();
    const refused = await here.owner.post("P/issues", { title: "x" }, under("long")).expect(429);
    expect(refused.body.code).toBe("idempotency_in_progress");
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(performance.now() - began).toBeGreaterThan(3_500);
    expect(performance.now() - began).toBeLessThan(8_000);
    await release();
    await here.owner.post("P/issues", { title: "x" }, under("long")).expect(201);
  });
});

describe("while the previous version still runs", () => {
  const insert = `insert into idempotency (key_id, method, path, key, body_hash, status, reply, created_at)
    values ($1, 'POST', $2, $3, sha256($4::bytea), 201, $5, now())`;

  test("a call that it has answered is not repeated", async () => {
    const here = await world();
    const { before } = await creating(here, "before");
    const raw = '{"title": "Before"}';
    const sealed = here.app.resources.ports.sealer.seal('{"data":{"id":"as it was"}}');
    await here.sql(insert, [before.keyId, before.path, before.key, raw, sealed]);
    const again = await here.owner.post("P/issues", undefined, { ...under("before"), raw }).expect(201);
    expect(again.text).toBe('{"data":{"id":"as it was"}}');
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    await here.owner.post("P/issues", { title: "Else" }, under("before")).expect(409, "idempotency_key_reused");
    expect(await issues(here)).toBe(0);
  });

  test("it does not repeat a call that the new one has answered or is running", async () => {
    const here = await world();
    await here.owner.post("P/issues", { title: "Done" }, under("done")).expect(201);
    const claims = [await creating(here, "done"), await creating(here, "at it"), await creating(here, "free")];
    const [done, current, free] = claims.map(({ before }) => [before.keyId, before.path, before.key, "", ""]);
    await holding("select pg_advisory_xact_lock($1)", [claims[1]!.lock]);
    // As for a lock that another call holds: the version before answers 429 then.
    await expect(here.sql(insert, done)).rejects.toMatchObject({ code: "55P03" });
    await expect(here.sql(insert, current)).rejects.toMatchObject({ code: "55P03" });
    await here.sql(insert, free);
  });
});

function clientAt({ owner, workspace, project }: World, url: string): Client {
  const W = `/v1/workspaces/${workspace.slug}`;
  const { key, userId, email } = owner;
  return new Client(url, { W, P: `${W}/projects/${project.key}` }, { key, userId, email });
}
