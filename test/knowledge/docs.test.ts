import { expect, test } from "vitest";
import { undocumentedMessage } from "../contract/conformance.ts";
import { drain } from "../support/jobs.ts";
import { world } from "../support/world.ts";

test("a doc has the fields and defaults of the API description", async () => {
  const { owner, workspace } = await world();
  const { data } = await owner.post("W/docs").expect(201);
  expect(data).toEqual({
    id: expect.any(String),
    title: "Untitled",
    project_id: null,
    parent_id: null,
    icon: null,
    body_md: "",
    body_json: null,
    created_at: expect.any(String),
    updated_at: data.created_at,
    project_key: null,
    visibility: "workspace",
    position: 0,
    version: 1,
    word_count: 0,
    created_by: owner.userId,
    updated_by: owner.userId,
    url: `https://muster.test/w/${workspace.slug}/docs/${data.id}`,
    archived_at: null,
  });
  expect((await owner.get(`W/docs/${data.id}`).expect(200)).data).toEqual(data);
});

test("a doc names its project by key, slug or id, under both names of the field", async () => {
  const { owner, project } = await world();
  for (const body of [{ project: "web" }, { project: "WEB" }, { project: project.id }, { project_id: "WEB" }]) {
    const { data } = await owner.post("W/docs", { title: "Notes", ...body }).expect(201);
    expect(data).toMatchObject({ project_id: project.id, project_key: "WEB" });
  }
  await owner.post("W/docs", { project: "NONE" }).expect(400, "invalid_reference");
});

test("JSON comes back exactly as it was sent, also from the list and from a repeat", async () => {
  const { owner } = await world();
  const json = String.raw`{"big":123456789012345678901234567890,"one":1.0,"tiny":1e-400,"nul":"a\u0000b","half":"\ud800","__proto__":{"x":[[[null]]]},"":""}`;
  const raw = `{"title":"Raw","body_json":${json}}`;
  const { data, text } = await owner.post("W/docs", undefined, { raw }).expect(201);
  expect(text).toContain(`"body_json":${json}`);
  expect(data.body_md).toBeNull();
  expect((await owner.get(`W/docs/${data.id}`).expect(200)).text).toContain(`"body_json":${json}`);
  expect((await owner.get("W/docs?fields=id,body_json").expect(200)).text).toContain(`"body_json":${json}`);
  const headers = { "idempotency-key": "once" };
  const first = await owner.post("W/docs", undefined, { headers, raw }).expect(201);
  const again = await owner.post("W/docs", undefined, { headers, raw }).expect(201);
  expect(again.text).toBe(first.text);
  const same = await owner.patch(`W/docs/${data.id}`, undefined, { raw: `{"body_json":${json}}` }).expect(200);
  expect(same.data.version).toBe(1);
  const nul = String.raw`{"title":"a\u0000b"}`;
  await owner.post("W/docs", undefined, { raw: nul }).expect(400, "validation_failed");
  const bulk = await owner.post("W/docs/bulk", undefined, { raw: `{"items":[${raw}]}` }).expect(201);
  expect(bulk.text).toContain(`"body_json":${json}`);
});

test("Markdown wins over JSON; a rich-text tree that comes alone becomes Markdown", async () => {
  const { owner } = await world();
  const tree = {
    type: "doc",
    content: [
      { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: "1 * 2" }] },
      {
        type: "bullet_list",
        content: [
          {
            type: "list_item",
            content: [{ type: "paragraph", content: [{ type: "text", text: "bold", marks: [{ type: "strong" }] }] }],
          },
        ],
      },
    ],
  };
  const { data } = await owner.post("W/docs", { body_json: tree }).expect(201);
  expect(data).toMatchObject({ body_md: "## 1 \\* 2\n\n- **bold**\n", body_json: tree });
  const both = await owner.patch(`W/docs/${data.id}`, { body_md: "own", body_json: tree }).expect(200);
  expect(both.data).toMatchObject({ body_md: "own", body_json: tree });
  const plain = await owner.patch(`W/docs/${data.id}`, { body_md: "plain" }).expect(200);
  expect(plain.data).toMatchObject({ body_md: "plain", body_json: null });
  const other = await owner.patch(`W/docs/${data.id}`, { body_json: { any: "thing" } }).expect(200);
  expect(other.data).toMatchObject({ body_md: null, body_json: { any: "thing" }, word_count: 0 });
});

