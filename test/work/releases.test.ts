import { expect, test } from "vitest";
import { eventsOf } from "../support/events.ts";
import { type World, world } from "../support/world.ts";

const make = async ({ owner }: World, body: object) => (await owner.post("P/releases", body).expect(201)).data;

test("a release is returned as it was created and changed, and counts its issues", async () => {
  const here = await world();
  const { owner } = here;
  const release = await make(here, {
    name: "Autumn",
    version: " 1.2.0 ",
    target_date: "2030-10-01",
    description_md: "x",
  });
  expect(release).toEqual({
    id: expect.any(String),
    name: "Autumn",
    version: "1.2.0",
    description_md: "x",
    status: "planned",
    target_date: "2030-10-01T00:00:00.000Z",
    target_on: "2030-10-01",
    released_at: null,
    progress: { total: 0, done: 0, failed: 0, cancelled: 0, percent: 0 },
    rank: expect.any(String),
    created_by: owner.userId,
    created_at: expect.stringMatching(/Z$/),
    updated_at: release.created_at,
  });
  const release_id = release.id;
  await owner.post("P/issues/bulk", {
    items: [
      { title: "a", release_id, status: "done" },
      { title: "b", release_id },
    ],
  });
  const { data } = await owner
    .patch(`P/releases/${release.id}`, { version: null, target_date: null, status: "in progress" })
    .expect(200);
  expect(data).toMatchObject({
    version: null,
    target_date: null,
    status: "in_progress",
    progress: { total: 2, percent: 50 },
  });
  await owner.patch(`P/releases/${release.id}`, { version: "" }).expect(200);
  expect((await owner.get(`P/releases/${release.id}`).expect(200)).data).toEqual(data);
  expect((await owner.get("P/releases").expect(200)).data).toEqual([data]);
  expect((await owner.get(`P/issues?release=${release.id}`).expect(200)).data).toHaveLength(2);
  expect(await eventsOf(here, "release.%")).toMatchObject([
    { type: "release.created", data: release },
    { type: "release.updated", data, changed: ["version", "status", "target_date", "target_on"] },
  ]);
});

test("a release is stamped once, and any other status clears the stamp", async () => {
  const here = await world();
  const { owner } = here;
  const { id } = await make(here, { name: "Autumn" });
  const path = `P/releases/${id}`;
  const out = (await owner.patch(path, { status: "released" }).expect(200)).data;
  expect(out).toMatchObject({ status: "released", released_at: out.updated_at });
  const again = (await owner.patch(path, { status: "released", name: "Fall" }).expect(200)).data;
  expect(again).toMatchObject({ name: "Fall", released_at: out.released_at });
  expect((await owner.patch(path, { status: "Canceled" }).expect(200)).data.released_at).toBeNull();
  const born = await make(here, { name: "Past", status: "released" });
  expect(born.released_at).toBe(born.created_at);
  expect((await eventsOf(here, "release.%")).map(({ type, changed }) => [type, changed])).toEqual([
    ["release.created", null],
    ["release.released", ["status", "released_at"]],
    ["release.updated", ["name"]],
    ["release.updated", ["status", "released_at"]],
    ["release.created", null],
    ["release.released", null],
  ]);
});

test("released_at can be set, but only on a released one and not in the future", async () => {
  const here = await world();
  const { owner } = here;
  const { id } = await make(here, { name: "Autumn" });
  const path = `P/releases/${id}`;
  await owner.patch(path, { released_at: "2020-01-01" }).expect(400, "validation_failed");
  await owner.patch(path, { status: "in_progress", released_at: "2020-01-01" }).expect(400, "validation_failed");
  await owner.patch(path, { status: "released", released_at: "2999-01-01" }).expect(400, "validation_failed");
  await owner.patch(path, { released_at: null }).expect(200);
  const { data } = await owner.patch(path, { status: "released", released_at: "2020-01-01" }).expect(200);
  expect(data.released_at).toBe("2020-01-01T00:00:00.000Z");
  await owner.patch(path, { released_at: null }).expect(400, "validation_failed");
  const later = (await owner.patch(path, { released_at: "2020-01-02" }).expect(200)).data;
  expect(later).toMatchObject({ status: "released", released_at: "2020-01-02T00:00:00.000Z" });
  expect((await eventsOf(here, "release.updated")).map(({ changed }) => changed)).toEqual([["released_at"]]);
  expect((await owner.patch(path, { status: "planned", released_at: null }).expect(200)).data.released_at).toBeNull();
});

test("parallel calls that release one release stamp and record it once", async () => {
  const here = await world();
  const { id } = await make(here, { name: "Autumn" });
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => here.owner.patch(`P/releases/${id}`, { status: "released" })),
  );
  expect(new Set(replies.map(({ status, data }) => `${status} ${data.released_at}`)).size).toBe(1);
  expect(await eventsOf(here, "release.released")).toHaveLength(1);
});

test("deleting removes the release from its issues", async () => {
  const here = await world();
  const { owner } = here;
  const { id: release_id } = await make(here, { name: "Autumn" });
  await owner
    .post("P/issues/bulk", {
      items: [
        { title: "a", release_id },
        { title: "b", release_id },
      ],
    })
    .expect(201);
  const { data } = await owner.delete(`P/releases/${release_id}`).expect(200);
  expect(data).toEqual({ id: release_id, deleted: true, issues_detached: 2 });
  await owner.get(`P/releases/${release_id}`).expect(404);
  expect((await owner.get("P/issues/WEB-2").expect(200)).data).toMatchObject({ release_id: null, version: 2 });
  const [line] = (await owner.get("P/issues/WEB-2/activity").expect(200)).data;
  expect(line).toMatchObject({ kind: "release_changed", payload: { from_name: "Autumn", to_name: null } });
  expect((await eventsOf(here, "release.deleted"))[0]).toMatchObject({
    data: { id: release_id, progress: { total: 2 } },
  });
  await owner.patch("P/issues/WEB-1", { release_id }).expect(400, "invalid_reference");
});
