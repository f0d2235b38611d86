import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

/** Forms keep the limits of the key that last defined them. */

const SUMMARY = { kind: "short_text", label: "Summary", mapping: "title" };
const OPEN = { title: "Requests", status: "published", public_enabled: true };
const make = async (client: Client, body: object = {}) =>
  (await client.post("P/forms", { ...OPEN, fields: [SUMMARY], ...body }).expect(201)).data;
const answer = ({ owner }: World, { id, fields }: { id: string; fields: { id: string }[] }, ...answers: string[]) =>
  owner.post(`P/forms/${id}/submissions`, {
    answers: Object.fromEntries(answers.map((one, n) => [fields[n]!.id, one])),
  });
const limited = (here: World) => here.keyFor(here.owner, { projectIds: [here.project.id] });
const keyOf = async ({ sql }: World, { id }: { id: string }) =>
  (await sql<{ key_id: string | null }>("select key_id from form where id = $1", [id]))[0]!.key_id;

test("a key that may not create issues sets up no form that does", async () => {
  const here = await world();
  const weak = await here.keyFor(here.owner, { scopes: ["forms:read", "forms:write"] });
  const refused = async (reply: ReturnType<Client["post"]>) =>
    (await reply.expect(403, "insufficient_scope")).body.error.details.required_scope;
  expect(await refused(weak.post("P/forms", OPEN))).toBe("issues:write");
  const form = await make(here.owner);
  const before = await keyOf(here, form);
  for (const body of [{ priority: "high" }, { fields: [] }, { status: "published" }, { public_enabled: true }]) {
    expect(await refused(weak.patch(`P/forms/${form.id}`, body))).toBe("issues:write");
  }
  await weak.patch(`P/forms/${form.id}`, { title: "Wishes", header_text: "Hello" }).expect(200);
  await weak.patch(`P/forms/${form.id}`, { status: "closed" }).expect(200);
  expect(await refused(weak.patch(`P/forms/${form.id}`, { status: "published" }))).toBe("issues:write");
  expect(await keyOf(here, form)).toBe(before);
});

test("a form that a limited key changes or opens reaches only the projects of the key", async () => {
  const here = await world();
  await here.hidden();
  const key = await limited(here);
  const { data: field } = await here.owner.post("P/custom-field-defs", { name: "Of", kind: "project" }).expect(201);
  const choice = { kind: "select", label: "Which?", options: ["Hidden"], custom_field_id: field.id };
  await key.post("P/forms", { ...OPEN, fields: [choice] }).expect(400);
  const [kept, changed, opened] = await Promise.all([1, 2, 3].map(() => make(here.owner, { fields: [choice] })));
  const valuesOf = async (form: typeof kept) => {
    const { data } = await answer(here, form, "Hidden").expect(201);
    const { data: issue } = await here.owner.get(`P/issues/${data.created_issue_key}`).expect(200);
    return Object.keys(issue.custom_fields);
  };
  await key.patch(`P/forms/${kept.id}`, { description: "Hello" }).expect(200);
  await key.patch(`P/forms/${changed.id}`, { priority: "high" }).expect(200);
  await key.patch(`P/forms/${opened.id}`, { status: "closed" }).expect(200);
  await key.patch(`P/forms/${opened.id}`, { status: "published" }).expect(200);
  expect(await valuesOf(kept)).toEqual([field.id]);
  expect(await valuesOf(changed)).toEqual([]);
  expect(await valuesOf(opened)).toEqual([]);
  await here.owner.patch(`P/forms/${changed.id}`, { priority: "low" }).expect(200);
  expect(await valuesOf(changed)).toEqual([field.id]);
});

const END = {
  revoked: "update api_key set revoked_at = now() where id = $1",
  expired: "update api_key set expires_at = now() - interval '1 second' where id = $1",
  deleted: "delete from api_key where id = $1",
};

test.each(Object.entries(END))("a form takes no answers when its key has ended: %s", async (_, text) => {
  const here = await world();
  const form = await make(await limited(here));
  expect(form).toMatchObject({ accepting: true, disabled_reason: null });
  await answer(here, form, "Before").expect(201);
  await here.sql(text, [await keyOf(here, form)]);
  const ended = { accepting: false, disabled_reason: "credential_ended" };
  const { data } = await here.owner.get(`P/forms/${form.id}`).expect(200);
  const { data: list } = await here.owner.get("P/forms").expect(200);
  expect([data, list[0]]).toMatchObject([ended, ended]);
  const { body } = await answer(here, form, "After").expect(409, "form_closed");
  expect(body.error).toMatchObject({
    message: expect.stringContaining("the key that set it up was revoked"),
    details: { reason: "credential_ended" },
  });
  const page = await (await browser(here.app)).get(new URL(form.share_url).pathname);
  expect([page.status, page.text]).toEqual([409, expect.stringContaining("does not accept answers now")]);
  // A rename is no takeover; opening the form is.
  await here.owner.patch(`P/forms/${form.id}`, { title: "Wishes" }).expect(200);
  await answer(here, form, "After").expect(409, "form_closed");
  const { data: again } = await here.owner.patch(`P/forms/${form.id}`, { status: "published" }).expect(200);
  expect(again).toMatchObject({ accepting: true, disabled_reason: null });
  await answer(here, form, "Later").expect(201);
  expect((await here.owner.get("P/issues").expect(200)).data).toHaveLength(2);
});

test("a key that may work on the form's project or create issues no longer creates none through it", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const form = await make(await limited(here));
  const set = (table: string, column: string, id: string | null, value: unknown) =>
    here.sql(`update ${table} set ${column} = $2 where id = $1`, [id, value]);
  await set("form", "key_scopes", form.id, ["forms:write"]);
  await answer(here, form, "Scopes").expect(409, "form_closed");
  await set("form", "key_scopes", form.id, ["issues:write"]);
  await set("api_key", "project_ids", await keyOf(here, form), [hidden.project.id]);
  await answer(here, form, "Projects").expect(409, "form_closed");
  expect((await here.owner.get("P/issues").expect(200)).data).toEqual([]);
});

test("a form takes no answers once the person of its key is no admin any more, until an admin opens it", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const form = await make(admin);
  await answer(here, form, "Before").expect(201);
  await here.owner.patch(`W/members/${admin.userId}`, { role: "member" }).expect(200);
  const ended = { accepting: false, disabled_reason: "credential_ended" };
  expect((await here.owner.get(`P/forms/${form.id}`).expect(200)).data).toMatchObject(ended);
  await answer(here, form, "After").expect(409, "form_closed");
  expect((await here.owner.patch(`P/forms/${form.id}`, { title: "Wishes" }).expect(200)).data).toMatchObject(ended);
  const { data } = await here.owner.patch(`P/forms/${form.id}`, { status: "published" }).expect(200);
  expect(data).toMatchObject({ accepting: true, disabled_reason: null });
  await answer(here, form, "Later").expect(201);
});