test("a list shows docs newest first without bodies, unless fields names them", async () => {
  const { owner } = await world();
  const ids: string[] = [];
  for (const n of [1, 2, 3]) {
    const { data } = await owner
      .post("W/docs", { title: `Doc ${n}`, body_md: `Text ${n}`, body_json: { n } })
      .expect(201);
    ids.unshift(data.id);
  }
  const { data } = await owner.get("W/docs").expect(200);
  expect(data.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(data[0].body_md).toBeNull();
  expect(data[0]).not.toHaveProperty("body_json");
  const { data: full } = await owner.get("W/docs?fields=title,body_md,body_json").expect(200);
  expect(full[0]).toEqual({ title: "Doc 3", body_md: "Text 3", body_json: { n: 3 } });
});

test("lists filter by project, by parent and by archive", async () => {
  const here = await world();
  const { owner, project } = here;
  const make = async (body: object) => (await owner.post("W/docs", body).expect(201)).data.id as string;
  const top = await make({ project: project.id });
  const below = await make({ project: project.id, parent_id: top });
  const loose = await make({});
  await owner.delete(`W/docs/${loose}`).expect(200);
  const listed = async (query: string) =>
    (await owner.get(`W/docs${query}`).expect(200)).data.map(({ id }: { id: string }) => id);
  expect(await listed("")).toEqual([below, top]);
  for (const ref of ["WEB", "web", project.id]) expect(await listed(`?project=${ref}`)).toEqual([below, top]);
  await owner.get("W/docs?project=NONE").expect(400, "invalid_parameter");
  expect(await listed(`?parent_id=${top}`)).toEqual([below]);
  expect(await listed("?parent_id=none")).toEqual([top]);
  expect(await listed("?archived=true")).toEqual([loose]);
  await owner.get("W/docs?parent_id=garbage").expect(400, "invalid_parameter");
});

test("each item of a bulk call names its own project and has its own result", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const member = await here.as({ role: "member" });
  const { status, body } = await member.post("W/docs/bulk", {
    items: [
      { title: "A", project: "WEB" },
      { title: "B", project: hidden.project.key },
      { title: "" },
      { parent_id: "x" },
      {},
    ],
  });
  expect(status).toBe(207);
  const rows = body.data.map(({ ok, status, error }: Record<string, never>) => [
    ok,
    status,
    (error as { details: { code: string } } | undefined)?.details.code,
  ]);
  expect(rows).toEqual([
    [true, 201, undefined],
    [false, 400, "invalid_reference"],
    [false, 400, "validation_failed"],
    [false, 400, "invalid_reference"],
    [true, 201, undefined],
  ]);
  await member.post("W/docs/bulk", { items: [{ title: "A" }, { title: "B" }] }).expect(201);
  await member.post("W/docs/bulk", { items: [] }).expect(400, "validation_failed");
});

test("archiving keeps a doc readable and refuses changes until it is brought back", async () => {
  const { owner } = await world({});
  const { data } = await owner.post("W/docs", { title: "Notes" }).expect(201);
  const first = await owner.delete(`W/docs/${data.id}`).expect(200);
  expect(first.data).toEqual({ id: data.id, deleted: true, archived_at: expect.any(String) });
  expect((await owner.delete(`W/docs/${data.id}`).expect(200)).data).toEqual(first.data);
  const refused = await owner.patch(`W/docs/${data.id}`, { title: "Other" }).expect(409, "archived");
  expect(refused.body.detail).toContain("PATCH it with `archived: false`");
  await owner.patch(`W/docs/${data.id}`, { title: "Notes" }).expect(200);
  expect((await owner.get("W/docs").expect(200)).data).toEqual([]);
  const { data: back } = await owner.patch(`W/docs/${data.id}`, { archived: false, title: "Other" }).expect(200);
  expect(back).toMatchObject({ archived_at: null, title: "Other" });
});

test("an archived doc comes back within the restore window only", async () => {
  const { owner, sql } = await world();
  const { data } = await owner.post("W/docs").expect(201);
  await owner.delete(`W/docs/${data.id}`).expect(200);
  await sql("update doc set archived_at = archived_at - interval '31 days' where id = $1", [data.id]);
  await owner.patch(`W/docs/${data.id}`, { archived: false }).expect(409, "restore_window_over");
});

