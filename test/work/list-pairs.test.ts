import { expect, test } from "vitest";
import { ISSUE_TYPES, PRIORITIES } from "../../src/domain/access/identity/issue-row.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import type { Cursor } from "../../src/domain/kernel/paging.ts";
import { presentDb } from "../../src/domain/kernel/present.sql.ts";
import { termsOfList } from "../../src/domain/kernel/search-terms.ts";
import { listIssues } from "../../src/domain/work/issues/list.sql.ts";
import type { ListFilter } from "../../src/domain/work/issues/list-conditions.sql.ts";
import { LIST_ORDERS, SORTS, type Sort } from "../../src/domain/work/issues/orders.ts";
import { seeded } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

/** Lists by each pair of filters, in each order: whatever the way in which they are read, they are what the issues say. */

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const MANY = 2_600;
const { pick: of, below } = seeded(SEED);
const DAY_MS = 86_400_000;

type Issue = {
  id: string;
  number: number;
  rank: string;
  priority: (typeof PRIORITIES)[number];
  type: string;
  status: string;
  status_id: string;
  title: string;
  reporter_id: string;
  assignee_ids: string[];
  label_ids: string[];
  sprint_id: string | null;
  due_at: string | null;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  custom_fields: Record<string, string>;
};

/** Mostly the first of them. */
const skewed = <T>(choices: readonly T[]): T => choices[Math.min(below(choices.length), below(choices.length * 3))]!;
const some = <T>(choices: readonly T[]): T[] =>
  below(3) === 0 ? [] : [...new Set([skewed(choices), ...(below(4) === 0 ? [of(choices)] : [])])];
const rare = <T>(choices: readonly T[]): T | null => (below(5) === 0 ? skewed(choices) : null);

const WORDS = ["apple", "pear", "cherry", "plum"];
const STATUSES = ["backlog", "todo", "in_progress", "done"];

