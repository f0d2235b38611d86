import { describe, expect, test } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import { exampleOf, pathOf } from "../contract/examples.ts";
import { snapshot } from "../contract/snapshot.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

/** Private docs are seen by their author alone, and docs of a project by those who see the project. */

const SECRET = "Sesame-0815";
const ofOneDoc = operations.filter(({ path }) => path.includes("/docs/{id}"));

/** A doc with a comment and two versions, all of which contain the secret. */
async function secretDoc(author: Client, body: object) {
  const { data } = await author.post("W/docs", { title: SECRET, body_md: SECRET, icon: "🔒", ...body }).expect(201);
  await author.patch(`W/docs/${data.id}`, { append: SECRET, snapshot: true }).expect(200);
  const comment = await author.post(`W/docs/${data.id}/comments`, { body_md: SECRET }).expect(201);
  const { data: versions } = await author.get(`W/docs/${data.id}/versions`).expect(200);
  return { id: data.id, commentId: comment.data.id, versionId: versions[1].id };
}

/** Everybody but the author. Guests may not write docs at all, so they do not even learn that a doc is missing. */
async function others(here: World): Promise<{ who: string; client: Client; writes: string }[]> {
  return [
    { who: "the owner", client: here.owner, writes: "404 not_found" },
    { who: "an admin", client: await here.as({ role: "admin" }), writes: "404 not_found" },
    { who: "a member", client: await here.as({ role: "member", projectRole: "admin" }), writes: "404 not_found" },
    { who: "a viewer", client: await here.as({ role: "viewer" }), writes: "403 insufficient_role" },
    {
      who: "a guest",
      client: await here.as({ role: "guest", projectRole: "admin" }),
      writes: "403 insufficient_role",
    },
    {
      who: "a key limited to the project",
      client: await here.as({ role: "admin", projectIds: [here.project.id] }),
      writes: "404 not_found",
    },
  ];
}

describe.each([
  ["of the workspace", {}],
  ["of a project", { project: "WEB" }],
])("a private doc %s", (_, place) => {
  test.each(ofOneDoc.map((operation) => [operation.id, operation] as const))(
    "is 404 for %s to everybody but its author, and nothing changes",
    async (_, operation) => {
      const here = await world();
      const author = await here.as({ role: "member" });
      const params = await secretDoc(author, { visibility: "private", ...place });
      const callers = await others(here);
      const before = await snapshot(here);
      for (const { who, client, writes } of callers) {
        const body = exampleOf(operation).body?.(1, here);
        const reply = await client.call(
          operation.method,
          pathOf(operation, here, { userId: author.userId, ...params }),
          body,
        );
        const expected = operation.writes && operation.writers !== "viewers" ? writes : "404 not_found";
        expect(`${who}: ${reply.status} ${reply.body.code}`).toBe(`${who}: ${expected}`);
        expect(reply.text).not.toContain(SECRET);
      }
      expect(await snapshot(here)).toEqual(before);
      await author
        .call(
          operation.method,
          pathOf(operation, here, { userId: author.userId, ...params }),
          exampleOf(operation).body?.(1, here),
        )
        .then(({ status, text }) => expect([200, 201], text).toContain(status));
    },
  );

  test("is in no list of others, in no filter and on no page", async () => {
    const here = await world();
    const author = await here.as({ role: "member" });
    const { id } = await secretDoc(author, { visibility: "private", ...place });
    const { data: child } = await author.post("W/docs", { title: "Public", parent_id: id, ...place }).expect(201);
    expect(child.parent_id).toBe(id);
    for (const { who, client } of await others(here)) {
      for (const query of [
        "",
        "?limit=1",
        "?project=WEB",
        `?parent_id=${id}`,
        "?archived=true",
        "?fields=id,title,body_md",
      ]) {
        const { text, body } = await client.get(`W/docs${query}`).expect(200);
        expect(text, who).not.toContain(SECRET);
        expect(text, who).not.toContain(id);
        expect(body.pagination.next_cursor, who).toBeNull();
      }
    }
    const { data } = await author.get("W/docs").expect(200);
    expect(data.map(({ id }: { id: string }) => id)).toEqual([child.id, id]);
    expect((await author.get(`W/docs?parent_id=${id}`).expect(200)).data).toHaveLength(1);
  });
});

