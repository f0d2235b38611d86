import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { world } from "../support/world.ts";

const make = async (owner: Client, body: object = {}) =>
  (await owner.post("W/docs", { title: "Notes", ...body }).expect(201)).data;

test("append begins on a new line, unless the text is empty or ends with one", async () => {
  const { owner } = await world();
  const { id } = await make(owner);
  const append = async (text: string) => (await owner.patch(`W/docs/${id}`, { append: text }).expect(200)).data.body_md;
  expect(await append("one")).toBe("one");
  expect(await append("two\n")).toBe("one\ntwo\n");
  expect(await append("three")).toBe("one\ntwo\nthree");
});

test("line ends become LF in texts and in what is searched for, also in docs from before that rule", async () => {
  const { owner, sql } = await world();
  const { id, body_md } = await make(owner, { body_md: "one\r\ntwo\rthree\n" });
  expect(body_md).toBe("one\ntwo\nthree\n");
  const replaced = await owner
    .patch(`W/docs/${id}`, { replace: [{ find: "one\r\ntwo", with: "1\r\n2" }], append: "end\r\n" })
    .expect(200);
  expect(replaced.data.body_md).toBe("1\n2\nthree\nend\n");
  await sql(`update doc set body_md = $2 where id = $1`, [id, "a\r\nb\r\nc"]);
  const old = await owner.patch(`W/docs/${id}`, { replace: [{ find: "a\nb", with: "x" }] }).expect(200);
  expect(old.data.body_md).toBe("x\nc");
});

test("line ends of issues, comments, messages and answers become LF", async () => {
  const { owner } = await world();
  const sent = "one\r\n\r\ntwo\rthree";
  const stored = "one\n\ntwo\nthree";
  const issue = await owner.post("P/issues", { title: "x", description_md: sent }).expect(201);
  expect(issue.data.description_md).toBe(stored);
  const bulk = await owner.post("P/issues/bulk", { items: [{ title: "y", description: sent }] }).expect(201);
  expect(bulk.data[0].data.description_md).toBe(stored);
  const comment = await owner.post("P/issues/WEB-1/comments", { body_md: sent }).expect(201);
  expect(comment.data).toMatchObject({ body_md: stored, body_html: "<p>one</p>\n<p>two<br />\nthree</p>\n" });
  const { data: room } = await owner.post("W/chat/channels", { name: "general" }).expect(201);
  const messages = `W/chat/channels/${room.id}/messages`;
  expect((await owner.post(messages, { body_md: sent }).expect(201)).data.body_md).toBe(stored);
  // The two characters of a line end may come in two parts.
  const opened = await owner.post(`${messages}/stream`, { delta: "one\r" }).expect(201);
  const { message_id } = opened.data;
  await owner.post(`${messages}/stream`, { message_id, delta: "\n\r\ntwo\rthree", done: true, seq: 1 });
  const { data: listed } = await owner.get(messages).expect(200);
  expect(listed.find(({ id }: { id: string }) => id === message_id).body_md).toBe(stored);
  const made = await owner.post("P/custom-field-defs", { name: "Notes", kind: "text" }).expect(201);
  const valued = await owner.patch("P/issues/WEB-1", { custom_fields: { [made.data.key ?? made.data.id]: sent } });
  expect(JSON.stringify(valued.data.custom_fields)).toContain(JSON.stringify(stored));
});

test("replacements are made in order, each exactly once, before the addition; $ has no meaning", async () => {
  const { owner } = await world();
  const { id } = await make(owner, { body_md: "red green", body_json: { old: true } });
  const { data } = await owner
    .patch(`W/docs/${id}`, {
      replace: [
        { find: "red", with: "$& blue" },
        { find: "blue", with: "$1" },
      ],
      append: "end",
    })
    .expect(200);
  expect(data).toMatchObject({ body_md: "$& $1 green\nend", body_json: null, version: 2 });
});

