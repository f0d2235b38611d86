import { expect, test } from "vitest";
import { world } from "./support/world.ts";

test("an issue is created with the board's defaults and read back by key in any case and by id", async () => {
  const { owner } = await world();
  const { data } = await owner.post("P/issues", { title: "  Fix login " }).expect(201);
  expect(data).toMatchObject({
    key: "WEB-1",
    number: 1,
    title: "Fix login",
    type: "task",
    priority: "medium",
    status: "todo",
  });
  expect(data.reporter_id).toBe(owner.userId);
  expect(data.counts.watchers).toBe(1);
  for (const ref of ["WEB-1", "web-1", data.id, data.id.toUpperCase(), data.id.replaceAll("-", "")]) {
    expect((await owner.get(`P/issues/${ref}`).expect(200)).data).toEqual(data);
  }
});

test("50 parallel creates take 50 numbers without a gap or a double", async () => {
  const { owner } = await world();
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => owner.post("P/issues", { title: `Issue ${n}` }).expect(201)),
  );
  const numbers = replies.map((reply) => reply.data.number).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
});

test("refused creates burn no number", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "" }).expect(400);
  await owner.post("P/issues", { title: "x", assignee: "nobody@nowhere.test" }).expect(400, "invalid_reference");
  await owner.post("P/issues", { title: "x", external_source: "jira", external_id: "1" }).expect(201);
  const double = await owner
    .post("P/issues", { title: "x", external_source: "jira", external_id: "1" })
    .expect(409, "already_exists");
  expect(double.body.error.details.existing_id).toMatch(/^[0-9a-f-]{36}$/);
  expect((await owner.post("P/issues", { title: "y" }).expect(201)).data.number).toBe(2);
});
