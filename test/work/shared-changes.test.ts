import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startWeb } from "../../src/start-web.ts";
import { app } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { hold } from "../support/locks.ts";
import { type World, world } from "../support/world.ts";

/** Changes of issues that arrive at the same time share statements. Nothing of it shows. */

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

async function withIssues(count: number): Promise<World> {
  const here = await world();
  await here.owner.post("P/issues/bulk", { items: times(count, (n) => ({ title: `Issue ${n}` })) }).expect(201);
  return here;
}

type Change = {
  data: Record<string, unknown>;
  previous: Record<string, unknown>;
  changed: string[];
  actor_id: string;
  lines: number;
};

/** The recorded changes of an issue. Each begins where the one before ended, and the last one is what is stored. */
async function changesOf({ sql, owner, project }: World, key: string, check = { lines: true }): Promise<Change[]> {
  const changes = await sql<Change>(
    `select e.data, e.previous, e.changed, e.actor_id,
            (select count(*) from activity a where a.issue_id = i.id and a.created_at = e.created_at
               and a.actor_id = e.actor_id) as lines
     from issue i join event e on e.issue_id = i.id and e.type = 'issue.updated'
     where i.key = $1 and i.project_id = $2 order by e.id`,
    [key, project.id],
  );
  const { data: now } = await owner.get(`P/issues/${key}`).expect(200);
  const states = [...changes.map(({ data }) => data), now];
  for (const [n, { data, previous, changed, lines }] of changes.entries()) {
    expect(data.version).toBe(n + 2);
    expect(Object.keys(previous).toSorted()).toEqual(changed.toSorted());
    if (check.lines) expect(lines).toBe(changed.length);
    for (const field of changed) expect(data[field]).not.toEqual(previous[field]);
    const next = changes[n + 1];
    for (const field of Object.keys(next?.previous ?? {})) expect(next!.previous[field]).toEqual(data[field]);
    expect(String(states[n + 1]!.updated_at) >= String(data.updated_at)).toBe(true);
  }
  expect(now.version).toBe(changes.length + 1);
  const { counts: _, ...last } = states.at(-2) ?? {};
  expect(now).toMatchObject(last);
  return changes;
}

test("200 changes of 20 issues by several people at once, with refused ones among them, are all recorded", async () => {
  const here = await withIssues(20);
  const agent = await here.as({ role: "member", isAgent: true });
  const people = [here.owner, await here.as({ role: "member" }), agent];
  await here.owner.patch(`W/agents/${agent.userId}`, { field_policy: ["title"] }).expect(200);
  const replies = await Promise.all(
    times(200, (n) => {
      const client = people[n % 3]!;
      const path = `P/issues/WEB-${(n % 20) + 1}`;
      if (n % 10 === 1) return client.patch(path, { title: "" });
      if (n % 10 === 2) return client.patch(path, { title: "Never", if_version: 99 });
      if (n % 10 === 3) return client.patch(path, { story_points: n });
      if (n % 10 === 4)
        return client.patch(path, { title: `New ${n}`, priority: n % 20 === 4 && n % 3 < 2 ? "low" : undefined });
      if (n % 10 === 5) return client.post(`${path}/comments`, { body_md: "Meanwhile" });
      return client.patch(path, { title: `New ${n}`, description_md: n % 10 === 6 ? `Text ${n}` : undefined });
    }),
  );
  const isAgent = (n: number) => n % 3 === 2;
  const expected = (n: number) => {
    if (n % 10 === 1) return 400;
    if (n % 10 === 2) return 409;
    if (n % 10 === 5) return 201;
    const onlyTitle = n % 10 > 6 || n % 10 === 0 || n % 10 === 4;
    return isAgent(n) && !onlyTitle ? 403 : 200;
  };
  for (const [n, reply] of replies.entries())
    expect([n, reply.status, reply.text]).toEqual([n, expected(n), reply.text]);
  const done = replies.flatMap(({ status, data }, n) => (status === 200 ? [{ data, n }] : []));
  for (const issue of times(20, (n) => n)) {
    const changes = await changesOf(here, `WEB-${issue + 1}`);
    const own = done.filter(({ n }) => n % 20 === issue);
    expect(changes.length).toBe(own.length);
    for (const { data, n } of own) {
      const change = changes[data.version - 2]!;
      expect(change.actor_id).toBe(people[n % 3]!.userId);
      expect(change.data).toEqual(data);
    }
  }
}, 60_000);

test("changes of different issues share statements; one that is locked delays no other, and comes true later", async () => {
  const here = await withIssues(40);
  const { owner, sql, project } = here;
  // The first call of a key does not share.
  await owner.get("P/issues/WEB-1").expect(200);
  const release = await hold("select 1 from issue where project_id = $1 and number = 1 for update", [project.id]);
  cleanUps.push(release);
  const locked = owner.patch("P/issues/WEB-1", { title: "Later" }).then((reply) => reply);
  const started = performance.now();
  await Promise.all(times(39, (n) => owner.patch(`P/issues/WEB-${n + 2}`, { priority: "high" }).expect(200)));
  expect(performance.now() - started).toBeLessThan(2_000);
  const [written] = await sql(
    "select count(distinct xmin::text) as writes from issue where number > 1 and project_id = $1",
    [project.id],
  );
  expect(written!.writes).toBeLessThan(20);
  await sleep(200);
  await release();
  expect((await locked).data).toMatchObject({ title: "Later", version: 2 });
  for (const n of times(40, (m) => m + 1)) expect(await changesOf(here, `WEB-${n}`)).toHaveLength(1);
}, 30_000);

