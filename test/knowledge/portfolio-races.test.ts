import { expect, test } from "vitest";
import { configure } from "../support/app.ts";
import { race } from "../support/race.ts";
import { type World, world } from "../support/world.ts";

/** Changes of portfolios by two people at the same moment. */

configure({ DATABASE_POOL: "24" });

const portfolio = async ({ owner }: World) => (await owner.post("W/portfolios", { name: "One" }).expect(201)).data.id;
const workspaceRow = ({ workspace }: World) => ({ table: "workspace", column: "id", id: workspace.id });
const goalsIn = ({ sql }: World, id: string) =>
  sql("select from goal where portfolio_id = $1 and deleted_at is null", [id]);

test("no goal gets into a portfolio that is deleted at the same time", async () => {
  const here = await world();
  const other = await here.as({ role: "admin" });
  const goal = (await here.owner.post("W/goals", { title: "Goal" }).expect(201)).data;
  const into = {
    create: (id: string) => other.post("W/goals", { title: "New", portfolio_id: id }),
    move: (id: string) => other.patch(`W/goals/${goal.id}`, { portfolio_id: id }),
  };
  for (const call of [into.create, into.move]) {
    const first = await portfolio(here);
    const deleted = await race(
      here,
      workspaceRow(here),
      () => here.owner.delete(`W/portfolios/${first}`),
      () => call(first),
    );
    expect(deleted.met).toBe(true);
    expect(deleted.replies.map(({ status, body: { code } }) => code ?? status)).toEqual([200, "invalid_reference"]);
    expect(await goalsIn(here, first)).toEqual([]);

    const second = await portfolio(here);
    const filled = await race(
      here,
      workspaceRow(here),
      () => call(second),
      () => here.owner.delete(`W/portfolios/${second}`),
    );
    expect(filled.replies[1].data.released_goal_count).toBe(1);
    expect(await goalsIn(here, second)).toEqual([]);
  }
});

test("no project gets into a portfolio that is deleted at the same time", async () => {
  const here = await world();
  const other = await here.as({ role: "admin" });
  const id = await portfolio(here);
  const { replies } = await race(
    here,
    workspaceRow(here),
    () => here.owner.delete(`W/portfolios/${id}`),
    () => other.post(`W/portfolios/${id}/projects`, { project_id: "WEB" }),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 404]);
  expect(await here.sql("select from portfolio_project where portfolio_id = $1", [id])).toEqual([]);
});

test("a project that ten callers add at once is in the portfolio once, with one event", async () => {
  const here = await world();
  const id = await portfolio(here);
  const calls = Array.from({ length: 10 }, () =>
    here.owner.post(`W/portfolios/${id}/projects`, { project_id: here.project.id }).expect(201),
  );
  const rows = (await Promise.all(calls)).map(({ data }) => data);
  expect(rows).toEqual(Array(10).fill(rows[0]));
  const events = await here.sql("select from event where workspace_id = $1 and type = 'portfolio.updated'", [
    here.workspace.id,
  ]);
  expect(events).toHaveLength(1);
});

test("an admin who was made a member meanwhile changes no portfolio", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const id = await portfolio(here);
  const { replies } = await race(
    here,
    workspaceRow(here),
    () => here.owner.patch(`W/members/${admin.userId}`, { role: "member" }),
    () => admin.patch(`W/portfolios/${id}`, { name: "Theirs" }),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 403]);
});

test("a portfolio has at most 500 projects, also if several are added at once", async () => {
  const here = await world();
  const id = await portfolio(here);
  await here.sql(
    `with made as (
       insert into project select (jsonb_populate_record(p, jsonb_build_object(
         'id', gen_random_uuid(), 'key', 'X' || n, 'slug', 'x' || n, 'scoped', n = 1))).*
       from project p, generate_series(1, 503) n where id = $1 returning id, key),
     counters as (insert into issue_counter (project_id) select id from made)
     insert into portfolio_project (portfolio_id, project_id, workspace_id, added_at)
     select $2, id, $3, now() from made where substr(key, 2)::integer <= 498`,
    [here.project.id, id, here.workspace.id],
  );
  const keys = ["X499", "X500", "X501", "X502", "X503"];
  const replies = await Promise.all(
    keys.map((key) => here.owner.post(`W/portfolios/${id}/projects`, { project_id: key })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
  const refused = replies.find(({ status }) => status === 409)!;
  expect(refused.body).toMatchObject({ code: "portfolio_project_limit_reached", error: { code: "conflict" } });
  expect((await here.owner.get(`W/portfolios/${id}`).expect(200)).data.project_count).toBe(500);
  expect((await here.owner.get(`W/portfolios/${id}/projects`).expect(200)).data).toHaveLength(500);
  await here.owner.post(`W/portfolios/${id}/projects`, { project_id: "X1" }).expect(201);
});
