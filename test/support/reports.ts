import { day, pass } from "./history.ts";
import { type World, world } from "./world.ts";

/** Common preparation for tests of reports. */

export const NAMES = [
  "velocity",
  "burndown",
  "cycle-time",
  "throughput",
  "status-breakdown",
  "type-breakdown",
  "workload",
];

type Fields = Record<string, unknown>;
export const report = async ({ owner }: World, name: string) => (await owner.get(`P/reports/${name}`).expect(200)).data;

/** Creates an issue and returns its key. */
export const make = async ({ owner }: World, body: Fields = {}): Promise<string> =>
  (await owner.post("P/issues", { title: "Issue", ...body }).expect(201)).data.key;
export const change = ({ owner }: World, key: string, body: Fields) => owner.patch(`P/issues/${key}`, body).expect(200);

/** Creates a sprint and returns its id. */
export const makeSprint = async ({ owner }: World, body: Fields): Promise<string> =>
  (await owner.post("P/sprints", body).expect(201)).data.id;
export const plan = ({ owner }: World, id: string, body: Fields) => owner.patch(`P/sprints/${id}`, body).expect(200);

/** A project that estimates in points. */
export async function inPoints(): Promise<World> {
  const here = await world();
  await here.owner.patch("P", { estimation_unit: "points" }).expect(200);
  return here;
}

/** A sprint of six days with every kind of change, seen on its seventh day. */
export async function eventfulSprint() {
  const here = await inPoints();
  const { owner } = here;
  // Day 0: A 3, B 5 and C 2 points are committed: 3 issues, 10 points.
  const sprint_id = await makeSprint(here, { name: "One", start_at: day(0), end_at: day(5) });
  const a = await make(here, { sprint_id, story_points: 3 });
  const b = await make(here, { sprint_id, story_points: 5 });
  const c = await make(here, { sprint_id, story_points: 2 });
  const d = await make(here, { story_points: 4 });
  await plan(here, sprint_id, { status: "active" });
  await pass(here, 1);
  // Day 1: D (4) is added, A (3) is done.
  await change(here, d, { sprint_id });
  await change(here, a, { status: "done" });
  await pass(here, 1);
  // Day 2: B grows from 5 to 8, C (2) is removed.
  await change(here, b, { story_points: 8 });
  await change(here, c, { sprint_id: null });
  await pass(here, 1);
  // Day 3: C is added again, A is reopened.
  await change(here, c, { sprint_id });
  await change(here, a, { status: "in_progress" });
  await pass(here, 1);
  // Day 4: B is archived; D fails, in a column that did not exist before.
  await owner.delete(`P/issues/${b}`).expect(200);
  await owner.post("P/statuses", { name: "Failed", category: "failed" }).expect(201);
  await change(here, d, { status: "failed" });
  await pass(here, 1);
  // Day 5: B is restored, C is done.
  await owner.post(`P/issues/${b}/restore`).expect(200);
  await change(here, c, { status: "done" });
  await pass(here, 1);
  // Day 6, after its end: A is cancelled.
  await change(here, a, { status: "cancelled" });
  return { here, sprint_id };
}

/** Adds some steps of issues to the counts that reports read, as a worker does that stops in between. */
export const tally = ({ sql, project }: World, most: number) =>
  sql("select tally_issue_steps($1, $2)", [project.id, most]);

/** Lists the project's sprints to be summed up, so that reports read their issues and history until that is done. */
export const forgetSums = ({ sql, project }: World) =>
  sql("insert into sprint_to_count select id from sprint where project_id = $1 on conflict do nothing", [project.id]);

export const sumUpSprints = ({ sql, project }: World) =>
  sql("select count_sprint(id) from sprint where project_id = $1", [project.id]);
