import { expect, test } from "vitest";
import type { FieldFilter } from "../../src/domain/work/fields/filter.sql.ts";
import { listIssues } from "../../src/domain/work/issues/list.sql.ts";
import { musterOf } from "../support/muster.ts";
import { explaining } from "../support/plans.ts";
import { useTool } from "../support/tools.ts";
import { type World, world } from "../support/world.ts";

/** Filters of the issue list by custom fields. */

type Row = { title: string };

const titlesOf = (rows: Row[]) => rows.map(({ title }) => title).join(" ");
const found = async ({ owner }: Pick<World, "owner">, query: string) =>
  titlesOf((await owner.get(`P/issues?${query}`).expect(200)).data);
const refused = async ({ owner }: Pick<World, "owner">, query: string) =>
  (await owner.get(`P/issues?${query}`).expect(400, "invalid_parameter")).body;

const DEFINITIONS = [
  { name: "Note", kind: "text" },
  { name: "Budget", kind: "number", precision: 2 },
  { name: "Severity", kind: "select", options: ["Low", "High, very", "None"] },
  { name: "Browsers", kind: "multi_select", options: ["Chrome", "Firefox", "Safari"] },
  { name: "Due by", kind: "date" },
  { name: "Agreed", kind: "checkbox" },
  { name: "Link", kind: "url" },
  { name: "Tester", kind: "user" },
  { name: "Sister", kind: "project" },
  { name: "Spec", kind: "doc" },
];

async function board() {
  const here = await world();
  const { owner } = here;
  const anna = await here.as({ role: "member" });
  const fields: Record<string, string> = {};
  for (const definition of DEFINITIONS) {
    const { data } = await owner.post("P/custom-field-defs", definition).expect(201);
    fields[definition.name] = data.id;
  }
  const { data: sister } = await owner.post("W/projects", { name: "Sister", key: "SIS" }).expect(201);
  const { data: doc } = await owner.post("W/docs", { title: "Spec" }).expect(201);
  const one = {
    Note: "Ünder way",
    Budget: 10,
    Severity: "Low",
    Browsers: ["Chrome", "Safari"],
    "Due by": "2031-01-31",
    Agreed: true,
    Link: "https://example.com/A",
    Tester: anna.userId,
    Sister: sister.id,
    Spec: doc.id,
  };
  const two = {
    Note: `${"long ".repeat(40)}end`,
    Budget: -2.5,
    Severity: "High, very",
    Browsers: ["Firefox"],
    "Due by": "2031-02-01",
    Agreed: false,
    Link: "https://example.com/b",
    Tester: owner.userId,
  };
  const items = [
    { title: "one", custom_fields: one },
    { title: "two", custom_fields: two },
    { title: "three", custom_fields: { Severity: "None", Budget: 9 } },
    { title: "bare" },
  ];
  await owner.post("P/issues/bulk", { items }).expect(201);
  return { ...here, anna, fields, sister, doc };
}

test("each kind of field filters by its values, and by none", async () => {
  const here = await board();
  const { anna, fields, sister, doc } = here;
  const of = (field: string, value: string) =>
    found(here, `customFields.${encodeURIComponent(field)}=${encodeURIComponent(value)}`);
  const cases: [string, string, string][] = [
    ["Note", "üNDER WAY", "one"],
    ["Note", "under way", ""],
    ["Note", `${"LONG ".repeat(40)}end`, "two"],
    ["Note", `${"long ".repeat(40)}END,Ünder way`, "one two"],
    ["Note", `${"long ".repeat(40)}and`, ""],
    ["Note", "None", "three bare"],
    ["Budget", "10", "one"],
    ["Budget", "9.00", "three"],
    ["Budget", "9..10", "one three"],
    ["Budget", "..9", "two three"],
    ["Budget", "9.5..", "one"],
    ["Budget", "-3..-1,10", "one two"],
    ["Budget", "none", "bare"],
    ["Budget", "none,10", "one bare"],
    ["Severity", "low", "one"],
    ["Severity", "Low,High\\, very", "one two"],
    ["Severity", "None", "three"],
    ["Severity", "none", "bare"],
    ["Browsers", "safari", "one"],
    ["Browsers", "Safari,Firefox", "one two"],
    ["Browsers", "none", "three bare"],
    ["Due by", "2031-01-31", "one"],
    ["Due by", "2031-01-01..2031-01-31", "one"],
    ["Due by", "2031-02-01..", "two"],
    ["Due by", "..2031-02-01", "one two"],
    ["Agreed", "true", "one"],
    ["Agreed", "FALSE", "two"],
    ["Agreed", "false,none", "two three bare"],
    ["Link", "https://EXAMPLE.com/a", "one"],
    ["Tester", "me", "two"],
    ["Tester", anna.email.toUpperCase(), "one"],
    ["Tester", `${anna.userId.toUpperCase()},none`, "one three bare"],
    ["Sister", "sis", "one"],
    ["Sister", sister.id, "one"],
    ["Spec", doc.id, "one"],
    [fields.Budget!, "10", "one"],
    ["bUDGET", "10", "one"],
  ];
  for (const [field, value, expected] of cases) expect(await of(field, value), `${field}=${value}`).toBe(expected);
});