test("a text that is found several times is refused with the count and the lines; overlaps count", async () => {
  const { owner } = await world();
  const { id } = await make(owner, { body_md: "x\naaa\nfoo\nfoo foo\n" });
  const refused = await owner
    .patch(`W/docs/${id}`, {
      replace: [
        { find: "x", with: "y" },
        { find: "foo", with: "bar" },
      ],
    })
    .expect(400, "replace_ambiguous");
  expect(refused.body.error).toMatchObject({
    code: "validation",
    details: { path: "/replace/1/find", index: 1, count: 3, lines: [3, 4, 4] },
  });
  const overlapping = await owner
    .patch(`W/docs/${id}`, { replace: [{ find: "aa", with: "b" }] })
    .expect(400, "replace_ambiguous");
  expect(overlapping.body.error.details).toMatchObject({ count: 2, lines: [2, 2] });
  expect((await owner.get(`W/docs/${id}`).expect(200)).data).toMatchObject({
    version: 1,
    body_md: "x\naaa\nfoo\nfoo foo\n",
  });
});

test.each([
  ["white_space", "the  quick\nbrown fox", "the quick brown fox", 2],
  ["case", "The Quick brown fox", "the quick brown fox", 2],
  ["case_and_white_space", "the   QUICK brown", "the quick brown", 2],
  ["words", "the quick red fox", "the quick brown fox jumps", 2],
])("a text that is not found is refused with the nearest one: %s", async (differs_in, find, near, line) => {
  const { owner } = await world();
  const { id } = await make(owner, { body_md: "# Animals\nthe quick brown fox jumps\n\nlast line\n" });
  const refused = await owner.patch(`W/docs/${id}`, { replace: [{ find, with: "" }] }).expect(400, "replace_not_found");
  expect(refused.body.error.details).toMatchObject({
    path: "/replace/0/find",
    index: 0,
    count: 0,
    nearest: { text: near, line, differs_in },
  });
});

test("a text that has nothing in common with the doc has no nearest one", async () => {
  const { owner } = await world();
  const { id } = await make(owner, { body_md: "abc" });
  const refused = await owner.patch(`W/docs/${id}`, { replace: [{ find: "xyz", with: "" }] }).expect(400);
  expect(refused.body.error.details.nearest).toBeNull();
});

test("append and replace exclude a whole body, and their result keeps to the limit", async () => {
  const { owner } = await world();
  const { id } = await make(owner, { body_md: "x" });
  await owner.patch(`W/docs/${id}`, { append: "a", body_md: "b" }).expect(400, "mutually_exclusive");
  await owner.patch(`W/docs/${id}`, { replace: [], body_json: {} }).expect(400, "mutually_exclusive");
  const long = "y".repeat(524_287);
  await owner.patch(`W/docs/${id}`, { append: long }).expect(400, "validation_failed");
  await owner.patch(`W/docs/${id}`, { replace: [{ find: "x", with: `${long}zz` }] }).expect(400, "validation_failed");
  await owner.patch(`W/docs/${id}`, { replace: [{ find: "x", with: `${long}z` }] }).expect(200);
  await owner.post("W/docs", { body_md: `${long}zz` }).expect(400, "validation_failed");
});

test("a row of a list that comes back clears no text", async () => {
  const { owner } = await world();
  const { data: doc } = await owner
    .post("W/docs", { title: "First", body_md: "text", body_json: { n: 1 } })
    .expect(201);
  const [row] = (await owner.get("W/docs").expect(200)).data;
  expect(row.body_md).toBeNull();
  expect((await owner.patch(`W/docs/${doc.id}`, row).expect(200)).data).toEqual(doc);
  const renamed = await owner.patch(`W/docs/${doc.id}`, { ...row, title: "Second" }).expect(200);
  expect(renamed.data).toMatchObject({ title: "Second", body_md: "text", body_json: { n: 1 } });
  const [again] = (await owner.get("W/docs").expect(200)).data;
  const longer = await owner.patch(`W/docs/${doc.id}`, { ...again, append: "more" }).expect(200);
  expect(longer.data.body_md).toBe("text\nmore");
  const cleared = await owner.patch(`W/docs/${doc.id}`, { body_md: null }).expect(200);
  expect(cleared.data.body_md).toBeNull();
  const tree = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "rich" }] }] };
  const [last] = (await owner.get("W/docs").expect(200)).data;
  const rich = await owner.patch(`W/docs/${doc.id}`, { ...last, body_json: tree }).expect(200);
  expect(rich.data).toMatchObject({ body_md: "rich\n", body_json: tree });
});