test("what another transaction changes after the read is neither lost nor left out of the event", async () => {
  const here = await withIssues(1);
  const { owner } = here;
  await owner.get("P/issues/WEB-1").expect(200);
  await Promise.all(
    times(60, (n) =>
      n % 3 === 0
        ? owner.post("P/issues/WEB-1/comments", { body_md: `Comment ${n}` }).expect(201)
        : n % 3 === 1
          ? owner.patch("P/issues/WEB-1", { story_points: n }).expect(200)
          : owner.patch("P/issues/WEB-1", { description_md: `Text ${n}` }).expect(200),
    ),
  );
  const changes = await changesOf(here, "WEB-1");
  expect(changes).toHaveLength(40);
  const counts = changes.map(({ data }) => (data.counts as { comments: number }).comments);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
}, 30_000);

/** That the board is as its issues say: counts of columns, ranks that differ, and one line and event a move. */
async function checkBoard({ sql, project }: World, moves: number): Promise<void> {
  const [board] = await sql(
    `select (select count(*) from issue where project_id = $1) as issues,
            (select count(distinct rank) from issue where project_id = $1) as ranks,
            (select count(*) from board_status s where s.project_id = $1 and s.issue_count <>
              (select count(*) from issue i where i.status_id = s.id and i.status = s.category)) as wrong,
            (select count(*) from event where project_id = $1 and type = 'issue.status_changed') as events,
            (select count(*) from activity where project_id = $1 and kind = 'status_changed') as lines`,
    [project.id],
  );
  expect(board).toEqual({ issues: board!.issues, ranks: board!.issues, wrong: 0, events: moves, lines: moves });
}

test("200 moves to several columns at once, with creates and refused ones among them, leave the board in order", async () => {
  const here = await withIssues(40);
  const { owner, columns } = here;
  const member = await here.as({ role: "member" });
  const rules = { [columns["In Review"]!]: [columns.Done!] };
  await owner.patch("P", { transition_rules: rules }).expect(200);
  const statuses = ["in_progress", "in_review", "done", "todo"];
  const replies = await Promise.all(
    times(240, (n) => {
      const client = n % 3 ? owner : member;
      const path = `P/issues/WEB-${(n % 40) + 1}`;
      if (n % 12 === 5) return client.post("P/issues", { title: `New ${n}` });
      if (n % 12 === 7) return client.post(`${path}/transition`, { status_id: here.project.id });
      if (n % 12 === 9) return client.patch(path, { title: `Title ${n}` });
      return client.post(`${path}/transition`, { status: statuses[(n + Math.floor(n / 40)) % 4] });
    }),
  );
  for (const [n, { status, text }] of replies.entries()) {
    if (n % 12 === 5) expect(status, text).toBe(201);
    else if (n % 12 === 7) expect(status, text).toBe(400);
    else expect(n % 12 === 9 ? [200] : [200, 409], text).toContain(status);
  }
  let moves = 0;
  for (const n of times(40, (m) => m + 1)) {
    const changes = await changesOf(here, `WEB-${n}`, { lines: false });
    moves += changes.filter(({ changed }) => changed.includes("status")).length;
    for (const { data, previous, changed } of changes) {
      if (changed.includes("status") && previous.status === "in_review") expect(data.status).toBe("done");
      expect(data.resolved_at !== null).toBe(data.status === "done");
    }
  }
  expect(moves).toBeGreaterThan(40);
  await checkBoard(here, moves);
}, 60_000);

test("moves that arrive together go to the bottom of their column, share transactions, and wait for the board", async () => {
  const here = await withIssues(20);
  const { owner, sql, project } = here;
  await owner.get("P/issues/WEB-1").expect(200);
  const release = await hold("select 1 from issue_counter where project_id = $1 for update", [project.id]);
  cleanUps.push(release);
  const calls = times(20, (n) =>
    owner.post(`P/issues/WEB-${n + 1}/transition`, { status: n % 2 ? "done" : "in_progress" }),
  );
  const replies = calls.map((call) => call.then((reply) => reply));
  await sleep(400);
  await release();
  const done = await Promise.all(replies);
  for (const { status, text } of done) expect(status, text).toBe(200);
  const [written] = await sql("select count(distinct xmin::text) as writes from issue where project_id = $1", [
    project.id,
  ]);
  expect(written!.writes).toBeLessThan(10);
  for (const { data } of done) expect((await owner.get(`P/issues/${data.key}`)).data).toEqual(data);
  await checkBoard(here, 20);
});

test("an archived issue and an archived project refuse a change", async () => {
  const here = await withIssues(2);
  const { owner } = here;
  await owner.delete("P/issues/WEB-1").expect(200);
  await owner.patch("P/issues/WEB-1", { title: "No" }).expect(409);
  await owner.delete("P").expect(200);
  await owner.patch("P/issues/WEB-2", { title: "No" }).expect(409);
  expect(await changesOf(here, "WEB-2")).toHaveLength(0);
});

test("two web processes change issues together", async () => {
  const here = await withIssues(10);
  const { config } = await app();
  const web = await startWeb(config);
  cleanUps.push(() => web.stop());
  const W = `/v1/workspaces/${here.workspace.slug}`;
  const other = new Client(`http://127.0.0.1:${web.port}`, { W, P: `${W}/projects/WEB` }, here.owner);
  await Promise.all(
    times(100, (n) =>
      (n % 2 ? here.owner : other).patch(`P/issues/WEB-${(n % 10) + 1}`, { title: `Change ${n}` }).expect(200),
    ),
  );
  for (const n of times(10, (m) => m + 1)) expect(await changesOf(here, `WEB-${n}`)).toHaveLength(10);
}, 60_000);
