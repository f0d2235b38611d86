import { describe, expect, test } from "vitest";
import { make } from "../support/reports.ts";
import { world } from "../support/world.ts";

const DAY = "2026-12-10";
const MIDNIGHT = "2026-12-10T00:00:00.000Z";

describe("a date that is sent as a day stays one", () => {
  test("on issues: created, listed, changed, sent back whole, and made an instant", async () => {
    const { owner, ...here } = await world();
    const key = await make({ owner, ...here }, { start_at: "2026-12-01T19:00:00-05:00", due_at: DAY });
    const first = { start_at: "2026-12-02T00:00:00.000Z", start_on: null, due_at: MIDNIGHT, due_on: DAY };
    expect((await owner.get(`P/issues/${key}`)).data).toMatchObject(first);
    expect((await owner.get("P/issues")).data).toEqual([expect.objectContaining(first)]);
    expect((await owner.get("P/issues?sort=due_asc&type=task")).data).toEqual([expect.objectContaining(first)]);

    const whole = (await owner.get(`P/issues/${key}`)).data;
    const back = (await owner.patch(`P/issues/${key}`, whole).expect(200)).data;
    expect(back).toMatchObject({ ...first, version: whole.version });
    // The same instant, without the day that it stands for.
    expect((await owner.patch(`P/issues/${key}`, { due_at: MIDNIGHT })).data).toMatchObject({ due_on: DAY });

    const change = async (body: object) => (await owner.patch(`P/issues/${key}`, body).expect(200)).data;
    expect(await change({ due_at: "2026-12-11" })).toMatchObject({ due_on: "2026-12-11" });
    expect(await change({ ...(await owner.get(`P/issues/${key}`)).data, due_on: "2026-12-12" })).toMatchObject({
      due_at: "2026-12-12T00:00:00.000Z",
      due_on: "2026-12-12",
    });
    expect(await change({ due_at: "2026-12-12T00:00:00Z", due_on: null })).toMatchObject({ due_on: null });
    expect(await change({ due_at: "2026-12-12" })).toMatchObject({ due_on: "2026-12-12" });
    expect(await change({ due_at: "2026-12-12T19:00:00-05:00" })).toMatchObject({
      due_at: "2026-12-13T00:00:00.000Z",
      due_on: null,
    });
    expect(await change({ due_on: DAY })).toMatchObject({ due_at: MIDNIGHT, due_on: DAY });
    expect(await change({ due_at: null })).toMatchObject({ due_at: null, due_on: null });
    await owner
      .patch(`P/issues/${key}`, { due_at: "2026-12-12", due_on: "2026-12-13" })
      .expect(400, "mutually_exclusive");
    await owner.patch(`P/issues/${key}`, { due_on: "2026-02-30" }).expect(400, "validation_failed");
    // A whole day lasts until its end, so work may begin on it.
    expect(await change({ start_at: "2026-12-10T09:00:00Z", due_at: DAY })).toMatchObject({ due_on: DAY });
    await owner.patch(`P/issues/${key}`, { due_at: "2026-12-09" }).expect(400, "validation_failed");
  });

  test("in bulk", async () => {
    const here = await world();
    const epic = await make(here, { type: "epic", due_at: DAY });
    const items = [
      { title: "One", epic, due_at: DAY },
      { title: "Two", due_on: DAY, start_on: "2026-12-01" },
    ];
    const { data } = await here.owner.post("P/issues/bulk", { items }).expect(201);
    expect(data[0].data).toMatchObject({ due_at: MIDNIGHT, due_on: DAY, start_on: null });
    expect(data[1].data).toMatchObject({ due_at: MIDNIGHT, due_on: DAY, start_on: "2026-12-01" });
  });

  test.each([
    ["P/milestones", { name: "Beta" }, "start_at", "start_on", "due_at", "due_on"],
    ["P/sprints", { name: "One" }, "start_at", "start_on", "end_at", "end_on"],
    ["P/releases", { name: "1.0" }, "target_date", "target_on"],
    ["W/projects", { name: "Other" }, "start_at", "start_on", "target_at", "target_on"],
    ["W/goals", { title: "Win" }, "cycle_start_at", "cycle_start_on", "cycle_due_at", "cycle_due_on"],
  ] as [path: string, body: object, ...fields: string[]][])("on %s", async (path, body, ...fields) => {
    const { owner } = await world();
    for (let n = 0; n < fields.length; n += 2) {
      const [at, on] = [fields[n]!, fields[n + 1]!];
      const { data } = await owner.post(path, { ...body, [at]: DAY }).expect(201);
      expect(data).toMatchObject({ [at]: MIDNIGHT, [on]: DAY });
      const one = path === "W/projects" ? `${path}/${data.key}` : `${path}/${data.id}`;
      const change = async (change: object) => (await owner.patch(one, change).expect(200)).data;
      expect(await change((await owner.get(one)).data)).toMatchObject({ [at]: MIDNIGHT, [on]: DAY });
      expect(await change({ [at]: "2026-12-10T19:00:00-05:00" })).toMatchObject({ [on]: null });
      expect(await change({ [on]: DAY })).toMatchObject({ [at]: MIDNIGHT, [on]: DAY });
      expect((await owner.get(one)).data).toMatchObject({ [at]: MIDNIGHT, [on]: DAY });
      await owner.delete(one);
    }
  });

  test("on key results", async () => {
    const { owner } = await world();
    const goal = (await owner.post("W/goals", { title: "Win" }).expect(201)).data.id;
    const path = `W/goals/${goal}/key-results`;
    const { data } = await owner.post(path, { title: "Sales", kind: "manual", due_at: DAY }).expect(201);
    expect(data).toMatchObject({ due_at: MIDNIGHT, due_on: DAY });
    const { data: after } = await owner.patch(`${path}/${data.id}`, { due_at: "2026-12-10T01:00:00Z" }).expect(200);
    expect(after).toMatchObject({ due_on: null });
  });
});