test("a whole doc with another text or JSON comes back with both", async () => {
  const { owner } = await world();
  const { data: doc } = await owner.post("W/docs", { body_md: "text", body_json: { n: 1 } }).expect(201);
  const json = await owner.patch(`W/docs/${doc.id}`, { ...doc, body_json: { n: 2 } }).expect(200);
  expect(json.data).toMatchObject({ body_md: "text", body_json: { n: 2 } });
  const text = await owner.patch(`W/docs/${doc.id}`, { ...json.data, body_md: "other" }).expect(200);
  expect(text.data).toMatchObject({ body_md: "other", body_json: { n: 2 } });
  const { body_md: _, ...rest } = text.data;
  const alias = await owner.patch(`W/docs/${doc.id}`, { ...rest, body: "third" }).expect(200);
  expect(alias.data).toMatchObject({ body_md: "third", body_json: { n: 2 } });
  const cleared = await owner.patch(`W/docs/${doc.id}`, { ...alias.data, body_md: null }).expect(200);
  expect(cleared.data).toMatchObject({ body_md: null, body_json: { n: 2 } });
});

test("an if_version that is not the current one is refused with the current one", async () => {
  const { owner } = await world();
  const { id } = await make(owner);
  await owner.patch(`W/docs/${id}`, { title: "Second", if_version: 1 }).expect(200);
  const refused = await owner.patch(`W/docs/${id}`, { title: "Third", if_version: 1 }).expect(409, "version_conflict");
  expect(refused.body.error.details).toMatchObject({ version: 2 });
});

test("a PATCH that changes nothing is no new version, event or snapshot", async () => {
  const here = await world();
  const { owner } = here;
  const doc = await make(owner, { body_md: "text", icon: "🚀", body_json: { a: [1, { b: 2 }] } });
  const events = async () =>
    (await here.sql("select 1 from event where workspace_id = $1", [here.workspace.id])).length;
  const before = await events();
  for (const body of [
    {},
    { title: "Notes" },
    { body_json: { a: [1, { b: 2 }] } },
    { append: "" },
    doc,
    { archived: false },
    { replace: [] },
  ]) {
    expect((await owner.patch(`W/docs/${doc.id}`, body).expect(200)).data).toEqual(doc);
  }
  expect(await events()).toBe(before);
  expect((await owner.get(`W/docs/${doc.id}/versions`).expect(200)).data).toHaveLength(1);
});

test("null clears project, parent and icon; archived docs take no other changes", async () => {
  const { owner } = await world();
  const top = await make(owner, { project: "WEB" });
  const doc = await make(owner, { project: "WEB", parent_id: top.id, icon: "🚀" });
  const { data } = await owner.patch(`W/docs/${doc.id}`, { project: null, parent_id: null, icon: null }).expect(200);
  expect(data).toMatchObject({ project_id: null, project_key: null, parent_id: null, icon: null });
  await owner.patch(`W/docs/${doc.id}`, { archived: true }).expect(200);
  for (const body of [{ append: "x" }, { snapshot: true }, { visibility: "private" }, { project: "WEB" }])
    await owner.patch(`W/docs/${doc.id}`, body).expect(409, "archived");
  await owner.post(`W/docs/${doc.id}/comments`, { body_md: "x" }).expect(409, "archived");
});

test("the event of a change has the old values, and its texts are cut if it is very large", async () => {
  const here = await world({ webhook: ["doc.updated"] });
  const { owner } = here;
  const doc = await make(owner, { body_md: "é".repeat(500_000) });
  await owner.patch(`W/docs/${doc.id}`, { title: "Other", append: "end" }).expect(200);
  const [event] = await here.sql<{
    data: Record<string, string>;
    previous: Record<string, string>;
    changed: string[];
    truncated: boolean;
    bytes: number;
  }>(
    `select data, previous, changed, truncated, length(data::text) + length(previous::text) as bytes from event
     where workspace_id = $1 and type = 'doc.updated'`,
    [here.workspace.id],
  );
  expect(event).toMatchObject({ changed: ["title", "body_md"], truncated: true, previous: { title: "Notes" } });
  expect(event!.data).toMatchObject({ id: doc.id, title: "Other" });
  expect(event!.bytes).toBeLessThan(256 * 1024);
  await drain();
  const { data, previous, changed } = event!;
  expect(here.receiver.requests[0]?.json).toMatchObject({ truncated: true, data, previous, changed });
  await here.receiver.stop();
});
