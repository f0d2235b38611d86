import { expect, test } from "vitest";
import { world } from "../support/world.ts";

/** Where there is no room between two ranks, objects beside them get new ones. Whoever keeps a copy hears of it. */

type Ranked = { id: string; name: string; rank: string; updated_at: string };

const KINDS = [
  ["statuses", "status"],
  ["sprints", "sprint"],
  ["milestones", "milestone"],
  ["releases", "release"],
  ["custom-field-defs", "custom_field"],
] as const;

test.each(KINDS)(
  "each rank of %s that another one's place replaces is told, and has a new time",
  async (path, event) => {
    const { owner, sql, workspace } = await world();
    const body = path === "custom-field-defs" ? { kind: "text" } : {};
    const make = async (input: object): Promise<Ranked> =>
      (await owner.post(`P/${path}`, { ...body, ...input }).expect(201)).data;
    const list = async (): Promise<Ranked[]> => (await owner.get(`P/${path}`).expect(200)).data;
    const byId = (all: Ranked[], wanted: string) => all.find(({ id }) => id === wanted)!;

    const one = await make({ name: "One" });
    const two = await make({ name: "Two", rank: one.rank });
    const before = await list();
    await owner
      .patch(`P/${path}/${(await make({ name: "Three" })).id}`, { after: one.id, before: undefined })
      .expect(200);
    const after = await list();
    expect(after.map(({ name }) => name).filter((name) => /One|Two|Three/.test(name))).toEqual(["One", "Three", "Two"]);

    const replaced = before.filter(({ id, rank }) => byId(after, id).rank !== rank);
    expect(replaced.map(({ id }) => id)).toContain(two.id);
    for (const { id, updated_at } of replaced) expect(byId(after, id).updated_at > updated_at).toBe(true);
    const told = await sql<{ data: Ranked; previous: object }>(
      "select data, previous from event where workspace_id = $1 and type = $2 and changed = '{rank}'",
      [workspace.id, `${event}.updated`],
    );
    for (const { id, rank } of replaced) {
      expect(told.filter(({ data }) => data.id === id)).toMatchObject([
        { data: { ...byId(after, id) }, previous: { rank } },
      ]);
    }
  },
);
