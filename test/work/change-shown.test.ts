import { expect, test } from "vitest";
import { ISSUE_TYPES } from "../../src/domain/access/identity/issue-row.ts";
import { seeded } from "../support/random.ts";
import { world } from "../support/world.ts";

/** A change tells what it knows without reading the issue again. That is what the next read shows, and what its event has. */

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const CHANGES = 100;

test(`the reply to a change, its event and the issue are the same (FUZZ_SEED=${SEED})`, async () => {
  const here = await world();
  const { owner, sql, columns } = here;
  const { pick, below } = seeded(SEED);
  const make = async (path: string, body: object) => (await owner.post(path, body).expect(201)).data.id as string;
  const member = await here.as({ role: "member", name: "Pat Ø" });
  const agent = await here.as({ role: "member", isAgent: true });
  const people = ["me", owner.userId, member.userId, agent.userId];
  const labels = await Promise.all(["a", "b", "c"].map((name) => make("P/labels", { name })));
  const field = await make("P/custom-field-defs", { name: "Size", kind: "number" });
  const sprint = await make("P/sprints", { name: "One" });
  const milestone = await make("P/milestones", { name: "One" });
  await make("P/issues", { title: "Parent", type: "story" });
  const ids = [await make("P/issues", { title: "One" }), await make("P/issues", { title: "Two", assignee: "me" })];

  const some = <T>(of: readonly T[]) => of.filter(() => below(2) === 0);
  const parts = (): object[] => [
    { assignee_ids: some(people) },
    { assignee: pick([null, ...people]) },
    { reporter: pick(people) },
    { labels: some([...labels, "a"]) },
    { add_labels: some(labels), remove_labels: some(["b"]) },
    { status_id: pick(Object.values(columns)) },
    { status: pick(["todo", "in_progress", "done"]) },
    { type: pick(ISSUE_TYPES.filter((type) => type !== "epic" && type !== "subtask")) },
    { custom_fields: { [field]: pick([null, 1.5, 2]) } },
    { sprint_id: pick([null, sprint]) },
    { milestone_id: pick([null, milestone]) },
    { description_md: pick([null, "Text"]), due_at: pick([null, "2026-11-23"]) },
    { parent: pick([null, "WEB-1"]) },
  ];
  let done = 0;
  for (let n = 0; n < CHANGES; n++) {
    const id = pick(ids);
    const body = Object.assign({}, ...[1, 2, 3].slice(below(3)).map(() => pick(parts())));
    const before = (await owner.get(`P/issues/${id}`).expect(200)).data;
    const reply = await pick([owner, owner, agent]).patch(`P/issues/${id}`, body);
    const now = (await owner.get(`P/issues/${id}`).expect(200)).data;
    const told = `change ${n}: ${JSON.stringify(body)}`;
    if (reply.status !== 200) {
      expect(reply.status, `${told} ${reply.text}`).toBeLessThan(500);
      expect(now, told).toEqual(before);
      continue;
    }
    expect(JSON.stringify(reply.data), told).toBe(JSON.stringify(now));
    if (now.version === before.version) continue;
    done++;
    const [event] = await sql<{ data: object; previous: object }>(
      `select data, previous from event where issue_id = $1 and type = 'issue.updated' order by id desc limit 1`,
      [id],
    );
    expect(event!.data, told).toEqual(now);
    expect(before, told).toMatchObject(event!.previous);
  }
  expect(done).toBeGreaterThan(CHANGES / 4);
}, 60_000);