test("others see a child of a private doc on the top level, and sending that back changes nothing", async () => {
  const here = await world();
  const author = await here.as({ role: "member" });
  const { id } = await secretDoc(author, { visibility: "private" });
  const { data: child } = await author.post("W/docs", { title: "Public", parent_id: id }).expect(201);
  const { data: shown } = await here.owner.get(`W/docs/${child.id}`).expect(200);
  expect(shown.parent_id).toBeNull();
  expect((await here.owner.get("W/docs?parent_id=none").expect(200)).data).toHaveLength(1);
  const { data: same } = await here.owner.patch(`W/docs/${child.id}`, { parent_id: null, project: null }).expect(200);
  expect(same.version).toBe(1);
  expect((await author.get(`W/docs/${child.id}`).expect(200)).data.parent_id).toBe(id);
  await here.owner.post("W/docs", { parent_id: id }).expect(400, "invalid_reference");
  const above = await here.owner.post("W/docs", { title: "Above" }).expect(201);
  await here.owner.patch(`W/docs/${above.data.id}`, { parent_id: child.id }).expect(200);
  await author.patch(`W/docs/${id}`, { parent_id: above.data.id }).expect(400, "parent_cycle");
  await here.owner
    .post("W/docs/bulk", { items: [{ parent_id: id }] })
    .then(({ text }) => expect(text).toContain("invalid_reference"));
});

test("only its author makes a doc private; the author may publish it again", async () => {
  const here = await world();
  const author = await here.as({ role: "member" });
  const { data } = await author.post("W/docs", { title: "Notes" }).expect(201);
  await here.owner.patch(`W/docs/${data.id}`, { visibility: "private" }).expect(403, "not_owner_of_resource");
  await author.patch(`W/docs/${data.id}`, { visibility: "private" }).expect(200);
  await here.owner.get(`W/docs/${data.id}`).expect(404);
  await author.patch(`W/docs/${data.id}`, { visibility: "workspace" }).expect(200);
  await here.owner.get(`W/docs/${data.id}`).expect(200);
});

test("no webhook hears of a private doc, whatever happens to it, nor what it was when it is published", async () => {
  const here = await world({ webhook: ["*"] });
  await here.owner
    .post("W/webhooks", { url: here.receiver.url, event_types: ["doc.*"], project_ids: ["WEB"] })
    .expect(201);
  const author = await here.as({ role: "member" });
  const { id, commentId, versionId } = await secretDoc(author, { visibility: "private", project: "WEB" });
  const path = `W/docs/${id}`;
  await author.post("W/docs/bulk", { items: [{ title: SECRET, visibility: "private" }] }).expect(201);
  await author.patch(`${path}/comments/${commentId}`, { body_md: `${SECRET}!`, resolved: true }).expect(200);
  await author.post(`${path}/versions/${versionId}/restore`).expect(200);
  await author.delete(`${path}/comments/${commentId}`).expect(200);
  await author.delete(path).expect(200);
  await author.patch(path, { archived: false, project: null }).expect(200);
  await drain({ timeoutMs: 30_000 });
  expect(here.receiver.requests).toEqual([]);
  const events = await here.sql(
    "select 1 from event where workspace_id = $1 and person_id = $2 and type like 'doc.%'",
    [here.workspace.id, author.userId],
  );
  expect(events.length).toBeGreaterThan(8);

  await author.patch(path, { visibility: "workspace", title: "Public", body_md: "public" }).expect(200);
  await drain({ timeoutMs: 30_000 });
  const heard = here.receiver.requests.map(({ json }) => json);
  expect(heard).toHaveLength(1);
  expect(heard[0]).toMatchObject({
    type: "doc.updated",
    data: { id, title: "Public" },
    previous: { visibility: "private" },
    sequence: 1,
  });
  expect(heard[0].changed.sort()).toEqual(["body_md", "title", "visibility"]);
  expect(JSON.stringify(heard)).not.toContain(SECRET);
  await here.receiver.stop();
});

