import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { served } from "../support/client.ts";
import { expectSoundCounts } from "../support/counts.ts";
import { type World, world } from "../support/world.ts";

/** Whatever is done to issues, in any order or concurrently: counts match the rows. */

const KEYS = ["WEB-1", "WEB-2", "WEB-3"] as const;
const COLUMNS = ["To Do", "In Progress", "Done", "Cancelled"] as const;

type Action = { what: string; key: string; [field: string]: unknown };

const key = fc.constantFrom(...KEYS);
const nth = fc.nat(1);
const does = (what: string, rest: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Action> =>
  fc.record({ what: fc.constant(what), key, ...rest });
const often = (arbitrary: fc.Arbitrary<Action>) => ({ weight: 4, arbitrary });

const action = fc.oneof(
  often(does("move", { column: fc.constantFrom(...COLUMNS) })),
  often(does("plan", { kind: fc.constantFrom("milestone", "sprint", "release"), nth: fc.option(nth) })),
  often(does("label", { add: fc.boolean(), nth })),
  often(does("adopt", { parent: fc.option(key) })),
  often(does("link", { target: key, kind: fc.constantFrom("blocks", "relates_to") })),
  often(does("value", { value: fc.constantFrom("A", "B", null) })),
  often(does("comment", { reply: fc.boolean() })),
  often(fc.record({ what: fc.constantFrom("archive", "restore"), key })),
  often(does("create", { column: fc.constantFrom(...COLUMNS), nth })),
  often(fc.record({ what: fc.constantFrom("unlink", "uncomment"), key })),
  often(fc.record({ what: fc.constantFrom("watch", "unwatch", "log"), key })),
  does("recategorise", { column: fc.constantFrom(...COLUMNS), to: fc.constantFrom("todo", "done", "failed") }),
  does("end", { kind: fc.constantFrom("labels", "milestones", "sprints", "releases", "statuses"), nth }),
  fc.record({ what: fc.constantFrom("drop option", "complete sprint"), key }),
);
const sequence = fc.array(action, { minLength: 40, maxLength: 80, size: "max" });

type Made = { labels: string[]; milestones: string[]; sprints: string[]; releases: string[]; field: string };

async function prepared(): Promise<{ here: World; made: Made }> {
  const here = await world();
  const { owner } = here;
  const make = async (path: string, body = {}) =>
    Promise.all(
      ["One", "Two"].map(async (name) => (await owner.post(path, { name, ...body }).expect(201)).data.id as string),
    );
  const made = {
    labels: await make("P/labels"),
    milestones: await make("P/milestones"),
    sprints: await make("P/sprints"),
    releases: await make("P/releases"),
    field: (await make("P/custom-field-defs", { kind: "select", options: ["A", "B"] }))[0]!,
  };
  // Something to take away from the start on.
  const has = { labels: [made.labels[0]], sprint_id: made.sprints[0], custom_fields: { [made.field]: "B" } };
  await owner.post("P/issues/bulk", { items: KEYS.map((title) => ({ title, ...has })) }).expect(201);
  for (const [n, of] of KEYS.entries()) {
    const { data } = await owner.post(`P/issues/${of}/comments`, { body_md: "x" }).expect(201);
    await owner.post(`P/issues/${of}/comments`, { body_md: "x", parent_id: data.id }).expect(201);
    const link = { kind: "relates_to", direction: "out", target_key: KEYS[(n + 1) % KEYS.length] };
    await owner.post(`P/issues/${of}/links`, link).expect(201);
  }
  return { here, made };
}

async function call({ here, made }: { here: World; made: Made }, doing: Action) {
  const { owner, columns } = here;
  const path = `P/issues/${doing.key}`;
  const at = doing.nth as number | null;
  const first = async (list: string) => (await owner.get(`${path}/${list}`)).data?.[0]?.id ?? "none";
  switch (doing.what) {
    case "move":
      return owner.post(`${path}/transition`, { status_id: columns[doing.column as string] });
    case "plan":
      return owner.patch(path, {
        [`${doing.kind}_id`]: at === null ? null : made[`${doing.kind as "sprint"}s`][at],
      });
    case "label":
      return owner.patch(path, { [doing.add ? "add_labels" : "remove_labels"]: [made.labels[at!]] });
    case "adopt":
      return owner.patch(path, { parent: doing.parent });
    case "link":
      return owner.post(`${path}/links`, { kind: doing.kind, direction: "out", target_key: doing.target });
    case "unlink":
      return owner.delete(`${path}/links/${await first("links")}`);
    case "value":
      return owner.put(`${path}/custom-fields/${made.field}`, { value: doing.value });
    case "comment":
      return owner.post(`${path}/comments`, {
        body_md: "x",
        ...(doing.reply ? { parent_id: (await owner.get(`${path}/comments`)).data[0]?.id } : {}),
      });
    case "uncomment":
      return owner.delete(`${path}/comments/${await first("comments")}`);
    case "archive":
      return owner.delete(path);
    case "restore":
      return owner.post(`${path}/restore`);
    case "create":
      return owner.post("P/issues", {
        ...{ title: "New", status_id: columns[doing.column as string], parent: doing.key, labels: [made.labels[at!]] },
        ...{ sprint_id: made.sprints[at!], custom_fields: { [made.field]: "B" } },
      });
    case "watch":
      return owner.post(`${path}/watchers`);
    case "unwatch":
      return owner.delete(`${path}/watchers/me`);
    case "log":
      return owner.patch(`${path}/time`, { log: { minutes: 5 } });
    case "recategorise":
      return owner.patch(`P/statuses/${columns[doing.column as string]}`, { category: doing.to });
    case "end": {
      const kind = doing.kind as "labels";
      return owner.delete(`P/${kind}/${made[kind]?.[at!] ?? columns[COLUMNS[at! + 1]!]}`);
    }
    case "drop option":
      return owner.patch(`P/custom-field-defs/${made.field}`, { options: ["A"] });
    default:
      return owner.patch(`P/sprints/${made.sprints[0]}`, { status: "completed", move_open_issues_to: "backlog" });
  }
}

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
vi.setConfig({ testTimeout: 120_000 });
const runs = Number(process.env.FUZZ_RUNS ?? 4);
const ALLOWED = [200, 201, 400, 404, 409];

test(`one change after another (FUZZ_SEED=${seed})`, async () => {
  const check = fc.asyncProperty(sequence, async (actions) => {
    const prepare = await prepared();
    for (const doing of actions) {
      const reply = await call(prepare, doing);
      expect(ALLOWED, reply.text).toContain(reply.status);
    }
    await expectSoundCounts(prepare.here);
  });
  await fc.assert(check, { seed, numRuns: runs });
});

test(`all changes at once (FUZZ_SEED=${seed})`, async () => {
  const check = fc.asyncProperty(sequence, async (actions) => {
    const prepare = await prepared();
    for (const reply of await Promise.all(actions.map((doing) => served(() => call(prepare, doing))))) {
      expect(ALLOWED, reply.text).toContain(reply.status);
    }
    await expectSoundCounts(prepare.here);
  });
  await fc.assert(check, { seed, numRuns: runs });
});
