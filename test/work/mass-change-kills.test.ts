import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { drain, flushQueues } from "../support/jobs.ts";
import { startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** Workers that make a mass change are killed, several at a time, and Redis loses its data. */

const MANY = 1_000;

/** Adds issues with the label to a column. */
async function fill({ sql, workspace, project, owner, columns }: World, labelId: string): Promise<void> {
  await sql(
    `with counted as (update board_status set issue_count = $5 where id = $3)
     insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                        reporter_id, label_ids, created_by, created_at, updated_at)
     select uuidv7(), $1, $2, 1000 + n, $4 || '-' || (1000 + n), 'task', 'Issue ' || n, 'todo', $3, 'medium',
            rank_of(1000 + n), $6, array[$7::uuid], $6, now() - interval '1 day', now() - interval '1 day'
     from generate_series(1, $5::int) n`,
    [workspace.id, project.id, columns["To Do"], project.key, MANY, owner.userId, labelId],
  );
}

const CASES: Record<string, { event: string; call(here: World, labelId: string): Promise<unknown> }> = {
  "deleting a label": { event: "issue.updated", call: ({ owner }, id) => owner.delete(`P/labels/${id}`).expect(200) },
  "closing a column": {
    event: "issue.status_changed",
    call: ({ owner, columns }) => owner.patch(`P/statuses/${columns["To Do"]}`, { category: "done" }).expect(200),
  },
  "deleting a column": {
    event: "issue.archived",
    call: ({ owner, columns }) => owner.delete(`P/statuses/${columns["To Do"]}`).expect(200),
  },
};

/** What the queue console shows of the jobs at work. */
async function progressShown({ app }: World): Promise<object[]> {
  const reply = await fetch(`${app.baseUrl}/admin/queues/api/queues?activeQueue=make-mass-changes&status=active`, {
    headers: { authorization: `Basic ${Buffer.from(`operator:${app.config.OPERATOR_PASSWORD}`).toString("base64")}` },
  });
  const { queues } = (await reply.json()) as { queues: { name: string; jobs: { progress: unknown }[] }[] };
  const jobs = queues.find(({ name }) => name === "make-mass-changes")?.jobs ?? [];
  return jobs.map(({ progress }) => Object(progress));
}

test.each(Object.entries(CASES))(
  "%s of very many issues survives kill -9 of two workers and the loss of Redis' data",
  async (_, { event, call }) => {
    const here = await world();
    const { owner, sql, project, app } = here;
    const { id } = (await owner.post("P/labels", { name: "bug" }).expect(201)).data;
    await fill(here, id);
    const done = async () => (await sql<{ done: number }>("select done from mass_change"))[0]?.done;
    const two = await Promise.all([startProcess("worker", app.config), startProcess("worker", app.config)]);
    await call(here, id);
    while ((await done()) === 0) await sleep(5);
    let shown = await progressShown(here);
    // A worker shows a piece just after it has committed.
    for (let tries = 0; tries < 20 && !shown.some((state) => "total" in state); tries++)
      shown = await progressShown(here);
    await Promise.all(two.map((worker) => worker.kill()));
    expect(shown).toContainEqual({ change: expect.any(String), done: expect.any(Number), total: MANY });
    const reached = await done();
    expect(reached).toBeGreaterThan(0);
    expect(reached).toBeLessThan(MANY);

    const flushed = await flushQueues(here);
    expect(flushed.filter((key) => key.includes("make-mass-changes")).length).toBeGreaterThan(0);
    await drain({ timeoutMs: 60_000 });
    expect(await sql("select from mass_change")).toEqual([]);
    const events = await sql(
      `select count(*)::int as events, count(distinct issue_id)::int as issues from event
       where project_id = $1 and type = $2 and data ->> 'key' <> ''`,
      [project.id, event],
    );
    expect(events).toEqual([{ events: MANY, issues: MANY }]);
    const rows = await sql(
      `select i.version, count(*)::int as issues, min(s.issue_count) as counted
       from issue i left join board_status s on s.id = i.status_id where i.project_id = $1 and number > 1000 group by 1`,
      [project.id],
    );
    expect(rows).toEqual([{ version: 2, issues: MANY, counted: event === "issue.archived" ? 0 : MANY }]);
  },
  90_000,
);
