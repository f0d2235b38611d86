import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { inviteLink, tokenOf } from "../support/invites.ts";
import { drain, flushQueues } from "../support/jobs.ts";
import { hold } from "../support/locks.ts";
import { startMailbox } from "../support/mailbox.ts";
import { startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** People who leave a workspace and are assigned to more issues than a call changes. */

await startMailbox();

const MANY = 260;

/** Adds open issues of a member to a project, with numbers above 1000. */
async function assign({ sql, workspace, owner }: World, to: Client, count = MANY, key = "WEB"): Promise<void> {
  await sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                        assignee_ids, reporter_id, created_by, created_at, updated_at)
     select uuidv7(), $1, p.id, 1000 + n, p.key || '-' || (1000 + n), 'task', 'Issue ' || n, s.category, s.id, 'medium',
            rank_of(1000 + n), array[$2, $3]::uuid[], $2, $2, now() - interval '1 day', now() - interval '1 day'
     from project p join board_status s on s.project_id = p.id and s.name = 'To Do', generate_series(1, $4::int) n
     where p.workspace_id = $1 and p.key = $5`,
    [workspace.id, owner.userId, to.userId, count, key],
  );
}

const remove = ({ owner }: World, { userId }: Client) => owner.delete(`W/members/${userId}`).expect(200);
const stillAssigned = async ({ sql, workspace }: World, { userId }: Client): Promise<number> =>
  (await sql("select 1 from issue where workspace_id = $1 and assignee_ids @> array[$2::uuid]", [workspace.id, userId]))
    .length;
const departures = ({ sql, workspace }: World) =>
  sql("select user_id from member_departure where workspace_id = $1", [workspace.id]);

/** The events of issues of the workspace, and how many issues these are. */
const counted = ({ sql, workspace }: World) =>
  sql<{ type: string; events: number; issues: number; actor_id: string }>(
    `select type, count(*)::int as events, count(distinct issue_id)::int as issues, min(actor_id::text) as actor_id
     from event where workspace_id = $1 and type in ('issue.unassigned', 'issue.updated') group by 1 order by 1`,
    [workspace.id],
  );
const once = (count: number, { userId }: Client) =>
  ["issue.unassigned", "issue.updated"].map((type) => ({ type, events: count, issues: count, actor_id: userId }));

async function rejoin(here: World, { userId, email }: Client): Promise<void> {
  const link = await inviteLink(here, { email, role: "member" });
  const accepted = await (await browser(here.app, userId)).post("/invite", { token: tokenOf(link) });
  expect(accepted.status).toBe(303);
}

test("the membership ends at once, with no board locked, and each issue gets one event in the remover's name", async () => {
  const here = await world();
  const { owner, sql } = here;
  const leaver = await here.as({ role: "member", name: "Lea" });
  await owner.post("W/projects", { name: "Shop", key: "SHOP" }).expect(201);
  await assign(here, leaver);
  await assign(here, leaver, 60, "SHOP");
  await owner.post("P/issues/WEB-1001/transition", { status: "done" }).expect(200);
  await owner.delete("P/issues/WEB-1002").expect(200);
  await owner.delete("W/projects/SHOP").expect(200);
  const free = (await owner.post("P/issues", { title: "Free" }).expect(201)).data;
  await drain();
  await sql("delete from event");

  // Somebody is at work on the boards, for longer than a call may take.
  const release = await hold("select 1 from issue_counter for update");
  const reply = await remove(here, leaver);
  await release();
  expect(reply.data).toEqual({ user_id: leaver.userId, removed: true });
  await leaver.get("P").expect(401);
  expect(await stillAssigned(here, leaver)).toBe(MANY + 60);
  const shown = (await owner.get("P/issues/WEB-1003").expect(200)).data;
  expect(shown).toMatchObject({ assignees: [owner.userId, leaver.userId], version: 1 });
  await owner.patch(`P/issues/${free.key}`, { assignees: [leaver.userId] }).expect(400, "invalid_reference");
  await owner.post("P/issues", { title: "x", assignee: leaver.userId }).expect(400, "invalid_reference");

  await drain();
  expect(await departures(here)).toEqual([]);
  expect(await stillAssigned(here, leaver)).toBe(2);
  const count = MANY - 2 + 60;
  expect(await counted(here)).toEqual(once(count, owner));
  expect((await owner.get("P/issues/WEB-1003").expect(200)).data).toMatchObject({
    assignees: [owner.userId],
    version: 2,
  });
  const [event] = await sql<{ data: object; previous: object; cause: object }>(
    "select data, previous, cause from event where type = 'issue.unassigned' and issue_id = $1",
    [shown.id],
  );
  expect(event).toMatchObject({
    data: (await owner.get("P/issues/WEB-1003").expect(200)).data,
    previous: { assignees: [owner.userId, leaver.userId] },
    cause: { key_id: expect.any(String) },
  });
  const history = (await owner.get("P/issues/WEB-1003/activity").expect(200)).data;
  expect(history).toMatchObject([
    { kind: "unassigned", actor_id: owner.userId, payload: { from: [leaver.userId], from_name: "Lea" } },
  ]);
});

test("somebody who leaves by themselves is unassigned in their own name", async () => {
  const here = await world();
  const leaver = await here.as({ role: "member" });
  await assign(here, leaver);
  const gone = await (await browser(here.app, leaver.userId)).post(`/w/${here.workspace.slug}/leave`);
  expect(gone.headers.get("location")).toBe("/w");
  expect(await departures(here)).toEqual([{ user_id: leaver.userId }]);
  await drain();
  expect(await stillAssigned(here, leaver)).toBe(0);
  expect(await counted(here)).toEqual(once(MANY, leaver));
});

describe("until the worker comes to an issue", () => {
  test("it can be changed, closed, and reopened without the person, who is unassigned once", async () => {
    const here = await world();
    const { owner } = here;
    const leaver = await here.as({ role: "member" });
    await assign(here, leaver);
    await remove(here, leaver);
    const patched = await owner.patch("P/issues/WEB-1001", { title: "New" }).expect(200);
    expect(patched.data.assignees).toEqual([owner.userId, leaver.userId]);
    await owner.patch("P/issues/WEB-1002", { assignees: [] }).expect(200);
    await owner.post("P/issues/WEB-1003/transition", { status: "done" }).expect(200);
    await owner.post("P/issues/WEB-1004/transition", { status: "done" }).expect(200);
    const reopened = await owner.post("P/issues/WEB-1004/transition", { status: "todo" }).expect(200);
    expect(reopened.data.assignees).toEqual([owner.userId]);
    await drain();
    const left = await here.sql("select key from issue where assignee_ids @> array[$1::uuid]", [leaver.userId]);
    expect(left).toEqual([{ key: "WEB-1003" }]);
    const unassigned = await here.sql(
      `select count(*)::int as events, count(distinct issue_id)::int as issues from event
       where workspace_id = $1 and type = 'issue.unassigned'`,
      [here.workspace.id],
    );
    expect(unassigned).toEqual([{ events: MANY - 1, issues: MANY - 1 }]);
  });

  test("somebody who comes back stays assigned, and leaves again like anybody", async () => {
    const here = await world();
    const leaver = await here.as({ role: "member" });
    await assign(here, leaver);
    await remove(here, leaver);
    await rejoin(here, leaver);
    expect(await departures(here)).toEqual([]);
    await drain();
    expect(await stillAssigned(here, leaver)).toBe(MANY);
    expect(await counted(here)).toEqual([]);

    await remove(here, leaver);
    await drain();
    expect(await stillAssigned(here, leaver)).toBe(0);
    expect(await counted(here)).toEqual(once(MANY, here.owner));
  });
});

describe("with workers at work", () => {
  const COUNT = 2_000;
  /** Waits until a part of the issues is done. */
  async function begun(here: World, leaver: Client): Promise<void> {
    while ((await stillAssigned(here, leaver)) === COUNT) await sleep(5);
  }

  test("kill -9 of two of them and the loss of Redis' data repeat and lose nothing", async () => {
    const here = await world();
    const leaver = await here.as({ role: "member" });
    await assign(here, leaver, COUNT);
    const two = await Promise.all([startProcess("worker", here.app.config), startProcess("worker", here.app.config)]);
    await remove(here, leaver);
    await begun(here, leaver);
    await Promise.all(two.map((worker) => worker.kill()));
    const left = await stillAssigned(here, leaver);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(COUNT);

    expect((await flushQueues(here)).filter((key) => key.includes("unassign-departed")).length).toBeGreaterThan(0);
    await drain({ timeoutMs: 60_000 });
    expect(await departures(here)).toEqual([]);
    expect(await stillAssigned(here, leaver)).toBe(0);
    expect(await counted(here)).toEqual(once(COUNT, here.owner));
  }, 90_000);

  test("somebody who comes back stays assigned to what is left", async () => {
    const here = await world();
    const leaver = await here.as({ role: "member" });
    await assign(here, leaver, COUNT);
    const link = await inviteLink(here, { email: "back@muster.test", role: "member" });
    await here.sql("update invite set email = $1 where workspace_id = $2", [leaver.email, here.workspace.id]);
    const visitor = await browser(here.app, leaver.userId);
    const worker = await startProcess("worker", here.app.config);
    try {
      await remove(here, leaver);
      await begun(here, leaver);
      expect((await visitor.post("/invite", { token: tokenOf(link) })).status).toBe(303);
      const left = await stillAssigned(here, leaver);
      expect(left).toBeGreaterThan(0);
      await drain();
      expect(await stillAssigned(here, leaver)).toBe(left);
      expect(await counted(here)).toEqual(once(COUNT - left, here.owner));
    } finally {
      await worker.kill();
    }
  }, 60_000);
});