test("webhooks limited to a project hear of its docs only, and not what a doc was elsewhere", async () => {
  const here = await world({ webhook: ["project.created"] });
  const url = here.receiver.url;
  await here.owner.post("W/webhooks", { url, event_types: ["doc.*"], project_ids: ["WEB"] }).expect(201);
  const { data } = await here.owner.post("W/docs", { title: SECRET }).expect(201);
  await here.owner.patch(`W/docs/${data.id}`, { append: SECRET }).expect(200);
  await here.owner.patch(`W/docs/${data.id}`, { project: "WEB", title: "Public", body_md: "public" }).expect(200);
  await here.owner.post(`W/docs/${data.id}/comments`, { body_md: "hello" }).expect(201);
  await drain({ timeoutMs: 30_000 });
  expect(here.receiver.requests.map(({ json }) => json.type)).toEqual(["doc.updated", "doc.comment.created"]);
  expect(JSON.stringify(here.receiver.requests.map(({ json }) => json))).not.toContain(SECRET);
  await here.receiver.stop();
});

test("the private docs of a removed member go to the person who removed them, with their earlier versions", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const author = await here.as({ role: "member" });
  const { id } = await secretDoc(author, { visibility: "private" });
  const shared = await author.post("W/docs", { title: "Shared" }).expect(201);
  await admin.delete(`W/members/${author.userId}`).expect(200);
  const { data } = await admin.get(`W/docs/${id}`).expect(200);
  expect(data).toMatchObject({ title: SECRET, visibility: "private", created_by: author.userId, version: 2 });
  expect((await admin.get(`W/docs/${id}/versions`).expect(200)).data).toHaveLength(2);
  await here.owner.get(`W/docs/${id}`).expect(404);
  await here.owner.get(`W/docs/${shared.data.id}`).expect(200);
});

test("the private docs of a member who leaves go to the owner who has been a member for the longest time", async () => {
  const here = await world();
  const second = await here.as({ role: "owner" });
  const author = await here.as({ role: "admin" });
  const { id } = await secretDoc(author, { visibility: "private" });
  await author.delete(`W/members/${author.userId}`).expect(200);
  await here.owner.get(`W/docs/${id}`).expect(200);
  await second.get(`W/docs/${id}`).expect(404);
});

test.each([
  ["a hidden project to the workspace", "HID", null],
  ["a hidden project to another one", "HID", "WEB"],
  ["the workspace to a project with guests", null, "WEB"],
])("a doc that moves from %s leaves its earlier versions to those who could see them", async (_, from, to) => {
  const here = await world();
  const hidden = await here.hidden();
  const author = await hidden.as({ role: "member", projectRole: "member" });
  const reader = to === null || from !== null ? await here.as({ role: "member" }) : null;
  const guest = to === null ? null : await here.as({ role: "guest", projectRole: "viewer" });
  const { data } = await author.post("W/docs", { title: SECRET, body_md: SECRET, project: from }).expect(201);
  const path = `W/docs/${data.id}`;
  await author.patch(path, { title: "Public", body_md: "public", project: to }).expect(200);
  await author.patch(path, { append: "more" }).expect(200);
  const { data: all } = await author.get(`${path}/versions`).expect(200);
  expect(all.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
  for (const other of [reader, guest]) {
    if (!other) continue;
    const { data: seen } = await other.get(`${path}/versions`).expect(200);
    expect(seen.map(({ title }: { title: string }) => title)).toEqual(["Public"]);
    await other.get(`${path}/versions/${all[0].id}`).expect(200);
    await other.get(`${path}/versions/${all[1].id}`).expect(404);
  }
  await reader?.post(`${path}/versions/${all[1].id}/restore`).expect(404);
  expect((await author.get(`${path}/versions/${all[1].id}`).expect(200)).data.body_md).toBe(SECRET);
});