test("a repeated call with an Idempotency-Key changes nothing more", async () => {
  const { owner } = await world();
  const twice = async (method: string, path: string, body: object) => {
    const options = { headers: { "idempotency-key": path } };
    const first = await owner.call(method, path, body, options);
    const again = await owner.call(method, path, body, options);
    expect(again.headers.get("idempotent-replayed"), first.text).toBe("true");
    expect(again.text).toBe(first.text);
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
    return first.data;
  };
  const doc = await twice("POST", "W/docs", { body_md: "é".repeat(300_000), body_json: { n: 1.5 } });
  await twice("PATCH", `W/docs/${doc.id}`, { append: "x" });
  const comment = await twice("POST", `W/docs/${doc.id}/comments`, { body_md: "hello" });
  await twice("PATCH", `W/docs/${doc.id}/comments/${comment.id}`, { body_md: "hi" });
  const [, first] = (await owner.get("W/docs").expect(200)).data;
  expect(first).toBeUndefined();
  const [version] = (await owner.get(`W/docs/${doc.id}/versions`).expect(200)).data;
  await twice("POST", `W/docs/${doc.id}/versions/${version.id}/restore`, {});
  await twice("POST", "W/docs/bulk", { items: [{ title: "A", body_md: "long ".repeat(50_000) }, {}] });
  expect((await owner.get("W/docs").expect(200)).data).toHaveLength(3);
  expect((await owner.get(`W/docs/${doc.id}/comments`).expect(200)).data).toHaveLength(1);
  const { data } = await owner.get(`W/docs/${doc.id}`).expect(200);
  expect(data.body_md.endsWith("é\nx")).toBe(true);
});

test.each(["1e400", "-0", "1e-400", "[1.0, 12345678901234567890, 5e-324]", '"\\ud800\\u0000"'])(
  "body_json %s is stored, read and replayed as it was sent",
  async (json) => {
    const { owner } = await world();
    const send = () =>
      owner.post("W/docs", undefined, { raw: `{"body_json":${json}}`, headers: { "idempotency-key": "once" } });
    const first = await send().expect(201);
    expect(first.text.replaceAll(" ", "")).toContain(`"body_json":${json.replaceAll(" ", "")},`);
    const again = await send().expect(201);
    expect([again.text, again.headers.get("etag")]).toEqual([first.text, first.headers.get("etag")]);
    const read = await owner.get(`W/docs/${first.data.id}`).expect(200);
    expect([read.text, read.headers.get("etag")]).toEqual([first.text, first.headers.get("etag")]);
  },
);

test("every change of a doc and its comments is told to webhooks, as it can be read", async () => {
  const { owner, receiver } = await world({ webhook: ["doc.*"] });
  const { data: doc } = await owner.post("W/docs", { title: "Notes", body_md: "one" }).expect(201);
  const path = `W/docs/${doc.id}`;
  const { data: changed } = await owner.patch(path, { append: "two", snapshot: true }).expect(200);
  const { data: comment } = await owner.post(`${path}/comments`, { body_md: "hello" }).expect(201);
  const { data: edited } = await owner.patch(`${path}/comments/${comment.id}`, { body_md: "hi" }).expect(200);
  await owner.delete(`${path}/comments/${comment.id}`).expect(200);
  const versions = (await owner.get(`${path}/versions`).expect(200)).data;
  await owner.post(`${path}/versions/${versions[1].id}/restore`).expect(200);
  await owner.delete(path).expect(200);
  const { data: back } = await owner.patch(path, { archived: false }).expect(200);
  await drain({ timeoutMs: 30_000 });
  const messages = receiver.requests.map(({ json }) => json);
  for (const message of messages) expect(undocumentedMessage(message)).toEqual([]);
  expect(messages.map(({ type, changed, previous }) => [type, changed, previous])).toEqual([
    ["doc.created", undefined, undefined],
    ["doc.updated", ["body_md"], { body_md: "one" }],
    ["doc.comment.created", undefined, undefined],
    ["doc.comment.updated", ["body_md", "edited_at"], { body_md: "hello", edited_at: null }],
    ["doc.comment.deleted", undefined, undefined],
    ["doc.updated", ["body_md"], { body_md: "one\ntwo" }],
    ["doc.archived", undefined, undefined],
    ["doc.restored", undefined, undefined],
  ]);
  expect([0, 1, 2, 3, 7].map((n) => messages[n].data)).toEqual([doc, changed, comment, edited, back]);
  await receiver.stop();
});