test("filters of several fields, of other fields and in all orders are combined", async () => {
  const here = await board();
  expect(await found(here, "customFields.Budget=..10&customFields.Agreed=true,false")).toBe("one two");
  expect(await found(here, "customFields.Budget=..10&q=three")).toBe("three");
  expect(await found(here, "customFields.Budget=..10&sort=created_desc")).toBe("three two one");
  expect(await found(here, "customFields.Budget=..10&type=bug")).toBe("");
  const first = await here.owner.get("P/issues?customFields.Budget=..10&sort=created_desc&limit=2").expect(200);
  const { next_cursor } = first.body.pagination;
  expect(await found(here, `customFields.Budget=..10&sort=created_desc&limit=2&cursor=${next_cursor}`)).toBe("one");
  await here.owner
    .get(`P/issues?customFields.Budget=..9&sort=created_desc&limit=2&cursor=${next_cursor}`)
    .expect(400, "cursor_mismatch");
  await here.owner.delete("P/issues/WEB-1").expect(200);
  expect(await found(here, "customFields.Budget=..10")).toBe("two three");
  expect(await found(here, "customFields.Budget=..10&archived=true")).toBe("one");
});

test("the styles of generated clients name fields, too", async () => {
  const here = await board();
  expect(await found(here, "customFields[Due by]=2031-01-31")).toBe("one");
  expect(await found(here, `customFields=${encodeURIComponent('{"Budget":10,"Agreed":true}')}`)).toBe("one");
  const listed = JSON.stringify({ Severity: ["Low", "High, very"], Note: null });
  expect(await found(here, `customFields=${encodeURIComponent(listed)}`)).toBe("one two");
  expect(await found(here, "customFields.Budget=9&customFields.Budget=10")).toBe("one three");
  expect(await found(here, "customFields.Budget=&customFields[Note]=")).toBe("one two three bare");
});

test("wrong names and values are refused with what is right", async () => {
  const here = await board();
  const { body } = await here.owner.get("P/issues?customFields.Budgt=1").expect(400, "invalid_parameter");
  expect(body.error.details).toMatchObject({ parameter: "customFields", did_you_mean: "Budget" });
  expect(body.error.details.allowed).toEqual(DEFINITIONS.map(({ name }) => name));
  const severity = await refused(here, "customFields.Severity=Lowe");
  expect(severity.error.details).toMatchObject({
    parameter: "customFields.Severity",
    allowed: ["Low", "High, very", "None", "none"],
    did_you_mean: "Low",
  });
  for (const query of [
    "customFields.Budget=ten",
    "customFields.Budget=10..5",
    "customFields.Budget=1..2..3",
    "customFields.Budget=..",
    "customFields.Budget=1e999",
    "customFields.Budget=9999999999999999",
    "customFields.Browsers=Opera",
    "customFields.Due%20by=2031-02-30",
    "customFields.Due%20by=tomorrow",
    "customFields.Agreed=maybe",
    "customFields.Tester=anna",
    "customFields.Sister=NONSUCH",
    "customFields.Spec=Spec",
    "customFields=1",
    "customFields=[1]",
    'customFields={"Budget":{}}',
    "customFields.__proto__=1",
    "customFields[__proto__]=1",
    "customFields.constructor=1",
    "customFields.Budget=1&customFields[Budget]=2",
    `customFields.Note=${Array.from({ length: 101 }, (_, n) => n).join(",")}`,
    Array.from({ length: 21 }, (_, n) => `customFields.f${n}=1`).join("&"),
  ]) {
    expect((await refused(here, query)).detail, query).toMatch(/customFields/);
  }
  await here.owner
    .get(`P/issues?customFields.Budget=1&customFields.${here.fields.Budget}=2`)
    .expect(400, "mutually_exclusive");
  await here.owner.get("P/custom-field-defs?customFields.Budget=1").expect(400, "unknown_parameter");
  expect((await refused(here, "customFields.Budget=20..10")).detail).toBe(
    "customFields.Budget: 20..10 is not a range: it ends before it begins.",
  );
});

