import { expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

/** Forms over the API: what they may be, how they change, and who may see what was submitted. */

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies freely
type Json = any;

const text = (label: string, more: object = {}) => ({ kind: "short_text", label, ...more });
const make = async ({ owner }: World, body: object = {}): Promise<Json> =>
  (await owner.post("P/forms", { title: "Bugs", ...body }).expect(201)).data;

test("a new form is a draft that no one else sees", async () => {
  const here = await world();
  const form = await make(here, { description: "What broke?", fields: [text("Summary", { mapping: "title" })] });
  expect(form).toEqual({
    id: expect.any(String),
    title: "Bugs",
    description: "What broke?",
    status: "draft",
    public_enabled: false,
    share_url: null,
    submission_count: 0,
    accepting: false,
    disabled_reason: null,
    created_by: here.owner.userId,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    issue_type: "task",
    priority: "medium",
    success_message: null,
    accent_color: null,
    header_text: null,
    show_project_header: true,
    close_at: null,
    response_limit: null,
    one_per_email: false,
    confirmation_mode: "message",
    redirect_url: null,
    default_assignee_id: null,
    default_label_ids: [],
    default_sprint_id: null,
    default_status_id: null,
    access_mode: "anyone",
    allowed_emails: [],
    has_password: false,
    notify_submission: false,
    confirmation_email: false,
    fields: [
      {
        id: expect.any(String),
        position: 0,
        kind: "short_text",
        label: "Summary",
        help_text: null,
        placeholder: null,
        required: false,
        options: [],
        mapping: "title",
        min_value: null,
        max_value: null,
        max_length: null,
        default_value: null,
        visibility_rule: null,
        custom_field_id: null,
        created_at: form.created_at,
      },
    ],
  });
  expect((await here.owner.get(`P/forms/${form.id}`).expect(200)).data).toEqual(form);
  const { data: list } = await here.owner.get("P/forms").expect(200);
  expect(Object.keys(list[0])).toHaveLength(12);
  expect(form).toMatchObject(list[0]);
});

test("fields keep their ids through changes, and errors name the field", async () => {
  const here = await world();
  const { owner } = here;
  const form = await make(here, {
    fields: [
      text("First"),
      { kind: "select", label: "Second", options: ["A", "B"], default_value: "B" },
      text("Third", { visibility_rule: { field: 1, op: "is", value: "A" } }),
    ],
  });
  const [first, second, third] = form.fields;
  expect(third.visibility_rule).toEqual({ field: second.id, op: "is", value: "A" });

  // As they are read, turned around; and one that is new.
  const { data: turned } = await owner
    .patch(`P/forms/${form.id}`, { fields: [second, { kind: "date", label: "New" }, third, { id: first.id }] })
    .expect(200);
  expect(turned.fields.map(({ id, position }: Json) => [id, position])).toEqual([
    [second.id, 0],
    [expect.any(String), 1],
    [third.id, 2],
    [first.id, 3],
  ]);
  expect(turned.fields[3]).toEqual({ ...first, position: 3 });
  const { data: listed } = await owner.get(`P/forms/${form.id}/fields?limit=3`).expect(200);
  expect(listed).toEqual(turned.fields.slice(0, 3));

  const refused = async (fields: object[], path: string, code = "validation_failed") => {
    const { body } = await owner.patch(`P/forms/${form.id}`, { fields }).expect(400, code);
    const { details } = body.error;
    expect(details.path ?? details.errors[0].path, JSON.stringify(body)).toBe(path);
  };
  await refused([third, second], "/fields/0/visibility_rule/field", "invalid_reference");
  await refused([third], "/fields/0/visibility_rule/field", "invalid_reference");
  const rule = (field: unknown, op = "is_set", value: unknown = null) => ({ visibility_rule: { field, op, value } });
  await refused([text("x", rule(0))], "/fields/0/visibility_rule/field");
  await refused([text("x", rule(1)), text("y", rule(0))], "/fields/0/visibility_rule/field", "invalid_reference");
  await refused([{ kind: "section", label: "x" }, text("y", rule(0))], "/fields/1/visibility_rule/field");
  await refused([text("x"), text("y", rule(0, "is"))], "/fields/1/visibility_rule/value");
  await refused([{ id: first.id }, { id: first.id }], "/fields/1/id");
  await refused([{ id: form.id }], "/fields/0/id", "invalid_reference");
  await refused([{ label: "x" }], "/fields/0/kind");
  await refused([{ kind: "date" }], "/fields/0/label");
  await refused([{ kind: "select", label: "x" }], "/fields/0/options");
  await refused([{ kind: "radio", label: "x", options: [] }], "/fields/0/options");
  await refused([{ kind: "radio", label: "x", options: ["a", "a"] }], "/fields/0/options");
  await refused([text("x", { options: ["a"] })], "/fields/0/options");
  await refused([text("x", { mapping: "title" }), text("y", { mapping: "title" })], "/fields/1/mapping");
  await refused([{ kind: "date", label: "x", mapping: "title" }], "/fields/0/mapping");
  await refused([text("x", { mapping: "priority" })], "/fields/0/mapping");
  await refused([text("x", { min_value: 1 })], "/fields/0/min_value");
  await refused([{ kind: "date", label: "x", max_length: 1 }], "/fields/0/max_length");
  await refused([{ kind: "number", label: "x", min_value: 3, max_value: 2 }], "/fields/0/max_value");
  await refused([{ kind: "rating", label: "x", max_value: 11 }], "/fields/0/max_value");
  await refused([{ kind: "number", label: "x", min_value: 3, default_value: "2" }], "/fields/0/default_value");
  await refused([{ kind: "select", label: "x", options: ["a"], default_value: "b" }], "/fields/0/default_value");
  await refused([{ kind: "email", label: "x", default_value: "b" }], "/fields/0/default_value");
  await refused([text("x", { custom_field_id: form.id })], "/fields/0/custom_field_id", "invalid_reference");
  const { data: own } = await owner.post("P/custom-field-defs", { name: "Size", kind: "number" }).expect(201);
  await refused([text("x", { custom_field_id: own.id })], "/fields/0/custom_field_id");
  await refused([{ kind: "checkbox", label: "x", default_value: "maybe" }], "/fields/0/default_value");
  expect((await owner.get(`P/forms/${form.id}`).expect(200)).data).toEqual(turned);
});

test("fields can be changed although one sets a deleted custom field", async () => {
  const here = await world();
  const { data: own } = await here.owner.post("P/custom-field-defs", { name: "Area", kind: "text" }).expect(201);
  const form = await make(here, { fields: [text("Area", { custom_field_id: own.id })] });
  await here.owner.delete(`P/custom-field-defs/${own.id}`).expect(200);
  const [field] = form.fields;
  const set = (fields: object[]) => here.owner.patch(`P/forms/${form.id}`, { fields });
  const { data } = await set([{ ...field, label: "Place" }]).expect(200);
  expect(data.fields).toEqual([{ ...field, label: "Place" }]);
  await set([field, text("New", { custom_field_id: own.id })]).expect(400, "invalid_reference");
});

test("settings reference only objects of the project", async () => {
  const here = await world();
  const other = await here.other();
  const form = await make(here);
  const foreign = async (path: string, body: object) => {
    const { data } = await other.owner.post(path, body).expect(201);
    return data.id as string;
  };
  const set = (body: object) => here.owner.patch(`P/forms/${form.id}`, body);
  await set({ default_label_ids: [await foreign("P/labels", { name: "x" })] }).expect(400, "invalid_reference");
  await set({ default_sprint_id: await foreign("P/sprints", { name: "x" }) }).expect(400, "invalid_reference");
  await set({ default_status_id: other.columns.Done }).expect(400, "invalid_reference");
  await set({ default_assignee_id: other.owner.userId }).expect(400, "invalid_reference");
  for (const id of ["", "x"]) await set({ default_status_id: id }).expect(400, "invalid_reference");
  await set({ default_sprint_id: "" }).expect(400, "invalid_reference");
  await set({ confirmation_mode: "redirect" }).expect(400, "validation_failed");
  for (const url of ["http://example.com", "javascript:alert(1)", "https://a:b@example.com", "x"]) {
    await set({ confirmation_mode: "redirect", redirect_url: url }).expect(400, "invalid_url");
  }
  await set({ confirmation_mode: "redirect", redirect_url: "https://example.com/x" }).expect(200);
  await set({ redirect_url: null }).expect(400, "validation_failed");
  await set({ allowed_emails: ["nobody"] }).expect(400, "validation_failed");
  await set({ password: "abc" }).expect(400, "validation_failed");
  const { data } = await set({ default_assignee_id: here.owner.email, allowed_emails: ["A@b.de", "a@B.de"] }).expect(
    200,
  );
  expect(data).toMatchObject({ default_assignee_id: here.owner.userId, allowed_emails: ["a@b.de"] });
  const readBy = async (role: "member" | "viewer") =>
    (await (await here.as({ role })).get(`P/forms/${data.id}`).expect(200)).data.allowed_emails;
  expect(await readBy("member")).toEqual(["a@b.de"]);
  expect(await readBy("viewer")).toEqual([]);
});

test("a change is recorded once with the changed fields; no event without a change", async () => {
  const here = await world();
  const form = await make(here);
  const set = async (body: object) => (await here.owner.patch(`P/forms/${form.id}`, body).expect(200)).data;
  const events = () =>
    here.sql<{ type: string; data: Json; changed: string[] | null; previous: Json }>(
      `select type, data, changed, previous from event where workspace_id = $1 and type like 'form.%' order by id`,
      [here.workspace.id],
    );
  const published = await set({ status: "published", public_enabled: true });
  expect(published.share_url).toMatch(/^https:\/\/muster\.test\/f\/[\w-]{43}$/);
  await set({ status: "published" });
  await set({});
  await set({ password: "secret" });
  await set({ password: "secret" });
  const last = await set({ password: null });
  await here.owner.delete(`P/forms/${form.id}`).expect(200);
  const all = await events();
  expect(all.map(({ type, changed }) => [type, changed])).toEqual([
    ["form.created", null],
    ["form.updated", ["status", "public_enabled", "share_url"]],
    ["form.updated", ["has_password"]],
    ["form.updated", ["has_password"]],
    ["form.deleted", null],
  ]);
  expect(all[1]!.data).toEqual(published);
  expect(all[1]!.previous).toEqual({ status: "draft", public_enabled: false, share_url: null });
  expect(all.at(-1)!.data).toEqual(last);
  expect(JSON.stringify(all)).not.toContain("scrypt");
});

test("submissions are visible to members and outlive their form", async () => {
  const here = await world();
  const form = await make(here);
  const rows = await here.sql<{ id: string }>(
    `insert into form_submission (id, workspace_id, project_id, form_id, answers, source, one_per_email, confirmed,
                                  notified, created_at)
     select gen_random_uuid(), $1, $2, $3, '{}', 'public', false, false, false, now() + n * interval '1 ms'
     from generate_series(1, 5) n returning id`,
    [here.workspace.id, here.project.id, form.id],
  );
  const newest = rows.map(({ id }) => id).reverse();
  const pages: string[] = [];
  for (let cursor = ""; ; ) {
    const page = await here.owner.get(`P/forms/${form.id}/submissions?limit=2&cursor=${cursor}`).expect(200);
    pages.push(...page.data.map(({ id }: Json) => id));
    cursor = page.body.pagination.next_cursor;
    if (!cursor) break;
  }
  expect(pages).toEqual(newest);
  const viewer = await here.as({ role: "viewer" });
  await viewer.get(`P/forms/${form.id}`).expect(200);
  await viewer.get(`P/forms/${form.id}/submissions`).expect(403, "insufficient_role");
  await viewer.get(`P/forms/${form.id}/submissions/${newest[0]}`).expect(403, "insufficient_role");
  const other = await make(here);
  await here.owner.get(`P/forms/${other.id}/submissions/${newest[0]}`).expect(404);
  await here.owner.delete(`P/forms/${form.id}`).expect(200);
  await here.owner.delete(`P/forms/${form.id}`).expect(404);
  await here.owner.get(`P/forms/${form.id}/submissions`).expect(404);
  await here.owner.get(`P/forms/${form.id}/submissions/${newest[0]}`).expect(200);
});

test("the plan limits the number of forms, even if created concurrently", async () => {
  const here = await world({ plan: "free" });
  const both = await Promise.all([1, 2].map((n) => here.owner.post("P/forms", { title: `Form ${n}` })));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 403]);
  const [made] = both.filter(({ status }) => status === 201);
  await here.owner.delete(`P/forms/${made!.data.id}`).expect(200);
  await here.owner.post("P/forms", { title: "In its place" }).expect(201);
});

