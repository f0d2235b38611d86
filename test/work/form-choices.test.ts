import { expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

/** Forms fill custom fields of users, projects and docs: only with what their makers offer. */

type Body = Record<string, unknown>;
const fieldOf = async ({ owner }: World, kind: string): Promise<string> =>
  (await owner.post("P/custom-field-defs", { name: `The ${kind}`, kind }).expect(201)).data.id;
const choice = (custom_field_id: string, options: string[], more: Body = {}) => ({
  kind: "select",
  label: "Which?",
  options,
  custom_field_id,
  ...more,
});
const named = async ({ sql }: World, userId: string, name: string) => {
  await sql(`update app_user set name = $2 where id = $1`, [userId, name]);
};

/** Submits answers, in the order of the form's fields, and returns the issue. */
async function sent(here: World, form: { id: string; fields: { id: string }[] }, ...answers: string[]) {
  const body = { answers: Object.fromEntries(answers.map((answer, n) => [form.fields[n]!.id, answer])) };
  const { data } = await here.owner.post(`P/forms/${form.id}/submissions`, body).expect(201);
  return (await here.owner.get(`P/issues/${data.created_issue_key}`).expect(200)).data;
}
const make = async ({ owner }: World, fields: object[]) =>
  (await owner.post("P/forms", { title: "Requests", status: "published", public_enabled: true, fields }).expect(201))
    .data;

test("forms fill user, project and doc fields with what their options name", async () => {
  const here = await world();
  const ann = await here.as({ role: "member" });
  await named(here, ann.userId, "Ann Author");
  const { data: doc } = await here.owner.post("W/docs", { title: "Handbook" }).expect(201);
  const { data: project } = await here.owner.get("P").expect(200);
  const ids = [await fieldOf(here, "user"), await fieldOf(here, "project"), await fieldOf(here, "doc")] as const;
  const form = await make(here, [
    choice(ids[0], ["ann author", here.owner.email]),
    choice(ids[1], [project.name], { kind: "radio" }),
    choice(ids[2], ["Handbook"]),
  ]);
  expect(form.fields[0]).not.toHaveProperty("option_ids");
  const issue = await sent(here, form, "ann author", project.name, "Handbook");
  expect(issue.custom_fields).toEqual({ [ids[0]]: ann.userId, [ids[1]]: project.id, [ids[2]]: doc.id });
  expect(issue.description_md).toBeNull();
  expect((await sent(here, form, here.owner.email)).custom_fields).toEqual({ [ids[0]]: here.owner.userId });

  // The option stands for the person, who may be called otherwise by now, or have left.
  await named(here, ann.userId, "Ann Married");
  const changed = [{ ...form.fields[0], label: "Who?" }, ...form.fields.slice(1)];
  const { data: kept } = await here.owner.patch(`P/forms/${form.id}`, { fields: changed }).expect(200);
  expect((await sent(here, kept, "ann author")).custom_fields).toEqual({ [ids[0]]: ann.userId });
  await here.owner.delete(`W/members/${ann.userId}`).expect(200);
  const without = await sent(here, kept, "ann author");
  expect(without).toMatchObject({ custom_fields: {}, description_md: expect.stringContaining("ann author") });
});

test("options that name nobody, several or something hidden are refused", async () => {
  const here = await world();
  const [user, doc] = [await fieldOf(here, "user"), await fieldOf(here, "doc")];
  const twins = [await here.as({ role: "member" }), await here.as({ role: "member" })];
  for (const { userId } of twins) await named(here, userId, "Kim");
  const other = await here.other();
  await named(here, other.owner.userId, "Stranger");
  await here.owner.post("W/docs", { title: "Diary", visibility: "private" }).expect(201);
  const refused = async (
    client: typeof here.owner,
    field: object,
    path: string,
    code: string,
    status = "validation_failed",
  ) => {
    const { body } = await client.post("P/forms", { title: "x", fields: [field] }).expect(400, status);
    expect(JSON.stringify(body.error.details)).toContain(path);
    if (status === "validation_failed") expect(body.error.details.errors).toMatchObject([{ path, code }]);
    return body;
  };
  const { owner } = here;
  await refused(owner, choice(user, ["Kim"]), "/fields/0/options/0", "not_allowed");
  for (const option of ["Stranger", other.owner.email, other.owner.userId, "me", "nobody@x.test"]) {
    await refused(owner, choice(user, [here.owner.email, option]), "/fields/0/options/1", "", "invalid_reference");
  }
  await refused(
    await here.as({ role: "admin" }),
    choice(doc, ["Diary"]),
    "/fields/0/options/0",
    "",
    "invalid_reference",
  );
  // Nobody can write a person, a project or a doc.
  for (const kind of ["short_text", "email"]) {
    const field = { kind, label: "Who?", custom_field_id: user };
    const body = await refused(owner, field, "/fields/0/custom_field_id", "not_allowed");
    expect(body.detail).toContain("which is of kind user: use select or radio");
  }
  await make(here, [choice(user, [twins[0]!.email, twins[1]!.userId])]);
});

test("a page shows the options as they are written, and takes no other", async () => {
  const here = await world();
  const user = await fieldOf(here, "user");
  await named(here, here.owner.userId, "Olga Owner");
  const form = await make(here, [choice(user, ["Olga Owner"])]);
  const text = await (await fetch(here.app.baseUrl + new URL(form.share_url).pathname)).text();
  expect(text).toContain("Olga Owner");
  expect(text).not.toContain(here.owner.userId);
  expect(text).not.toContain(here.owner.email);
  const member = await here.as({ role: "member" });
  const body = { answers: { [form.fields[0].id]: member.email } };
  const reply = await here.owner.post(`P/forms/${form.id}/submissions`, body).expect(400, "validation_failed");
  expect(reply.body.error.details.errors).toMatchObject([{ code: "not_allowed", allowed: ["Olga Owner"] }]);
});
