import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { expectSoundLinks } from "../support/links.ts";
import { type World, world } from "../support/world.ts";

/**
 * Whatever is linked, unlinked, moved, archived and restored: links look the same from both sides and never block in
 * a circle.
 */

const KEYS = ["WEB-1", "WEB-2", "WEB-3", "OPS-1", "OPS-2", "OPS-3"] as const;
const at = (key: string) => `W/projects/${key.split("-")[0]}/issues/${key}`;

type Link = { id: string; kind: string; direction: string; target_key: string };

async function prepared(): Promise<World> {
  const here = await world();
  await here.owner.post("W/projects", { name: "Operations", key: "OPS" }).expect(201);
  for (const key of KEYS) await here.owner.post(`W/projects/${key.split("-")[0]}/issues`, { title: key }).expect(201);
  return here;
}

const key = fc.constantFrom(...KEYS);
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant("link" as const),
      key,
      target: key,
      kind: fc.constantFrom("blocks", "blocks", "relates_to", "duplicates"),
      direction: fc.constantFrom("in", "out"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("unlink" as const), key, nth: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant("move" as const), key, status: fc.constantFrom("todo", "done") }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom("archive" as const, "restore" as const), key }) },
);
type Action =
  | { what: "link"; key: string; target: string; kind: string; direction: string }
  | { what: "unlink"; key: string; nth: number }
  | { what: "move"; key: string; status: string }
  | { what: "archive" | "restore"; key: string };

function call({ owner }: World, doing: Action, links: Link[]) {
  const path = at(doing.key);
  if (doing.what === "link") {
    const { kind, direction, target } = doing;
    return owner.post(`${path}/links`, { kind, direction, target_key: target });
  }
  if (doing.what === "unlink") return owner.delete(`${path}/links/${links[doing.nth]?.id ?? "none"}`);
  if (doing.what === "move") return owner.post(`${path}/transition`, { status: doing.status });
  return doing.what === "archive" ? owner.delete(path) : owner.post(`${path}/restore`);
}

const linksOf = async ({ owner }: World, of: string): Promise<Link[]> =>
  (await owner.get(`${at(of)}/links`).expect(200)).data;

async function expectSymmetry(here: World) {
  const shown = await Promise.all(
    KEYS.map(async (of) => (await linksOf(here, of)).map((link) => ({ ...link, of: of as string }))),
  );
  const sides = shown.flat();
  for (const { id, kind, direction, target_key, of } of sides) {
    const turned = { id, kind, direction: direction === "in" ? "out" : "in", target_key: of, of: target_key };
    expect(sides).toContainEqual(expect.objectContaining(turned));
  }
  const ids = sides.map(({ id }) => id).sort();
  expect(ids.filter((id, n) => ids[n - 1] !== id)).toHaveLength(ids.length / 2);
  const meanings = sides
    .filter(({ direction, kind }) => direction === "out" || kind === "relates_to")
    .map(({ kind, of, target_key }) => `${of} ${kind} ${target_key}`);
  expect(new Set(meanings).size).toBe(meanings.length);
}

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
vi.setConfig({ testTimeout: 120_000 });

test(`one call after another (FUZZ_SEED=${seed})`, async () => {
  const check = fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 25 }), async (actions) => {
    const here = await prepared();
    for (const doing of actions) {
      const reply = await call(here, doing, await linksOf(here, doing.key));
      expect([200, 201, 400, 404, 409], reply.text).toContain(reply.status);
      if (reply.body.code === "link_cycle") await expectRealWay(here, reply.body.error.details.cycle);
    }
    await expectSymmetry(here);
    await expectSoundLinks(here);
  });
  await fc.assert(check, { seed, numRuns: 5 });
});

test(`all calls at once (FUZZ_SEED=${seed})`, async () => {
  const check = fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 25 }), async (actions) => {
    const here = await prepared();
    const links = await linksOf(here, "WEB-1");
    for (const reply of await Promise.all(actions.map((doing) => call(here, doing, links)))) {
      expect([200, 201, 400, 404, 409], reply.text).toContain(reply.status);
    }
    await expectSymmetry(here);
    await expectSoundLinks(here);
  });
  await fc.assert(check, { seed, numRuns: 5 });
});

/** Each issue of the cycle blocks the next. */
async function expectRealWay({ sql }: World, cycle: string[]) {
  expect(cycle.length).toBeGreaterThan(1);
  for (const [n, id] of cycle.slice(1).entries()) {
    const found = await sql(`select 1 from issue_link where kind = 'blocks' and source_id = $1 and target_id = $2`, [
      cycle[n],
      id,
    ]);
    expect(found).toHaveLength(1);
  }
}
