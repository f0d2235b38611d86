import { describe, expect, test } from "vitest";
import type { Reply } from "../support/client.ts";
import { eventsOf } from "../support/events.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

type Field = { id: string; name: string; rank: string; value_count: number };

const define = async ({ owner }: World, body: Record<string, unknown>): Promise<Field> =>
  (await owner.post("P/custom-field-defs", { name: "Field", kind: "text", ...body }).expect(201)).data;
const fields = async ({ owner }: World): Promise<Field[]> => (await owner.get("P/custom-field-defs").expect(200)).data;
const names = async (here: World) => (await fields(here)).map(({ name }) => name);
const file = async ({ owner }: World, body: Record<string, unknown> = {}) =>
  (await owner.post("P/issues", { title: "x", ...body }).expect(201)).data;
const valuesOf = async ({ owner }: World, key: string) =>
  (await owner.get(`P/issues/${key}`).expect(200)).data.custom_fields;
const put = ({ owner }: World, key: string, fieldId: string, value: unknown) =>
  owner.put(`P/issues/${key}/custom-fields/${fieldId}`, { value });
const errorsOf = ({ body }: Reply) => body.error.details.errors;

const linesOf = async ({ owner }: World, key: string) =>
  (await owner.get(`P/issues/${key}/activity`).expect(200)).data.map(
    ({ kind, payload: { cause: _, ...payload } }: { kind: string; payload: Record<string, unknown> }) => ({
      kind,
      ...payload,
    }),
  );

/** The copies on issues and the counts of fields match the rows of values. */
async function expectConsistent({ sql, project }: World) {
  const wrong = await sql(
    `select i.key from issue i where i.project_id = $1 and i.custom_fields is distinct from
       coalesce((select jsonb_object_agg(v.field_id, v.value) from custom_field_value v where v.issue_id = i.id), '{}')
     union all
     select f.name from custom_field f where f.project_id = $1
       and f.value_count <> (select count(*) from custom_field_value v where v.field_id = f.id)`,
    [project.id],
  );
  expect(wrong).toEqual([]);
}

