import { expect, test } from "vitest";
import { world } from "./support/world.ts";

test("comments are written, rendered safely, edited and deleted, and the issue counts them", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const path = "P/issues/WEB-1/comments";
  const { data: comment } = await owner
    .post(path, { body: "**Hi** <img src=x onerror=alert(1)> [x](javascript:alert(1))" })
    .expect(201);
  expect(comment.body_html).toContain("<strong>Hi</strong>");
  expect(comment.body_html).not.toMatch(/<img|href="javascript/);
  const edited = await owner.patch(`${path}/${comment.id}`, { body_md: "Bye" }).expect(200);
  expect(edited.data).toMatchObject({ body_md: "Bye", body_html: "<p>Bye</p>\n" });
  expect(edited.data.edited_at).not.toBeNull();
  expect((await owner.get("P/issues/WEB-1")).data.counts.comments).toBe(1);
  expect((await owner.delete(`${path}/${comment.id}`).expect(200)).data).toEqual({ id: comment.id, deleted: true });
  await owner.delete(`${path}/${comment.id}`).expect(404);
  expect((await owner.get("P/issues/WEB-1")).data.counts.comments).toBe(0);
});

test("replies have one level, and a deleted comment with replies stays as an empty one", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const path = "P/issues/WEB-1/comments";
  const { data: first } = await owner.post(path, { body_md: "first" }).expect(201);
  const { data: reply } = await owner.post(path, { body_md: "reply", parent_id: first.id }).expect(201);
  await owner.post(path, { body_md: "nested", parent_id: reply.id }).expect(400, "invalid_reference");
  await owner.delete(`${path}/${first.id}`).expect(200);
  const { data } = await owner.get(path).expect(200);
  expect(data).toMatchObject([{ id: first.id, body_md: "", reply_count: 1 }, { id: reply.id }]);
  expect(data[0].deleted_at).not.toBeNull();
});

test("only the author or an admin changes a comment", async () => {
  const { owner, as } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const [anna, ben] = [await as({ role: "member" }), await as({ role: "member" })];
  const { data: comment } = await anna.post("P/issues/WEB-1/comments", { body_md: "mine" }).expect(201);
  const path = `P/issues/WEB-1/comments/${comment.id}`;
  await ben.patch(path, { body_md: "no" }).expect(403, "not_owner_of_resource");
  await ben.delete(path).expect(403, "not_owner_of_resource");
  await owner.patch(path, { body_md: "moderated" }).expect(200);
  await anna.patch(path, { body_md: "mine again" }).expect(200);
});

test("an author's external id is one comment, alone or in bulk", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const path = "P/issues/WEB-1/comments";
  const { data: first } = await owner.post(path, { body_md: "a", external_id: "e1" }).expect(201);
  expect((await owner.post(path, { body_md: "b", external_id: "e1" }).expect(201)).data).toEqual(first);
  const bulk = await owner
    .post(`${path}/bulk`, {
      items: [{ body_md: "c", external_id: "e2" }, { body_md: "d", external_id: "e2" }, { body_md: "" }],
    })
    .expect(207);
  expect(bulk.data[0].data.id).toBe(bulk.data[1].data.id);
  expect(bulk.data[2]).toMatchObject({ ok: false, status: 400 });
  expect((await owner.get("P/issues/WEB-1")).data.counts.comments).toBe(2);
});

test("mentions name people of the workspace only, and those mentioned watch the issue", async () => {
  const here = await world();
  const anna = await here.as({ role: "member" });
  const stranger = (await here.other()).owner;
  await here.owner.post("P/issues", { title: "x" }).expect(201);
  const body = `@[Anna](${anna.userId}) and @[Eve](${stranger.userId})`;
  const { data } = await here.owner.post("P/issues/WEB-1/comments", { body_md: body }).expect(201);
  expect(data.mentions).toEqual([{ id: anna.userId, kind: "person" }]);
  expect((await here.owner.get("P/issues/WEB-1")).data.counts.watchers).toBe(2);
});

test("guests comment where they are named, and nowhere else", async () => {
  const { owner, as } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const inside = await as({ role: "guest", projectRole: "member" });
  await inside.post("P/issues/WEB-1/comments", { body_md: "hello" }).expect(201);
  await inside.patch("P/issues/WEB-1", { title: "no" }).expect(403, "insufficient_role");
  const outside = await as({ role: "guest" });
  await outside.get("P/issues/WEB-1").expect(404, "not_found");
  const viewer = await as({ role: "viewer" });
  await viewer.get("P/issues/WEB-1/comments").expect(200);
  await viewer.post("P/issues/WEB-1/comments", { body_md: "no" }).expect(403, "insufficient_role");
});
