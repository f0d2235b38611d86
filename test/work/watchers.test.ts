import { expect, test } from "vitest";
import { world } from "../support/world.ts";

const path = "P/issues/WEB-1/watchers";

test("watching is idempotent, counted and listed, and open to anyone who can see the issue", async () => {
  const { owner, as } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const [viewer, guest] = [
    await as({ role: "viewer", name: "Vi" }),
    await as({ role: "guest", projectRole: "viewer" }),
  ];
  const projectViewer = await as({ role: "member", projectRole: "viewer" });
  const { data } = await viewer.post(path).expect(200);
  expect(data).toEqual({
    user_id: viewer.userId,
    created_at: expect.stringMatching(/Z$/),
    name: "Vi",
    kind: "user",
  });
  expect((await viewer.post(path, {}).expect(200)).data).toEqual(data);
  for (const client of [guest, projectViewer]) await client.post(path).expect(200);
  await (await as({ role: "guest" })).post(path).expect(404);
  await (await as({ role: "viewer", scopes: ["issues:read"] })).post(path).expect(403, "insufficient_scope");

  const { body } = await owner.get(path).expect(200);
  expect(body.pagination).toEqual({ next_cursor: null });
  expect(body.data.map((row: { user_id: string }) => row.user_id)).toEqual(
    [projectViewer, guest, viewer, owner].map(({ userId }) => userId),
  );
  expect((await owner.get("P/issues/WEB-1")).data.counts.watchers).toBe(4);
});

test("everyone can stop, watching or not; only admins can stop others", async () => {
  const { owner, as, other } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const [viewer, member, admin] = [
    await as({ role: "viewer" }),
    await as({ role: "member" }),
    await as({ role: "admin" }),
  ];
  await viewer.post(path).expect(200);
  await member.delete(`${path}/${viewer.userId}`).expect(403, "insufficient_role");
  // The reply does not tell whether a user is a member.
  await member.delete(`${path}/01890000-0000-7000-8000-000000000000`).expect(403, "insufficient_role");
  for (let n = 0; n < 2; n++) {
    const { data } = await viewer.delete(`${path}/${viewer.userId}`).expect(200);
    expect(data).toEqual({ user_id: viewer.userId, deleted: true });
  }
  await viewer.post(path).expect(200);
  await viewer.delete(`${path}/me`).expect(200);
  await viewer.post(path).expect(200);
  await viewer.delete(`${path}/${viewer.email.toUpperCase()}`).expect(200);
  await admin.delete(`${path}/${owner.userId.toUpperCase()}`).expect(200);
  expect((await owner.get("P/issues/WEB-1")).data.counts.watchers).toBe(0);

  const stranger = (await other()).owner.userId;
  for (const id of [stranger, "x", "0198c0de-0000-7000-8000-000000000000"]) {
    await owner.delete(`${path}/${id}`).expect(404, "not_found");
  }
  await owner.delete("P/issues/WEB-1").expect(200);
  await viewer.post(path).expect(409, "archived");
});

test("a person who left the workspace can still be removed", async () => {
  const { owner, as } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const leaver = await as({ role: "member" });
  await leaver.post(path).expect(200);
  await owner.delete(`W/members/${leaver.userId}`).expect(200);
  await owner.delete(`${path}/${leaver.userId}`).expect(200);
  await owner.delete(`${path}/${leaver.userId}`).expect(404);
});

test("people mentioned in an edit watch from then on, unless they stop", async () => {
  const { owner, as } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const anna = await as({ role: "member" });
  const { data } = await owner.post("P/issues/WEB-1/comments", { body_md: "x" }).expect(201);
  const body = { body_md: `@[Anna](${anna.userId})` };
  await owner.patch(`P/issues/WEB-1/comments/${data.id}`, body).expect(200);
  const watching = (await owner.get(path).expect(200)).data.map((row: { user_id: string }) => row.user_id);
  expect(watching).toContain(anna.userId);
  expect((await owner.get("P/issues/WEB-1")).data.counts.watchers).toBe(2);

  // Another edit is no reason to watch again.
  await anna.delete(`${path}/me`).expect(200);
  await owner.patch(`P/issues/WEB-1/comments/${data.id}`, { body_md: `${body.body_md}!` }).expect(200);
  expect((await owner.get("P/issues/WEB-1")).data.counts.watchers).toBe(1);
});

test("parallel watching, stopping and commenting never fails, and the count is right", async () => {
  const { owner, as, sql, workspace } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  const people = await Promise.all(Array.from({ length: 6 }, () => as({ role: "member" })));
  for (let round = 0; round < 4; round++) {
    const calls = people.flatMap((person) => [
      person.post(path),
      person.post("P/issues/WEB-1/comments", { body_md: "x" }),
      person.delete(`${path}/me`),
      person.post(path),
    ]);
    for (const reply of await Promise.all(calls)) expect([200, 201], reply.text).toContain(reply.status);
  }
  const [count] = await sql<{ counted: number; there: number }>(
    `select watcher_count as counted, (select count(*) from watcher w where w.issue_id = i.id) as there
     from issue i where workspace_id = $1`,
    [workspace.id],
  );
  expect(count?.counted).toBe(count?.there);
  const [deadlocks] = await sql(`select deadlocks from pg_stat_database where datname = current_database()`);
  expect(deadlocks).toEqual({ deadlocks: 0 });
});
