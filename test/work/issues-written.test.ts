import { expect, test } from "vitest";
import type { LabelRow } from "../../src/domain/access/identity/issue-row.ts";
import { ISSUE_TYPES, PRIORITIES } from "../../src/domain/access/identity/issue-row.ts";
import { USER_KINDS } from "../../src/domain/access/identity/kind.sql.ts";
import type { NamedIssue } from "../../src/domain/access/identity/names.ts";
import { CATEGORIES } from "../../src/domain/kernel/categories.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { SORTS } from "../../src/domain/work/issues/orders.ts";
import { IssueView, viewOf } from "../../src/domain/work/issues/view.ts";
import { issueWriter } from "../../src/domain/work/issues/written.ts";
import { seeded } from "../support/random.ts";
import { world } from "../support/world.ts";

/** A list is written as JSON without objects. The text is the one of the objects. */

const TEXTS = [
  "",
  "plain",
  'a "quote" \\ and /',
  "line\nbreak\ttab\r\b\f\u0001\u001f\u007f",
  "  ¿ñ 漢字 🙂",
  "</script>",
];

const ctx = {
  settings: { baseUrl: "https://muster.test" },
  workspace: { slug: "acme" },
  project: { key: "WEB", slug: "web" },
} as unknown as Parameters<typeof issueWriter>[0];

test("as the view of a row", () => {
  const { pick: of, below: upTo } = seeded(20_261_123);
  const maybe = <T>(value: T): T | null => (upTo(2) === 0 ? null : value);
  const many = <T>(make: () => T): T[] => Array.from({ length: upTo(4) }, make);
  const instant = () => new Date(1.7e12 + upTo(1e9) * 1_000 + upTo(1_000)).toISOString();
  const known: LabelRow[] = TEXTS.map((name) => ({
    id: newId(),
    name,
    color: "#64748b",
    description: maybe(of(TEXTS)),
    created_at: instant(),
    updated_at: instant(),
  }));
  const row = (): NamedIssue => {
    const number = upTo(1e6);
    const labels = many(() => of(known));
    return {
      id: newId(),
      project_id: newId(),
      number,
      key: `WEB-${number}`,
      type: of(ISSUE_TYPES),
      title: of(TEXTS),
      description_md: maybe(of(TEXTS)),
      status: of(CATEGORIES),
      status_id: maybe(newId()),
      status_name: maybe(of(TEXTS)),
      priority: of(PRIORITIES),
      rank: of(["a1", "Zz0V", "b12"]),
      assignee_ids: many(newId),
      assignee_name: maybe(of(TEXTS)),
      assignee_kind: maybe(of(USER_KINDS)),
      reporter_id: newId(),
      parent_id: maybe(newId()),
      parent_number: maybe(upTo(100)),
      epic_id: maybe(newId()),
      epic_number: maybe(upTo(100)),
      epic_own: true,
      milestone_id: maybe(newId()),
      sprint_id: maybe(newId()),
      release_id: maybe(newId()),
      label_ids: labels.map(({ id }) => id),
      labels,
      estimate_minutes: maybe(upTo(100)),
      story_points: maybe(upTo(100)),
      spent_minutes: maybe(upTo(100)),
      remaining_minutes: maybe(upTo(100)),
      agent_minutes: upTo(100),
      completion_pct: maybe(upTo(100)),
      start_at: maybe(instant()),
      start_on: maybe("2026-01-15"),
      due_at: maybe(instant()),
      due_on: maybe("2026-01-15"),
      started_at: maybe(instant()),
      resolved_at: maybe(instant()),
      archived_at: maybe(instant()),
      archived_reason: maybe(of(TEXTS)),
      custom_fields: of([{}, { [newId()]: of(TEXTS), [newId()]: 1.5, [newId()]: [of(TEXTS)], [newId()]: null }]),
      active_session_ids: many(newId),
      active_workflow_run_id: maybe(newId()),
      child_count: upTo(9),
      child_done_count: upTo(9),
      child_cancelled_count: upTo(9),
      comment_count: upTo(9),
      attachment_count: upTo(9),
      link_count: upTo(9),
      watcher_count: upTo(9),
      open_blocker_count: upTo(2),
      external_source: maybe(of(TEXTS)),
      external_id: maybe(of(TEXTS)),
      version: 1 + upTo(9),
      created_by: newId(),
      created_at: instant(),
      updated_at: instant(),
    };
  };
  const write = issueWriter(ctx);
  for (let times = 0; times < 500; times++) {
    const one = row();
    expect(write(one)).toBe(JSON.stringify(IssueView.parse(viewOf(ctx, one, one.labels))));
  }
});