async function fill(
  { sql, workspace, owner }: World,
  project: { id: string; key: string },
  people: string[],
  many: number,
) {
  const made = async (path: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++)
      ids.push((await owner.post(`W/projects/${project.key}/${path}`, { name: `N${n}` }).expect(201)).data.id);
    return ids;
  };
  const labels = await made("labels", 5);
  const sprints = await made("sprints", 3);
  const fields: string[] = [];
  for (const name of ["A", "B", "C"])
    fields.push(
      (await owner.post(`W/projects/${project.key}/custom-field-defs`, { name, kind: "text" }).expect(201)).data.id,
    );
  const columns = await sql<{ id: string; category: string }>(
    "select id, category from board_status where project_id = $1 and deleted_at is null",
    [project.id],
  );
  const start = Date.now() - 100 * DAY_MS;
  const at = (ms: number) => new Date(start + Math.floor(ms / 1000) * 1000).toISOString();
  const issues = Array.from({ length: many }, (_, n): Issue => {
    const status = skewed(STATUSES);
    return {
      id: newId(),
      number: n + 1,
      rank: "",
      priority: skewed(PRIORITIES),
      type: skewed(ISSUE_TYPES),
      status,
      status_id: columns.find(({ category }) => category === status)?.id ?? columns[0]!.id,
      title: `${of(WORDS)} ${of(WORDS)} ${n}`,
      reporter_id: skewed(people),
      assignee_ids: some(people),
      label_ids: some(labels),
      sprint_id: rare(sprints),
      due_at: below(3) === 0 ? at(below(100) * DAY_MS) : null,
      created_at: at(n * 1000),
      updated_at: at(below(50 * DAY_MS)),
      archived_at: below(12) === 0 ? at(0) : null,
      custom_fields: Object.fromEntries(fields.flatMap((id) => (below(10) > 0 ? [[id, of(LETTERS)]] : []))),
    };
  });
  await sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                        reporter_id, assignee_ids, label_ids, sprint_id, due_at, archived_at, custom_fields,
                        created_by, created_at, updated_at)
     select r.id, $1, $2, r.number, $3 || '-' || r.number, r.type, r.title, r.status, r.status_id, r.priority,
            rank_of((r.number * 7919) % 100003), r.reporter_id, r.assignee_ids, r.label_ids, r.sprint_id, r.due_at,
            r.archived_at, r.custom_fields, r.reporter_id, r.created_at, r.updated_at
     from jsonb_populate_recordset(null::issue, $4::jsonb) r`,
    [workspace.id, project.id, project.key, JSON.stringify(issues)],
  );
  await sql(
    `insert into custom_field_value (field_id, issue_id, workspace_id, value, updated_by, updated_at)
     select v.key::uuid, i.id, i.workspace_id, v.value, i.created_by, now() from issue i, jsonb_each(i.custom_fields) v
     where i.project_id = $1`,
    [project.id],
  );
  return { labels, sprints, fields };
}

type Kind = {
  column: ListFilter["column"];
  choices: readonly string[];
  values(issue: Issue): (string | null)[];
  /** Whether there may be several values, and none. */
  many: boolean;
  none: boolean;
  /** For values that are not simply equal. */
  test?: (issue: Issue, value: string) => boolean;
  field?: string;
};

const LETTERS = ["a", "b", "c"];
const ago = (...days: number[]) => days.map((n) => new Date(Date.now() - n * DAY_MS).toISOString());

function kindsOf({ labels, sprints, fields }: Awaited<ReturnType<typeof fill>>, people: string[]): Kind[] {
  const kind = (
    column: Kind["column"],
    choices: readonly string[],
    values: Kind["values"],
    more: Partial<Kind> = {},
  ) => ({
    ...{ column, choices, values, many: true, none: false },
    ...more,
  });
  return [
    kind("label_ids", labels, (issue) => issue.label_ids, { none: true }),
    kind("assignee_ids", people, (issue) => issue.assignee_ids, { none: true }),
    kind("status", STATUSES, (issue) => [issue.status]),
    kind("priority", PRIORITIES, (issue) => [issue.priority]),
    kind("type", ISSUE_TYPES, (issue) => [issue.type]),
    kind("reporter_id", people, (issue) => [issue.reporter_id]),
    kind("sprint_id", sprints, (issue) => [issue.sprint_id], { none: true }),
    kind("search", WORDS, (issue) => issue.title.split(" "), { many: false }),
    kind("due_at", ago(10, 50, 90), () => [], {
      many: false,
      test: ({ due_at }, before) => due_at !== null && due_at < before,
    }),
    kind("updated_at", ago(60, 70, 98), () => [], {
      many: false,
      test: ({ updated_at }, since) => updated_at >= since,
    }),
    ...fields
      .slice(0, 2)
      .map((field) =>
        kind("custom_fields", LETTERS, ({ custom_fields }) => [custom_fields[field] ?? null], { none: true, field }),
      ),
  ];
}

/** A filter, and what it means. */
function choose(kind: Kind): { filter: ListFilter; test: (issue: Issue) => boolean } {
  const none = kind.none && below(3) === 0;
  const count = kind.many ? (none ? below(3) : 1 + below(2)) : 1;
  const any = [...new Set(Array.from({ length: count }, () => of(kind.choices)))];
  const { column, field } = kind;
  const plain = {
    column,
    any:
      column === "search"
        ? any.map((word) => JSON.stringify(termsOfList(word, { slug: "", baseUrl: "https://muster.test" })))
        : any,
    none,
  };
  const test = (issue: Issue) => {
    if (kind.test) return kind.test(issue, any[0]!);
    const values = kind.values(issue).filter((value) => value !== null);
    return values.some((value) => any.includes(value)) || (none && values.length === 0);
  };
  if (!field) return { filter: plain, test };
  const ofField = { id: field, kind: "text" as const, any, ranges: [], none: none ? { types: [] } : null };
  return { filter: { ...plain, field: ofField }, test };
}

function compare(sort: Sort) {
  const { of: key, direction } = LIST_ORDERS[sort];
  const sign = direction === "asc" ? 1 : -1;
  return (a: Issue, b: Issue) => {
    const [x, y] = [key(a), key(b)];
    if (x === y) return a.id < b.id ? -sign : sign;
    // Dates sort before the word.
    return x < y ? -sign : sign;
  };
}

test(`each pair of filters, in each order (FUZZ_SEED=${SEED})`, async () => {
  const here = await world();
  const { sql, workspace, project, app } = here;
  const members = await Promise.all([here.as({ role: "member" }), here.as({ role: "member" })]);
  const people = [here.owner, ...members].map(({ userId }) => userId);
  const other = await here.hidden();
  const made = await fill(here, project, people, MANY);
  await fill(here, other.project, people, 1_500);
  await sql("analyze issue");

  const kinds = kindsOf(made, people);
  const { database } = app.resources;
  await sql(
    `insert into mass_change (id, workspace_id, project_id, kind, target_id, data, author, created_at)
     values (uuidv7(), $1, $2, 'label', $3, '{}', '{}', now())`,
    [workspace.id, project.id, made.labels[0]],
  );
  // As stored, and as issues are to be without a label.
  const states = [
    [database, "issue"],
    [presentDb(database, ["label"]), "issue_planned_now"],
  ] as const;
  for (const [db, table] of states) {
    const rows = await sql<Issue>(`select * from ${table} where project_id = $1`, [project.id]);
    expect(rows).toHaveLength(MANY);
    expect(rows.some(({ label_ids }) => label_ids.includes(made.labels[0]!))).toBe(table === "issue");
    for (const a of kinds) {
      if (table !== "issue" && below(3) > 0) continue;
      for (const b of [...kinds.slice(kinds.indexOf(a)), null]) {
        const chosen = [
          choose(a),
          ...(b && b !== a ? [choose(b)] : []),
          ...(below(4) === 0 ? [choose(of(kinds))] : []),
        ];
        const sort = below(2) === 0 ? of(SORTS) : "rank";
        const [archived, limit] = [below(8) === 0, of([3, 51, 101, 400])];
        const wanted = rows
          .filter((issue) => (issue.archived_at !== null) === archived && chosen.every((one) => one.test(issue)))
          .toSorted(compare(sort));
        const filters = chosen.map(({ filter }) => filter);
        const from = below(2) === 0 ? below(wanted.length) : 0;
        const last = wanted[from - 1];
        const after: Cursor | null = last ? [LIST_ORDERS[sort].of(last), last.id] : null;
        const options = { sort, archived, after, limit };
        const found = await listIssues(db, workspace.id, project.id, filters, options);
        const numbers = wanted.slice(from, from + limit).map(({ number }) => number);
        expect(
          found.map(({ number }) => number),
          JSON.stringify({ filters, options }),
        ).toEqual(numbers);
      }
    }
  }
}, 120_000);