test("a program submits a form as its user, and an unpublished form only as an admin", async () => {
  const here = await world();
  const form = await make(here, {
    fields: [
      text("Summary", { mapping: "title", required: true }),
      { kind: "number", label: "Count" },
      { kind: "file", label: "Picture" },
      { kind: "section", label: "Part" },
      { kind: "checkbox", label: "Sure?" },
    ],
  });
  const [summary, count, picture, part, sure] = form.fields;
  const member = await here.as({ role: "member" });
  const post = (client: typeof member, answers: object, more: object = {}) =>
    client.post(`P/forms/${form.id}/submissions`, { answers, ...more });
  const good = { [summary.id.toUpperCase()]: "By program", [count.id]: 3 };
  await post(member, good).expect(409, "form_closed");
  await post(here.owner, good).expect(201);
  await here.owner.patch(`P/forms/${form.id}`, { status: "published", password: "secret" }).expect(200);
  const { data } = await post(member, good, { submitter_email: "Ann@example.com" }).expect(201);
  expect(data).toMatchObject({
    source: "internal",
    submitter_email: "ann@example.com",
    submitter_user_id: member.userId,
    answers: { [summary.id]: "By program", [count.id]: 3 },
  });
  const { data: issue } = await here.owner.get(`P/issues/${data.created_issue_key}`).expect(200);
  expect(issue).toMatchObject({ title: "By program", reporter_id: member.userId });
  await post(member, {}).expect(400, "validation_failed");
  await post(member, { ...good, [form.id]: 1 }).expect(400, "invalid_reference");
  await post(member, { ...good, [part.id]: "x" }).expect(400, "invalid_reference");
  await post(member, { ...good, [picture.id]: { attachment_id: form.id } }).expect(400, "validation_failed");
  await post(member, { ...good, [count.id]: [1] }).expect(400, "validation_failed");
  for (const said of ["perhaps", { toString: 1 }, [true]]) {
    await post(member, { ...good, [sure.id]: said }).expect(400, "validation_failed");
  }
  await post(await here.as({ role: "viewer" }), good).expect(403, "insufficient_role");
});