test("as the reply that is made of objects, for which all fields are asked", async () => {
  const { owner, as } = await world();
  const { userId } = await as({ role: "member", name: 'Pat "P" Ø' });
  const label = (await owner.post("P/labels", { name: 'a "b" \\ 漢' }).expect(201)).data;
  const parent = (await owner.post("P/issues", { title: "Epic", type: "epic", labels: [label.id] }).expect(201)).data;
  for (const text of TEXTS.slice(1)) {
    const title = text.replaceAll(/\p{Cc}/gu, "_");
    const more = {
      assignee_ids: [userId, "me"],
      labels: [label.id],
      parent: parent.key,
      due_at: "2026-11-23",
      story_points: 3,
    };
    await owner
      .post("P/issues", { title, description_md: text, external_source: "x", external_id: title, ...more })
      .expect(201);
  }
  await owner.delete("P/issues/WEB-2").expect(200);
  const all = `fields=${Object.keys(IssueView.shape).join()}`;
  for (const query of ["?", "?sort=updated_desc&", "?limit=2&", "?assignee=none&", "?q=nothing&", "?archived=true&"]) {
    const [written, made] = [
      await owner.get(`P/issues${query}`).expect(200),
      await owner.get(`P/issues${query}${all}`).expect(200),
    ];
    expect(written.text).toBe(made.text);
  }
  await owner.get("P/issues?fields=nothing").expect(400);
});

test("as the reply that is made of objects, whatever the columns have", async () => {
  const here = await world();
  const { owner, sql, workspace, project } = here;
  const { userId } = await here.as({ role: "member", name: "Zoë" });
  const labels = [
    (await owner.post("P/labels", { name: "漢字 🙂" }).expect(201)).data.id,
    (await owner.post("P/labels", { name: 'a "b" \\' }).expect(201)).data.id,
  ];
  const some = (value: string) => `case when random() < 0.5 then ${value} end`;
  const texts = "($5::text[])[1 + floor(random() * cardinality($5::text[]))::int]";
  const instant = "now() - random() * interval '400 days' + interval '1 microsecond'";
  const parent = (await owner.post("P/issues", { title: "Parent" }).expect(201)).data.id;
  const plan = newId();
  for (const table of ["sprint", "milestone", "release"]) {
    await sql(
      `insert into ${table} (id, workspace_id, project_id, name, status, rank, created_at, updated_at)
       values ($3, $1, $2, 'One', 'active', 'a1', now(), now())`,
      [workspace.id, project.id, plan],
    );
  }
  const plans = ["milestone_id", "sprint_id", "release_id"];
  const numbers = [
    "parent_number",
    "epic_number",
    "estimate_minutes",
    "story_points",
    "spent_minutes",
    "completion_pct",
  ];
  const instants = ["start_at", "due_at", "started_at", "resolved_at"];
  const columns = [
    ...plans.map((name) => [name, some("$11::uuid")]),
    ...["parent_id", "epic_id"].map((name) => [name, some("$12::uuid")]),
    ...numbers.map((name) => [name, some("floor(random() * 100)::int")]),
    ...instants.map((name) => [name, some(`date_trunc(($9::text[])[1 + n % 4], ${instant})`)]),
    ...["description_md", "external_source", "external_id"].map((name) => [name, some(`${texts} || n`)]),
    ["archived_at", "case when n > 120 then now() end"],
    ["archived_reason", "case when n > 120 then 'manual' end"],
    ["assignee_ids", "($6::uuid[])[1 : n % 3]"],
    ["label_ids", "($7::uuid[])[1 : (n / 3) % 3]"],
    ["active_session_ids", "case when n % 4 = 0 then array[gen_random_uuid(), gen_random_uuid()] else '{}' end"],
    ["custom_fields", `case when n % 3 = 0 then jsonb_build_object('b', ${texts}, 'a', array[1.50, n]) else '{}' end`],
    ["comment_count", "n % 7"],
    ["open_blocker_count", "n % 2"],
    ["version", "n"],
    ["status_id", some("$3::uuid")],
  ];
  await sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, priority, rank,
                        reporter_id, created_by, created_at, updated_at, ${columns.map(([name]) => name).join()})
     select gen_random_uuid(), $1, $2, n, 'WEB-' || n, ($8::text[])[1 + n % 3], ${texts}, 'todo', ($10::text[])[1 + n % 6],
            rank_of(n), $4, $4, ${instant}, ${instant}, ${columns.map(([, value]) => value).join()}
     from generate_series(2, 180) n`,
    [
      workspace.id,
      project.id,
      here.columns["To Do"],
      owner.userId,
      TEXTS.slice(1),
      [userId, owner.userId],
      labels,
      ["task", "bug", "story"],
      ["microseconds", "milliseconds", "second", "day"],
      PRIORITIES,
      plan,
      parent,
    ],
  );
  const all = `fields=${Object.keys(IssueView.shape).join()}`;
  for (const sort of SORTS) {
    for (const query of [`sort=${sort}`, `sort=${sort}&limit=100`, `sort=${sort}&archived=true`]) {
      for (let cursor = "", pages = 0; pages < 3; pages++) {
        const path = `P/issues?${query}${cursor}`;
        const written = await owner.get(path).expect(200);
        expect(written.text).toBe((await owner.get(`${path}&${all}`).expect(200)).text);
        const { next_cursor } = written.body.pagination;
        if (next_cursor === null) break;
        cursor = `&cursor=${next_cursor}`;
      }
    }
  }
});
