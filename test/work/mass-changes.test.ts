import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf } from "../support/events.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

/** More than a call changes itself. */
const MANY = 260;

type Objects = Record<"label" | "milestone" | "release" | "sprint" | "next" | "text" | "select", string>;

/** Adds issues to the project by SQL. They have all of the objects; every third is done, every tenth archived. */
async function crowd({ sql, workspace, project, owner, columns }: World, count: number, objects: Partial<Objects>) {
  await sql(
    `with added as (
       insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                          reporter_id, label_ids, milestone_id, sprint_id, release_id, custom_fields, archived_at,
                          created_by, created_at, updated_at)
       select uuidv7(), $1, $2, 1000 + n, $11 || '-' || (1000 + n), 'task', 'Issue ' || n,
              case when n % 3 = 0 then 'done' else 'todo' end,
              case when n % 3 = 0 then $4::uuid else $3::uuid end, 'medium', 'a' || lpad(n::text, 8, '0'), $5,
              case when $6::uuid is null then '{}' else array[$6::uuid] end, $7, $8, $9,
              case when $10::uuid is null then '{}'
                   else jsonb_build_object($10::uuid, case when n % 2 = 0 then 'red' else 'blue' end) end,
              case when n % 10 = 0 then now() end, $5, now() - interval '1 day', now() - interval '1 day'
       from generate_series(1, ${count}) n
       returning id, custom_fields)
     insert into custom_field_value (field_id, issue_id, workspace_id, value, updated_at)
     select $10, id, $1, custom_fields -> $10::text, now() from added where $10::uuid is not null`,
    [
      ...[workspace.id, project.id, columns["To Do"], columns.Done, owner.userId, objects.label ?? null],
      ...[objects.milestone ?? null, objects.sprint ?? null, objects.release ?? null],
      ...[objects.select ?? objects.text ?? null, project.key],
    ],
  );
  const field = objects.select ?? objects.text;
  if (field) await sql("update custom_field set value_count = $2 where id = $1", [field, count]);
}

async function objectsOf({ owner }: World): Promise<Objects> {
  const made = async (path: string, body: object) => (await owner.post(`P/${path}`, body).expect(201)).data.id;
  return {
    label: await made("labels", { name: "bug" }),
    milestone: await made("milestones", { name: "M" }),
    release: await made("releases", { name: "R" }),
    sprint: await made("sprints", { name: "S", status: "active" }),
    next: await made("sprints", { name: "Next" }),
    text: await made("custom-field-defs", { name: "Text", kind: "text" }),
    select: await made("custom-field-defs", { name: "Color", kind: "select", options: ["red", "blue"] }),
  };
}

/** Everything that reads say about issues and about what they belong to. */
async function reads({ owner }: World) {
  const paths = [
    ...["P/issues?limit=100", "P/issues?limit=100&sort=updated_desc", "P/issues/WEB-1001", "P/issues?milestone=none"],
    ...["P/issues?sprint=none&limit=100", "P/issues?archived=true&limit=100", "P/labels", "P/milestones", "P/releases"],
    ...["P/sprints", "P/custom-field-defs", "W/search?q=Issue", "P/reports/velocity", "P/reports/cycle_time"],
  ];
  const seen: Record<string, unknown> = {};
  for (const path of paths) {
    const { data } = await owner.get(path).expect(200);
    if (data.generated_at) data.generated_at = null;
    // What was found last has the best score, to a millionth.
    seen[path] = path.startsWith("W/search") ? data.map(({ score: _, ...hit }: { score: number }) => hit) : data;
  }
  return seen;
}

/** All columns but those of the search index, which narrows searches and decides nothing. */
async function stored({ sql, project }: World, table: "issue" | "issue_now" | "issue_planned_now") {
  const rows = await sql(`select * from ${table} where project_id = $1 order by id`, [project.id]);
  return rows.map(({ search: _, search_head: _head, ...row }) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith("stored_"))),
  );
}
const values = ({ sql, workspace }: World, table: string) =>
  sql(`select field_id, issue_id, value from ${table} where workspace_id = $1 order by 1, 2`, [workspace.id]);
const pending = async ({ sql, workspace }: World) =>
  (await sql("select * from mass_change where workspace_id = $1", [workspace.id])).length;

/** Each kind: the call, how many issues it says it changes, and how many it does. */
const CASES: Record<
  string,
  { has: keyof Objects; call: (here: World, of: Objects) => Promise<unknown>; changed: number }
> = {
  "deleting a label": {
    has: "label",
    call: ({ owner }, { label }) => owner.delete(`P/labels/${label}`).expect(200),
    changed: MANY,
  },
  "deleting a milestone": {
    has: "milestone",
    call: async ({ owner }, { milestone }) =>
      expect((await owner.delete(`P/milestones/${milestone}`).expect(200)).data.issues_detached).toBe(MANY),
    changed: MANY,
  },
  "deleting a release": {
    has: "release",
    call: async ({ owner }, { release }) =>
      expect((await owner.delete(`P/releases/${release}`).expect(200)).data.issues_detached).toBe(MANY),
    changed: MANY,
  },
  "deleting a sprint": {
    has: "sprint",
    call: async ({ owner }, { sprint }) =>
      expect((await owner.delete(`P/sprints/${sprint}`).expect(200)).data.issues_detached).toBe(MANY),
    changed: MANY,
  },
  "completing a sprint whose open issues move": {
    has: "sprint",
    call: ({ owner }, { sprint, next }) =>
      owner.patch(`P/sprints/${sprint}`, { status: "completed", move_open_issues_to: next }).expect(200),
    changed: openOf(2 * MANY),
  },
  "deleting a field": {
    has: "text",
    call: async ({ owner }, { text }) =>
      expect((await owner.delete(`P/custom-field-defs/${text}`).expect(200)).data.values_deleted).toBe(MANY),
    changed: MANY,
  },
  "dropping an option and respelling another": {
    has: "select",
    call: async ({ owner }, { select }) =>
      expect(
        (await owner.patch(`P/custom-field-defs/${select}`, { options: ["RED"] }).expect(200)).data.value_count,
      ).toBe(MANY / 2),
    changed: MANY,
  },
};