test("the name that bodies use is corrected", async () => {
  const here = await world();
  for (const query of ["custom_fields.Budget=1", "custom_fields[Budget]=1", "customfields.Budget=1"]) {
    const { body } = await here.owner.get(`P/issues?${query}`).expect(400, "unknown_parameter");
    expect(body.error.details.did_you_mean, query).toBe("customFields.Budget");
  }
});

test("names and values that Postgres cannot read are refused", async () => {
  const here = await world();
  await here.owner.post("P/custom-field-defs", { name: "Note", kind: "text" }).expect(201);
  const members = [String.raw`{"\u0000":"a"}`, String.raw`{"Note":"\u0000"}`, String.raw`{"Note":["\ud800"]}`];
  for (const query of [
    ...["customFields.No%00te=a", "customFields[%00]=a"],
    ...members.map((json) => `customFields=${encodeURIComponent(json)}`),
  ]) {
    expect(await refused(here, query), query).toMatchObject({ error: { details: { parameter: "customFields" } } });
  }
});

test("a field of other types matches no issue, and none finds only issues that could have a value", async () => {
  const here = await world();
  const { owner } = here;
  await owner.post("P/custom-field-defs", { name: "Cause", kind: "text", applies_to: ["bug"] }).expect(201);
  const items = [
    { title: "known", type: "bug", custom_fields: { Cause: "typo" } },
    { title: "open", type: "bug" },
    { title: "task", type: "task" },
  ];
  await owner.post("P/issues/bulk", { items }).expect(201);
  expect(await found(here, "customFields.Cause=none")).toBe("open");
  expect(await found(here, "customFields.Cause=typo&type=task")).toBe("");
  // A value that the issue kept when its type changed is still found.
  await owner.patch("P/issues/WEB-1", { type: "task" }).expect(200);
  expect(await found(here, "customFields.Cause=typo")).toBe("known");
});

test("a deleted field is unknown, and a dropped option is none of the field's", async () => {
  const here = await board();
  const options = ["Low", "None"];
  await here.owner.patch(`P/custom-field-defs/${here.fields.Severity}`, { options }).expect(200);
  await refused(here, "customFields.Severity=High\\, very");
  expect(await found(here, "customFields.Severity=none")).toBe("two bare");
  await here.owner.delete(`P/custom-field-defs/${here.fields.Severity}`).expect(200);
  await refused(here, "customFields.Severity=Low");
  await refused(here, `customFields.${here.fields.Severity}=Low`);
});

test("a field whose name looks like another's id is found by its own id", async () => {
  const here = await world();
  const { owner } = here;
  const { data: a } = await owner.post("P/custom-field-defs", { name: "A", kind: "number" }).expect(201);
  const { data: b } = await owner.post("P/custom-field-defs", { name: a.id, kind: "number" }).expect(201);
  await owner.post("P/issues", { title: "a", custom_fields: { A: 1 } }).expect(201);
  await owner.put(`P/issues/WEB-1/custom-fields/${b.id}`, { value: 2 }).expect(200);
  expect(await found(here, `customFields.${a.id}=1`)).toBe("a");
  expect(await found(here, `customFields.${a.id}=2`)).toBe("");
  expect(await found(here, `customFields.${b.id}=2`)).toBe("a");
});

test("guests cannot find people by address, nor projects that they cannot see", async () => {
  const here = await board();
  const guest = await here.as({ role: "guest", projectRole: "viewer" });
  const email = encodeURIComponent(here.anna.email);
  const address = await refused({ owner: guest }, `customFields.Tester=${email}`);
  const nobody = await refused({ owner: guest }, "customFields.Tester=nobody@example.com");
  expect(address.detail.replace(here.anna.email, "nobody@example.com")).toBe(nobody.detail);
  expect(await found({ owner: guest }, `customFields.Tester=${here.anna.userId}`)).toBe("one");
  const hidden = await refused({ owner: guest }, "customFields.Sister=SIS");
  const unknown = await refused({ owner: guest }, "customFields.Sister=XYZ");
  expect(hidden.detail.replace("SIS", "XYZ")).toBe(unknown.detail);
});