describe("definitions", () => {
  test("are listed in order, with all their properties", async () => {
    const here = await world();
    const data = await define(here, {
      name: " Severity ",
      kind: "select",
      options: ["Low", "High"],
      applies_to: ["bug"],
    });
    expect(data).toEqual({
      id: expect.any(String),
      name: "Severity",
      kind: "select",
      options: ["Low", "High"],
      applies_to: ["bug"],
      required: false,
      rank: expect.any(String),
      description: null,
      default_value: null,
      min: null,
      max: null,
      precision: null,
      value_count: 0,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    await define(here, { name: "Last" });
    await define(here, { name: "First", before: data.id });
    await define(here, { name: "Second", after: (await fields(here))[0]!.id.toUpperCase() });
    expect(await names(here)).toEqual(["First", "Second", "Severity", "Last"]);
    const page = (await here.owner.get("P/custom-field-defs?limit=3").expect(200)).body;
    const rest = await here.owner.get(`P/custom-field-defs?limit=3&cursor=${page.pagination.next_cursor}`).expect(200);
    expect(rest.data.map(({ name }: Field) => name)).toEqual(["Last"]);
    expect((await eventsOf(here, "custom_field.%"))[0]).toMatchObject({ type: "custom_field.created", data });
  });

  test("that are invalid are refused", async () => {
    const here = await world();
    await define(here, { name: "Taken" });
    const refusals: [object, string, string][] = [
      [{ name: " " }, "/name", "too_short"],
      [{ name: "x".repeat(61) }, "/name", "too_long"],
      [{ kind: "colour" }, "/kind", "not_allowed"],
      [{ kind: "select" }, "/options", "required"],
      [{ kind: "select", options: [] }, "/options", "too_few_items"],
      [{ kind: "select", options: ["a", "A"] }, "/options", "duplicate"],
      [{ kind: "select", options: ["x".repeat(61)] }, "/options/0", "too_long"],
      [{ kind: "multi_select", options: Array.from({ length: 101 }, (_, n) => `${n}`) }, "/options", "too_many_items"],
      [{ options: ["a"] }, "/options", "not_allowed"],
      [{ min: 1 }, "/min", "not_allowed"],
      [{ kind: "number", min: 2, max: 1 }, "/max", "too_small"],
      [{ kind: "number", precision: 7 }, "/precision", "too_large"],
      [{ kind: "number", max: 1, default_value: 2 }, "/default_value", "too_large"],
      [{ kind: "select", options: ["a"], default_value: "b" }, "/default_value", "not_allowed"],
      [{ applies_to: ["chapter"] }, "/applies_to/0", "not_allowed"],
      [{ description: "x".repeat(301) }, "/description", "too_long"],
    ];
    for (const [body, path, code] of refusals) {
      const reply = await here.owner.post("P/custom-field-defs", { name: "New", kind: "text", ...body });
      expect(errorsOf(await reply), JSON.stringify(body)).toMatchObject([{ path, code }]);
    }
    await here.owner.post("P/custom-field-defs", { name: "tAKEN", kind: "text" }).expect(409, "already_exists");
    await here.owner
      .post("P/custom-field-defs", { name: "New", kind: "user", default_value: "nobody@x.test" })
      .expect(400, "invalid_reference");
    await here.owner
      .post("P/custom-field-defs", { name: "New", kind: "text", before: "nothing" })
      .expect(400, "invalid_reference");
    const [{ id, rank }] = (await fields(here)) as [Field];
    await here.owner
      .post("P/custom-field-defs", { name: "New", kind: "text", before: id, rank })
      .expect(400, "mutually_exclusive");
    await here.owner.patch(`P/custom-field-defs/${id}`, { before: id, after: id }).expect(400, "mutually_exclusive");
    expect(await names(here)).toEqual(["Taken"]);
  });

  test("record an event with the changed fields, and none without a change", async () => {
    const here = await world();
    const field = await define(here, { kind: "number", min: 1, default_value: 3 });
    await define(here, { name: "Other" });
    const path = `P/custom-field-defs/${field.id}`;
    await here.owner.patch(path, {}).expect(200);
    await here.owner.patch(path, { name: "Field", min: 1, required: false }).expect(200);
    const { data } = await here.owner.patch(path, { name: "Points", min: 5, rank: "b99" }).expect(200);
    expect(data).toMatchObject({ name: "Points", min: 5, max: null, default_value: null, rank: "b99" });
    expect(await names(here)).toEqual(["Other", "Points"]);
    expect(await eventsOf(here, "custom_field.updated")).toMatchObject([
      {
        data,
        changed: ["name", "rank", "default_value", "min"],
        previous: { name: "Field", rank: field.rank, default_value: 3, min: 1 },
      },
    ]);
    await here.owner.patch(path, { name: "oTHER" }).expect(409, "already_exists");
    await here.owner.patch(path, { kind: "select" }).expect(400, "validation_failed");
    const turned = await here.owner.patch(path, { kind: "select", options: ["a"], default_value: "A" }).expect(200);
    expect(turned.data).toMatchObject({ kind: "select", options: ["a"], default_value: "a", min: null });
  });

  test("give new issues defaults of a limited total length", async () => {
    const here = await world();
    const first = await define(here, { name: "First", default_value: "x".repeat(10_000) });
    const body = { name: "Second", kind: "text", default_value: "x".repeat(6_400) };
    const reply = await here.owner.post("P/custom-field-defs", body).expect(400, "validation_failed");
    expect(errorsOf(reply)).toMatchObject([{ path: "/default_value", code: "too_long", maximum: 16_384 }]);
    const second = await define(here, { ...body, default_value: "x".repeat(6_300) });
    const path = `P/custom-field-defs/${second.id}`;
    await here.owner.patch(path, { default_value: body.default_value }).expect(400, "validation_failed");
    await here.owner.patch(`P/custom-field-defs/${first.id}`, { default_value: null }).expect(200);
    await here.owner.patch(path, { default_value: body.default_value }).expect(200);
  });

  test("count towards the plan's limit, even if created concurrently", async () => {
    const here = await world({ plan: "free" });
    const replies = await Promise.all(
      Array.from({ length: 9 }, (_, n) => here.owner.post("P/custom-field-defs", { name: `F${n}`, kind: "text" })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(4).fill(403)]);
    const refused = replies.find(({ status }) => status === 403)!;
    expect(refused.body.error.details).toMatchObject({ limit: 5, used: 5, required_plan: "pro" });
    const ranks = (await fields(here)).map(({ rank }) => rank);
    expect(new Set(ranks).size).toBe(5);
    await here.owner.delete(`P/custom-field-defs/${(await fields(here))[0]!.id}`).expect(200);
    await define(here, { name: "Room" });
  });

  test("of another project are not found", async () => {
    const here = await world();
    const foreign = await define(await here.other(), {});
    const { key } = await file(here);
    await here.owner.patch(`P/custom-field-defs/${foreign.id}`, { name: "x" }).expect(404);
    await put(here, key, foreign.id, "x").expect(404);
    await here.owner
      .patch(`P/issues/${key}`, { custom_fields: { [foreign.id]: "x" } })
      .expect(400, "invalid_reference");
    await here.owner
      .post("P/issues", { title: "x", custom_fields: { [foreign.id]: "x" } })
      .expect(400, "invalid_reference");
  });
});

describe("values", () => {
  test("of each kind are checked and stored in a normal form", async () => {
    const here = await world();
    const { owner } = here;
    const { key } = await file(here);
    const me = owner.userId;
    const choice = { options: ["Low", "Mid", "High"] };
    const kinds: [Record<string, unknown>, [unknown, unknown, string?][], [unknown, string][]][] = [
      [
        { kind: "text" },
        [
          ["a\nb", "a\nb"],
          ["x".repeat(10_000), "x".repeat(10_000)],
        ],
        [
          [1, "type"],
          ["x".repeat(10_001), "too_long"],
        ],
      ],
      [
        { kind: "number", min: -1, max: 10, precision: 2 },
        [
          [0, 0, "0.00"],
          [-0.5, -0.5, "-0.50"],
          [0.07, 0.07],
          [10, 10],
        ],
        [
          ["1", "type"],
          [11, "too_large"],
          [-2, "too_small"],
          [0.125, "pattern"],
          [true, "type"],
        ],
      ],
      [{ kind: "number" }, [[1.23456789, 1.23456789, "1.23456789"]], [[1e300, "too_large"]]],
      [
        { kind: "select", ...choice },
        [
          ["Low", "Low"],
          [" high", "High"],
        ],
        [
          ["Hihg", "not_allowed"],
          [["Low"], "type"],
        ],
      ],
      [
        { kind: "multi_select", ...choice },
        [[["High", "low", "High"], ["Low", "High"], "Low, High"]],
        [
          ["Low", "type"],
          [["None"], "not_allowed"],
          [[1], "type"],
          [Array(51).fill("Low"), "too_many_items"],
        ],
      ],
      [
        { kind: "date" },
        [
          ["2026-02-28", "2026-02-28"],
          ["2026-02-28T23:30:00-02:00", "2026-02-28"],
          ["2026-12-01T00:00:00+02:00", "2026-12-01"],
        ],
        [
          ["2026-02-30", "pattern"],
          ["soon", "pattern"],
          [20260228, "type"],
        ],
      ],
      [
        { kind: "checkbox" },
        [
          [true, true, "Yes"],
          [false, false, "No"],
        ],
        [
          ["true", "type"],
          [1, "type"],
        ],
      ],
      [
        { kind: "url" },
        [["https://x.test/a?b#c", "https://x.test/a?b#c"]],
        [
          ["javascript:alert(1)", "pattern"],
          ["x.test", "pattern"],
          ["https://", "pattern"],
          ["http://a b", "pattern"],
        ],
      ],
      [
        { kind: "user" },
        [
          ["me", me, "Olive Owner"],
          [owner.email.toUpperCase(), me],
          [me.toUpperCase(), me],
        ],
        [[1, "type"]],
      ],
      [
        { kind: "project" },
        [
          ["web", here.project.id, "Website"],
          [here.project.id, here.project.id],
        ],
        [[{}, "type"]],
      ],
    ];
    for (const [n, [definition, good, bad]] of kinds.entries()) {
      const { id } = await define(here, { name: `F${n}`, ...definition });
      for (const [sent, stored, shown] of good) {
        const { data } = await put(here, key, id, sent).expect(200);
        expect(data).toMatchObject({ field_id: id, kind: definition.kind, value: stored, updated_by: me });
        if (shown) expect(data.display_value).toBe(shown);
        expect((await valuesOf(here, key))[id]).toEqual(stored);
      }
      for (const [sent, code] of bad) {
        const reply = await put(here, key, id, sent).expect(400, "validation_failed");
        expect(errorsOf(reply)[0].code, reply.text).toBe(code);
        expect(errorsOf(reply)[0].path).toMatch(/^\/value/);
      }
      const none = definition.kind === "multi_select" ? [] : definition.kind === "checkbox" ? null : "";
      expect((await put(here, key, id, none).expect(200)).data).toMatchObject({ value: null, display_value: null });
    }
    expect(await valuesOf(here, key)).toEqual({});
    await expectConsistent(here);
  });

  test("reference only people, projects and docs that the caller can see", async () => {
    const here = await world();
    const { key } = await file(here);
    const user = await define(here, { name: "User", kind: "user" });
    const project = await define(here, { name: "Project", kind: "project" });
    const doc = await define(here, { name: "Doc", kind: "doc" });
    const other = await here.other();
    for (const [field, value] of [
      [user, other.owner.userId],
      [user, "nobody@x.test"],
      [project, other.project.id],
      [project, "NONE"],
      [doc, other.project.id],
      [doc, (await other.owner.post("W/docs").expect(201)).data.id],
      [
        doc,
        (await here.as({ role: "admin" }).then((admin) => admin.post("W/docs", { visibility: "private" }))).data.id,
      ],
    ] as const) {
      await put(here, key, field.id, value).expect(400, "invalid_reference");
    }
    const { data: notes } = await here.owner.post("W/docs", { title: "Notes", visibility: "private" }).expect(201);
    expect((await put(here, key, doc.id, notes.id.toUpperCase()).expect(200)).data).toMatchObject({
      value: notes.id,
      display_value: "Notes",
    });
    await here.owner.post("W/projects", { key: "SEC", name: "Secret", scoped: true }).expect(201);
    const member = await here.as({ role: "member" });
    const path = `P/issues/${key}/custom-fields/${project.id}`;
    await member.put(path, { value: "SEC" }).expect(400, "invalid_reference");
    expect((await here.owner.put(path, { value: "SEC" }).expect(200)).data.display_value).toBe("Secret");
    const shown = (await member.get(`P/issues/${key}/custom-fields`).expect(200)).data;
    expect(shown[1]).toMatchObject({ name: "Project", display_value: null });
    expect(shown[2]).toMatchObject({ name: "Doc", value: notes.id, display_value: null });
    expect((await member.get(`P/issues/${key}/activity`).expect(200)).text).not.toContain("Secret");
  });

  test("of an issue have a maximum total length", async () => {
    const here = await world();
    const { sql, owner } = here;
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.push((await define(here, { name: `F${n}` })).id);
    const long = "x".repeat(9_500);
    const six = Object.fromEntries(ids.slice(0, 6).map((id) => [id, long]));
    const { key, id } = await file(here, { custom_fields: six });
    const wrong = { code: "too_long", maximum: 65_536 };
    const put7 = await put(here, key, ids[6]!, long).expect(400, "validation_failed");
    expect(errorsOf(put7)).toMatchObject([{ path: "/value", ...wrong }]);
    const custom_fields = { ...six, [ids[6]!]: long };
    for (const call of [
      owner.patch(`P/issues/${key}`, { custom_fields }),
      owner.post("P/issues", { title: "x", custom_fields }),
    ]) {
      expect(errorsOf(await call.expect(400, "validation_failed"))).toMatchObject([wrong]);
    }
    // From before there was a limit: it may become less, but not more.
    await sql(
      `update issue set custom_fields = custom_fields || jsonb_build_object('old', repeat('x', 60000)) where id = $1`,
      [id],
    );
    await put(here, key, ids[0]!, "y").expect(200);
    await put(here, key, ids[0]!, "yy").expect(400);
  });

  test("are listed for every field that applies, with a warning for required ones", async () => {
    const here = await world();
    const bug = await define(here, { name: "Bug", applies_to: ["bug"] });
    const must = await define(here, { name: "Must", kind: "checkbox", required: true });
    const { key } = await file(here, { type: "bug" });
    const path = `P/issues/${key}/custom-fields`;
    const { body } = await here.owner.get(path).expect(200);
    const unset = { value: null, display_value: null, updated_by: null, updated_at: null };
    expect(body.data).toEqual([
      { field_id: bug.id, name: "Bug", kind: "text", ...unset },
      { field_id: must.id, name: "Must", kind: "checkbox", ...unset },
    ]);
    expect(body.pagination).toEqual({ next_cursor: null });
    expect(body.warnings).toMatchObject([{ code: "required_field_missing", fields: [{ id: must.id, name: "Must" }] }]);
    await put(here, key, must.id, false).expect(200);
    expect((await here.owner.get(path).expect(200)).body.warnings).toBeUndefined();
    const cleared = await here.owner.delete(`${path}/${must.id}`).expect(200);
    expect(cleared.data).toMatchObject({ field_id: must.id, value: null });
    expect(cleared.body.warnings).toMatchObject([{ code: "required_field_missing" }]);
    await here.owner.delete(`${path}/${must.id}`).expect(200);

    const task = await file(here);
    expect((await here.owner.get(`P/issues/${task.key}/custom-fields`).expect(200)).data).toHaveLength(1);
    await put(here, task.key, bug.id, "x").expect(400, "invalid_reference");
    expect((await put(here, task.key, bug.id, null).expect(200)).data).toMatchObject({ value: null });
  });

  test("are recorded as issue.updated and one history entry each, and only if they change", async () => {
    const here = await world();
    const { id } = await define(here, { name: "Owner", kind: "user" });
    const issue = await file(here);
    await put(here, issue.key, id, "me").expect(200);
    await put(here, issue.key, id, here.owner.email).expect(200);
    const { data: after } = await here.owner.get(`P/issues/${issue.key}`).expect(200);
    await here.owner.put(`P/issues/${issue.key}/custom-fields/${id}`, {}).expect(200);
    const me = here.owner.userId;
    expect(await eventsOf(here, "issue.updated")).toMatchObject([
      { issue_id: issue.id, data: after, changed: ["custom_fields"], previous: { custom_fields: {} } },
      { changed: ["custom_fields"], previous: { custom_fields: { [id]: me } }, data: { custom_fields: {} } },
    ]);
    const line = { field: `custom_field:${id}`, field_name: "Owner" };
    expect((await linesOf(here, issue.key)).slice(0, 2)).toEqual([
      { kind: "field_cleared", ...line, from: me, from_name: "Olive Owner", to: null, to_name: null },
      { kind: "field_set", ...line, from: null, from_name: null, to: me, to_name: "Olive Owner" },
    ]);
    await here.owner.delete(`P/issues/${issue.key}`).expect(200);
    await put(here, issue.key, id, "me").expect(409, "archived");
  });

  test("can be set by field id or name, on new issues and in changes", async () => {
    const here = await world();
    const { owner } = here;
    const size = await define(here, { name: "T-shirt/size", kind: "select", options: ["S", "L"] });
    const lead = await define(here, { name: "Lead", kind: "user" });
    const issue = await file(here, { custom_fields: { [size.id.toUpperCase()]: "s", lead: "me" } });
    expect(issue.custom_fields).toEqual({ [size.id]: "S", [lead.id]: owner.userId });
    const changed = await owner
      .patch(`P/issues/${issue.key}`, { title: "y", custom_fields: { "t-SHIRT/size": null } })
      .expect(200);
    expect(changed.data.custom_fields).toEqual({ [lead.id]: owner.userId });
    expect((await eventsOf(here, "issue.%")).map(({ type, changed: fields }) => [type, fields])).toEqual([
      ["issue.created", null],
      ["issue.updated", ["title", "custom_fields"]],
    ]);

    const wrong = await owner.post("P/issues", { title: "x", custom_fields: { "T-shirt/size": "XL" } });
    expect(errorsOf(wrong)).toMatchObject([{ path: "/custom_fields/T-shirt~1size", code: "not_allowed" }]);
    const twice = { custom_fields: { lead: "me", [lead.id]: null } };
    await owner.post("P/issues", { title: "x", ...twice }).expect(400, "mutually_exclusive");
    await owner.patch(`P/issues/${issue.key}`, twice).expect(400, "mutually_exclusive");
    await owner.patch(`P/issues/${issue.key}`, { custom_fields: { nothing: 1 } }).expect(400, "invalid_reference");

    const items = [
      { title: "a", custom_fields: { lead: "me" } },
      { title: "b", custom_fields: { lead: 7 } },
      { title: "c" },
    ];
    const bulk = await owner.post("P/issues/bulk", { items }).expect(207);
    expect(bulk.data.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false, true]);
    expect((await fields(here)).map(({ value_count }) => value_count)).toEqual([0, 2]);
    await expectConsistent(here);
  });

  test("have defaults on new issues, which get a warning for missing required ones", async () => {
    const here = await world();
    const { owner } = here;
    // What a process remembers of the project must not outlive the definition.
    expect((await file(here)).custom_fields).toEqual({});
    const stage = await define(here, { name: "Stage", kind: "select", options: ["a", "b"], default_value: "b" });
    const left = await here.as({ role: "member" });
    await define(here, { name: "Contact", kind: "user", default_value: left.userId });
    await define(here, { name: "Epic only", kind: "checkbox", default_value: true, applies_to: ["epic"] });
    await define(here, { name: "Why", required: true });
    await owner.delete(`W/members/${left.userId}`).expect(200);
    const { body } = await owner.post("P/issues", { title: "x" }).expect(201);
    expect(body.data.custom_fields).toEqual({ [stage.id]: "b" });
    expect(body.warnings).toMatchObject([{ code: "required_field_missing", fields: [{ name: "Why" }] }]);
    const own = await owner.post("P/issues", { title: "x", custom_fields: { Stage: null, Why: "y" } }).expect(201);
    expect(own.data.custom_fields).not.toHaveProperty(stage.id);
    expect(own.body.warnings).toBeUndefined();
    await expectConsistent(here);
  });
});

describe("fields in use", () => {
  test("keep their kind until the last value is deleted", async () => {
    const here = await world();
    const { id } = await define(here, {});
    const { key } = await file(here, { custom_fields: { Field: "x" } });
    const reply = await here.owner.patch(`P/custom-field-defs/${id}`, { kind: "url" }).expect(409, "field_in_use");
    expect(reply.body.error.details).toMatchObject({ value_count: 1 });
    await here.owner.patch(`P/custom-field-defs/${id}`, { kind: "text", name: "Same" }).expect(200);
    await put(here, key, id, null).expect(200);
    await here.owner.patch(`P/custom-field-defs/${id}`, { kind: "url" }).expect(200);
  });

  test("never contain a value of another kind, in any order of calls", async () => {
    const here = await world();
    const issue = await file(here);
    for (let round = 0; round < 6; round++) {
      const { id } = await define(here, { name: `F${round}` });
      const [kind, ...values] = await Promise.all([
        here.owner.patch(`P/custom-field-defs/${id}`, { kind: "number" }),
        put(here, issue.key, id, "text"),
        here.owner.post("P/issues", { title: "x", custom_fields: { [id]: "text" } }),
        here.owner.patch(`P/issues/${issue.key}`, { custom_fields: { [id]: "more" } }),
      ]);
      expect([200, 409]).toContain(kind.status);
      for (const reply of values) expect([200, 201, 400], reply.text).toContain(reply.status);
      const stored = await here.sql<{ value: unknown }>(`select value from custom_field_value where field_id = $1`, [
        id,
      ]);
      expect(stored.every(({ value }) => typeof value === (kind.status === 200 ? "number" : "string"))).toBe(true);
    }
    await expectConsistent(here);
  });

  test("lose the values of removed options, with an event for each issue", async () => {
    const here = await world();
    const options = ["a", "b", "c"];
    const one = await define(here, { name: "One", kind: "select", options, default_value: "c" });
    const some = await define(here, { name: "Some", kind: "multi_select", options, default_value: ["b", "c"] });
    const issues = [
      await file(here, { custom_fields: { One: "a", Some: ["a", "b"] } }),
      await file(here, { custom_fields: { One: "b", Some: ["b", "c"] } }),
      await file(here, { custom_fields: { One: "c", Some: ["c"] } }),
    ];
    for (const { id } of [one, some]) {
      const { data } = await here.owner.patch(`P/custom-field-defs/${id}`, { options: ["b", "a"] }).expect(200);
      expect(data).toMatchObject({ options: ["b", "a"], value_count: 2 });
    }
    expect((await fields(here)).map((field) => (field as unknown as { default_value: unknown }).default_value)).toEqual(
      [null, ["b"]],
    );
    const values = await Promise.all(issues.map(({ key }) => valuesOf(here, key)));
    expect(values).toEqual([{ [one.id]: "a", [some.id]: ["a", "b"] }, { [one.id]: "b", [some.id]: ["b"] }, {}]);
    const events = await eventsOf(here, "issue.updated");
    expect(events.map(({ issue_id }) => issue_id)).toEqual([issues[2].id, issues[1].id, issues[2].id]);
    expect(events[1]).toMatchObject({
      previous: { custom_fields: { [some.id]: ["b", "c"] } },
      changed: ["custom_fields"],
    });
    expect((await linesOf(here, issues[1].key))[0]).toMatchObject({ kind: "field_set", to: ["b"], field_name: "Some" });
    await expectConsistent(here);
  });

  test("keep their values when only the spelling of their options changes", async () => {
    const here = await world();
    const one = await define(here, { name: "One", kind: "select", options: ["low", "high"], default_value: "low" });
    const some = await define(here, { name: "Some", kind: "multi_select", options: ["low", "high"] });
    const { key } = await file(here, { custom_fields: { One: "high", Some: ["low", "high"] } });
    for (const { id } of [one, some]) {
      await here.owner.patch(`P/custom-field-defs/${id}`, { options: ["Low", "High"] }).expect(200);
    }
    expect(await valuesOf(here, key)).toEqual({ [one.id]: "High", [some.id]: ["Low", "High"] });
    expect(await fields(here)).toMatchObject([{ default_value: "Low", value_count: 1 }, { value_count: 1 }]);
    expect(await linesOf(here, key)).toMatchObject([
      { kind: "field_set", field_name: "Some", from: ["low", "high"], to: ["Low", "High"] },
      { kind: "field_set", field_name: "One", from: "high", to: "High" },
      { kind: "created" },
    ]);
    await expectConsistent(here);
  });

  test("are deleted with their values from any number of issues", async () => {
    const here = await world();
    const { id } = await define(here, { name: "Contact", kind: "user" });
    const items = Array.from({ length: 50 }, (_, n) => ({ title: `${n}`, custom_fields: { Contact: "me" } }));
    for (let n = 0; n < 9; n++) await here.owner.post("P/issues/bulk", { items }).expect(201);
    await here.owner.delete("P/issues/WEB-1").expect(200);
    expect((await fields(here))[0]!.value_count).toBe(450);
    const { data } = await here.owner.delete(`P/custom-field-defs/${id}`).expect(200);
    expect(data).toEqual({ id, deleted: true, values_deleted: 450 });
    await here.owner.delete(`P/custom-field-defs/${id}`).expect(404);
    expect(await valuesOf(here, "WEB-1")).toEqual({});
    // A worker changes so many.
    await drain();
    expect(await eventsOf(here, "issue.updated")).toHaveLength(450);
    expect(await eventsOf(here, "custom_field.deleted")).toMatchObject([{ data: { id, value_count: 450 } }]);
    expect((await linesOf(here, "WEB-2"))[0]).toMatchObject({
      kind: "field_cleared",
      field_name: "Contact",
      from_name: "Olive Owner",
    });
    await define(here, { name: "Contact" });
    await expectConsistent(here);
  });

  test("stay consistent during concurrent calls of every kind", async () => {
    const here = await world();
    const { owner } = here;
    const a = await define(here, { name: "A", kind: "select", options: ["x", "y"] });
    const b = await define(here, { name: "B", kind: "text" });
    const issues = await Promise.all(Array.from({ length: 5 }, () => file(here)));
    const calls = Array.from({ length: 60 }, (_, n) => {
      const { key } = issues[n % 5];
      const both = n % 2 ? { B: `${n}`, A: "x" } : { A: "y", B: null };
      if (n % 6 === 0) return owner.post("P/issues", { title: "x", parent: key, custom_fields: both });
      if (n % 6 === 1) return owner.patch(`P/issues/${key}`, { custom_fields: both, status: n % 4 ? "done" : "todo" });
      if (n % 6 === 2) return put(here, key, n % 4 ? a.id : b.id, "x");
      if (n % 6 === 3)
        return owner.post("P/issues/bulk", { items: [{ title: "x", custom_fields: both }, { title: "y" }] });
      if (n % 6 === 4) return owner.patch(`P/custom-field-defs/${a.id}`, { options: n % 4 ? ["x"] : ["y", "x"] });
      return n === 41 ? owner.delete(`P/custom-field-defs/${b.id}`) : put(here, key, b.id, `${n}`);
    });
    const replies = await Promise.all(calls);
    for (const reply of replies) expect([200, 201, 207, 400, 404], reply.text).toContain(reply.status);
    await expectConsistent(here);
    const stray = await here.sql(
      `select 1 from custom_field_value v join custom_field f on f.id = v.field_id
       where f.deleted_at is not null or (f.id = $1 and not v.value <@ to_jsonb(f.options))`,
      [a.id],
    );
    expect(stray).toEqual([]);
  });
});