function openOf(count: number): number {
  return Array.from({ length: count }, (_, n) => n + 1).filter((n) => n % 3 !== 0 && n % 10 !== 0).length;
}

describe.each(Object.entries(CASES))("%s that very many issues have", (name, { has, call, changed }) => {
  let here: World;
  let of: Objects;
  beforeAll(async () => {
    here = await world();
    of = await objectsOf(here);
    await crowd(here, name.startsWith("completing") ? 2 * MANY : MANY, { [has]: of[has] });
  });

  test("touches no issue in the call, is true at once for every reader, and each issue gets one event", async () => {
    const before = await stored(here, "issue");
    await call(here, of);
    expect(await stored(here, "issue")).toEqual(before);
    expect(await pending(here)).toBe(1);
    const shown = { reads: await reads(here), rows: await stored(here, "issue_now") };
    const shownValues = await values(here, "custom_field_value_now");
    expect(shown.rows).not.toEqual(before);
    expect(await stored(here, "issue_planned_now")).toEqual(shown.rows);

    await drain();
    expect(await pending(here)).toBe(0);
    expect(await stored(here, "issue")).toEqual(shown.rows);
    expect(await values(here, "custom_field_value")).toEqual(shownValues);
    expect(await reads(here)).toEqual(shown.reads);

    const events = await eventsOf(here, "issue.updated");
    expect(events).toHaveLength(changed);
    expect(new Set(events.map(({ issue_id }) => issue_id)).size).toBe(changed);
    const authors = await here.sql(
      `select distinct actor_id, cause ->> 'key_id' is not null as keyed from event
       where project_id = $1 and type = 'issue.updated'`,
      [here.project.id],
    );
    expect(authors).toEqual([{ actor_id: here.owner.userId, keyed: true }]);
    const lines = await here.sql(
      `select issue_id from activity where project_id = $1 and actor_id is not null
                                  and issue_id in (select id from issue where number > 1000)`,
      [here.project.id],
    );
    expect(lines).toHaveLength(changed);
  });
});

test("whoever changes an issue meanwhile makes what is to come for it first, in the name of who asked", async () => {
  const here = await world();
  const { owner } = here;
  const of = await objectsOf(here);
  await crowd(here, MANY, { label: of.label, milestone: of.milestone });
  const member = await here.as({ role: "member", projectRole: "member" });
  await owner.delete(`P/labels/${of.label}`).expect(200);
  const shown = await member.get("P/issues/WEB-1001").expect(200);
  expect(shown.data).toMatchObject({ labels: [], version: 2 });
  await member
    .patch("P/issues/WEB-1001", { title: "New" }, { headers: { "If-Match": shown.headers.get("etag") ?? "" } })
    .expect(200);
  const changed = await member.get("P/issues/WEB-1001").expect(200);
  expect(changed.data).toMatchObject({ labels: [], title: "New", version: 3, milestone_id: of.milestone });
  await member.patch("P/issues/WEB-1001", { labels: [of.label] }).expect(400, "invalid_reference");

  await drain();
  expect((await owner.get("P/issues/WEB-1001").expect(200)).data).toEqual(changed.data);
  const events = await here.sql(
    `select actor_id, changed, (data -> 'version')::int as version from event where type = 'issue.updated' and issue_id = $1
     order by id`,
    [changed.data.id],
  );
  expect(events).toEqual([
    { actor_id: owner.userId, changed: ["labels"], version: 2 },
    { actor_id: member.userId, changed: ["title"], version: 3 },
  ]);
  expect(await eventsOf(here, "issue.updated")).toHaveLength(MANY + 1);
});

test("a sprint can be deleted while the issues of another move to it, and several changes meet in one issue", async () => {
  const here = await world();
  const { owner } = here;
  const of = await objectsOf(here);
  await crowd(here, 2 * MANY, of);
  await owner.patch(`P/sprints/${of.sprint}`, { status: "completed", move_open_issues_to: of.next }).expect(200);
  await owner.patch(`P/sprints/${of.sprint}`, { status: "active" }).expect(409, "invalid_state_change");
  // A client may send back the status that it has read.
  await owner.patch(`P/sprints/${of.sprint}`, { status: "completed", goal: "Ship" }).expect(200);
  await owner.patch(`P/sprints/${of.next}`, { status: "planned", name: "Later" }).expect(200);
  const gone = await owner.delete(`P/sprints/${of.next}`).expect(200);
  expect(gone.data.issues_detached).toBe(openOf(2 * MANY));
  await owner.delete(`P/sprints/${of.sprint}`).expect(200);
  await owner.delete(`P/labels/${of.label}`).expect(200);
  await owner.patch(`P/custom-field-defs/${of.select}`, { options: ["blue"] }).expect(200);
  await owner
    .patch(`P/custom-field-defs/${of.select}`, { options: ["blue", "red"] })
    .expect(409, "invalid_state_change");
  await owner.delete(`P/custom-field-defs/${of.select}`).expect(200);
  await owner.delete("P").expect(200);
  const shown = await stored(here, "issue_now");
  await drain();
  expect(await stored(here, "issue")).toEqual(shown);
  expect(shown.every((row) => row.sprint_id === null)).toBe(true);
  expect(await pending(here)).toBe(0);
});