test("saved views filter by custom fields, and a parameter replaces the view's value of its field", async () => {
  const here = await board();
  const save = async (filter: unknown) =>
    (await here.owner.post("P/saved-views", { name: "View", filter }).expect(201)).data.id as string;
  const view = await save({ customFields: { Budget: "..10", Severity: ["Low", "High, very"] } });
  expect(await found(here, `view=${view}`)).toBe("one two");
  expect(await found(here, `view=${view}&customFields.severity=None`)).toBe("three");
  expect(await found(here, `view=${view}&customFields.${here.fields.Budget}=10`)).toBe("one");
  expect(await found(here, `view=${view}&customFields.Agreed=false`)).toBe("two");
  const plain = await save({ customFields: { Budget: 10, Agreed: true, Note: [], Link: null } });
  expect(await found(here, `view=${plain}`)).toBe("one");
});

test("rare values are found by an index, and frequent ones at the front of the list", async () => {
  const here = await world();
  const { owner, sql, workspace, project, columns } = here;
  const ids: Record<string, string> = {};
  for (const [name, kind] of [
    ["Note", "text"],
    ["Budget", "number"],
    ["Browsers", "multi_select"],
    ["Day", "date"],
  ] as const) {
    const more = kind === "multi_select" ? { options: ["Chrome", "Safari"] } : {};
    ids[name] = (await owner.post("P/custom-field-defs", { name, kind, ...more }).expect(201)).data.id;
  }
  await sql(
    `with made as (
       insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                          reporter_id, created_by, created_at, updated_at, custom_fields)
       select gen_random_uuid(), $1, $2, n, 'WEB-' || n, 'task', 'Issue ' || n, 'todo', $3, 'low', rank_of(n), $4, $4,
              now(), now(), jsonb_build_object(
                $5::text, 'Note ' || n, $6::text, n, $7::text,
                case when n % 1500 = 0 then '["Safari"]'::jsonb else '["Chrome"]'::jsonb end,
                $8::text, (date '2000-01-01' + n)::text)
       from generate_series(1, 4000) n returning id, workspace_id, custom_fields)
     insert into custom_field_value (field_id, issue_id, workspace_id, value, updated_at)
     select key::uuid, id, workspace_id, value, now() from made, jsonb_each(custom_fields)`,
    [workspace.id, project.id, columns["To Do"], owner.userId, ids.Note, ids.Budget, ids.Browsers, ids.Day],
  );
  await sql("analyze issue, custom_field_value");
  const { db, take } = await explaining(here);
  const none = { any: [], ranges: [], none: null };
  const numbers = async (field: FieldFilter) => {
    const any = [...field.any, ...field.ranges.map(String)];
    const filter = { column: "custom_fields", any, none: false, field } as const;
    const options = { sort: "rank", archived: false, after: null, limit: 51 } as const;
    const rows = await listIssues(db, workspace.id, project.id, [filter], options);
    return { found: rows.map(({ number }) => number), ...take() };
  };
  const cases: [FieldFilter, string, number[]][] = [
    [{ ...none, id: ids.Note!, kind: "text", any: ["note 3700"] }, "custom_field_value_text", [3700]],
    [
      { ...none, id: ids.Budget!, kind: "number", ranges: [{ from: 3800, to: 3801 }] },
      "custom_field_value_number",
      [3800, 3801],
    ],
    [{ ...none, id: ids.Browsers!, kind: "multi_select", any: ["Safari"] }, "custom_field_value_options", [1500, 3000]],
    [
      { ...none, id: ids.Day!, kind: "date", ranges: [{ from: "2010-10-01", to: null }] },
      "custom_field_value_text",
      Array.from({ length: 4000 - 3925 }, (_, n) => 3926 + n).slice(0, 51),
    ],
  ];
  for (const [field, index, expected] of cases) {
    const { found, indexes, most } = await numbers(field);
    expect(found, field.kind).toEqual(expected);
    expect(indexes, field.kind).toContain(index);
    expect(most, field.kind).toBeLessThanOrEqual(1_000);
  }
  const frequent = await numbers({ ...none, id: ids.Browsers!, kind: "multi_select", any: ["Chrome"] });
  expect(frequent.found).toEqual(Array.from({ length: 51 }, (_, n) => n + 1));
  expect(frequent.indexes).not.toContain("custom_field_value_options");
});

test("tools and the TypeScript client send the fields as an object", async () => {
  const here = await board();
  const agent = await here.as({ role: "member", isAgent: true, name: "Robin", kind: "agent" });
  const customFields = { Budget: "9..10", Severity: "Low,None" };
  const byTool = await useTool(agent, "list_issues", { project: "WEB", customFields: { ...customFields, Budget: 9 } });
  expect(titlesOf(byTool.data)).toBe("three");
  const muster = await musterOf(here.owner);
  const titles: string[] = [];
  for await (const { title } of muster.issues.list("WEB", { customFields, limit: 1 })) titles.push(title);
  expect(titles).toEqual(["one", "three"]);
});
