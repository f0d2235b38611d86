import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { seeded } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

/** Ready work: the issues of a project on which the caller can start now. */

const file = async ({ owner }: World, more: Record<string, unknown> = {}) =>
  (await owner.post("P/issues", { title: "x", ...more }).expect(201)).data as { id: string; key: string };
const readyFor = async (client: Client, more = ""): Promise<string[]> =>
  (await client.get(`P/issues?ready=true&limit=100${more}`).expect(200)).data.map(({ key }: { key: string }) => key);
const block = ({ owner }: World, blocker: { key: string }, target: { key: string }) =>
  owner.post(`P/issues/${blocker.key}/links`, { kind: "blocks", target_key: target.key }).expect(201);

test("ready issues are open, unblocked and held by nobody, in the order of the board", async () => {
  const here = await world();
  const me = await here.as({ role: "member" });
  const [first, blocked, mine, others, review, done] = [
    await file(here),
    await file(here),
    await file(here, { assignee: me.userId }),
    await file(here, { assignee: here.owner.userId }),
    await file(here, { status: "in_review" }),
    await file(here, { status: "done" }),
  ];
  await block(here, first, blocked);
  expect(await readyFor(me)).toEqual([first.key, mine.key]);
  expect(await readyFor(here.owner)).toEqual([first.key, others.key]);

  await here.owner.patch(`P/issues/${mine.key}`, { before: first.key }).expect(200);
  expect(await readyFor(me)).toEqual([mine.key, first.key]);
  expect(await readyFor(me, "&assignee=none")).toEqual([first.key]);
  await me.post("W/agent-sessions", { title: "x", issue_key: mine.key }).expect(201);
  expect(await readyFor(me)).toEqual([first.key]);
  await here.owner.patch(`P/issues/${first.key}`, { status: "done" }).expect(200);
  await here.owner.patch(`P/issues/${done.key}`, { status: "todo" }).expect(200);
  await here.owner.delete(`P/issues/${review.key}`).expect(200);
  expect(await readyFor(me)).toEqual([blocked.key, done.key]);
  await me.get("P/issues?ready=false").expect(200);
  await me.get("P/issues?ready=maybe").expect(400);
  expect(await readyFor(me, "&archived=true")).toEqual([]);
});

test("issues in progress are ready for those who alone are assigned, or if nobody is", async () => {
  const here = await world();
  const me = await here.as({ role: "member" });
  const both = [me.userId, here.owner.userId];
  const begun = { status: "in_progress" };
  const [free, mine] = [await file(here, begun), await file(here, { ...begun, assignee: me.userId })];
  await file(here, { ...begun, assignee_ids: both });
  const planned = await file(here, { assignee_ids: both });
  expect((await readyFor(me)).sort()).toEqual([free, mine, planned].map(({ key }) => key).sort());
});

test("the board's rules decide from where work can start", async () => {
  const here = await world();
  const { owner, columns } = here;
  const [todo, backlog] = [await file(here, { status: "todo" }), await file(here, { status: "backlog" })];
  const rules = { [columns["To Do"]!]: [columns["In Progress"]], [columns.Backlog!]: [columns["To Do"]] };
  await owner.patch("P", { transition_rules: rules }).expect(200);
  expect(await readyFor(owner)).toEqual([todo.key]);

  await owner.patch("P", { transition_rules: null, wip_mode: "enforce" }).expect(200);
  await owner.patch(`P/statuses/${columns["In Progress"]}`, { wip_limit: 1 }).expect(200);
  expect((await readyFor(owner)).sort()).toEqual([todo.key, backlog.key].sort());
  const running = await file(here, { status: "in_progress" });
  expect(await readyFor(owner)).toEqual([running.key]);
  await owner.patch("P", { wip_mode: "warn" }).expect(200);
  expect(await readyFor(owner)).toHaveLength(3);
});

test("ready issues come in pages, and other filters apply", async () => {
  const here = await world();
  const made = [];
  for (let n = 0; n < 5; n++) made.push(await file(here, { priority: n % 2 ? "high" : "low" }));
  const first = await here.owner.get("P/issues?ready=true&limit=2").expect(200);
  const rest = await here.owner
    .get(`P/issues?ready=true&limit=10&cursor=${first.body.pagination.next_cursor}`)
    .expect(200);
  expect([...first.data, ...rest.data].map(({ key }) => key)).toEqual(made.map(({ key }) => key));
  expect(await readyFor(here.owner, "&priority=high")).toEqual([made[1]!.key, made[3]!.key]);
});

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

test(`a random graph of blockers has the ready issues of a simple computation (FUZZ_SEED=${SEED})`, async () => {
  const here = await world();
  const { below, pick: one } = seeded(SEED);
  const me = await here.as({ role: "member" });
  const statuses = ["backlog", "todo", "in_progress", "in_review", "done", "cancelled"] as const;
  const people = [[], [], [me.userId], [here.owner.userId], [me.userId, here.owner.userId]];
  const issues: { key: string; status: string; assignee_ids: string[]; held: boolean; archived: boolean }[] = [];
  const edges: [number, number][] = [];
  for (let n = 0; n < 30; n++) {
    const [status, assignee_ids] = [one(statuses), one(people)];
    const { key } = await file(here, { status, assignee_ids });
    issues.push({ key, status, assignee_ids, held: false, archived: false });
  }
  for (let n = 0; n < 30; n++) {
    const [from, to] = [below(30), below(30)];
    if (from >= to || edges.some(([a, b]) => a === from && b === to)) continue;
    edges.push([from, to]);
    await block(here, issues[from]!, issues[to]!);
  }
  const isOpen = ({ status, archived }: (typeof issues)[number]) =>
    !archived && !["done", "cancelled"].includes(status);
  const expected = () =>
    issues.filter((issue, n) => {
      const { status, assignee_ids, held } = issue;
      if (!isOpen(issue) || status === "in_review" || held) return false;
      if (edges.some(([from, to]) => to === n && isOpen(issues[from]!))) return false;
      if (assignee_ids.length === 0 || (assignee_ids.length === 1 && assignee_ids[0] === me.userId)) return true;
      return status !== "in_progress" && assignee_ids.includes(me.userId);
    });
  for (let step = 0; step < 40; step++) {
    const issue = one(issues.filter(({ archived }) => !archived));
    const action = below(100);
    if (action < 60) {
      const to = { status: one(statuses), assignee_ids: one(people) };
      await here.owner.patch(`P/issues/${issue.key}`, to).expect(200);
      Object.assign(issue, to);
    } else if (action < 80 && !issue.held) {
      await here.owner.post("W/agent-sessions", { title: "x", issue_key: issue.key }).expect(201);
      issue.held = true;
    } else if (action < 85) {
      await here.owner.delete(`P/issues/${issue.key}`).expect(200);
      issue.archived = true;
    }
    expect((await readyFor(me)).sort()).toEqual(
      expected()
        .map(({ key }) => key)
        .sort(),
    );
  }
});
