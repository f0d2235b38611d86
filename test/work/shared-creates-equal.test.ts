import { expect, test } from "vitest";
import { ISSUE_TYPES, PRIORITIES } from "../../src/domain/access/identity/issue-row.ts";
import { CATEGORIES } from "../../src/domain/kernel/categories.ts";
import { seeded } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

/**
 * The short statement (`create-shared.sql.ts`) stores what the long one (`create.sql.ts`) stores. A call that creates two
 * issues uses the long one.
 */

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const ISSUES = 120;

type Issue = { id: string; key: string; number: number; rank: string; created_at: string; title: string };

/** Text without what must differ between two issues that are created one after the other. */
function withoutOwn(value: unknown, { id, key, number, rank, created_at }: Issue): string {
  return JSON.stringify(value)
    .replaceAll(id, "ID")
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, (time) =>
      Date.parse(JSON.parse(time)) === Date.parse(created_at) ? '"NOW"' : JSON.stringify(new Date(JSON.parse(time))),
    )
    .replaceAll(new RegExp(`\\b${key}\\b`, "gi"), "KEY")
    .replaceAll(`"number":${number},`, '"number":N,')
    .replaceAll(`"rank":"${rank}"`, '"rank":"R"')
    .replaceAll(/"external_id":"(\d+) \w+"/g, '"external_id":"$1"');
}

/** Every row that belongs to an issue. */
async function rowsOf({ sql }: World, issue: Issue): Promise<unknown> {
  // Triggers derive what is searched from the other columns; the key is in it.
  const [rows] = await sql(
    `select (select to_jsonb(i) - 'search' - 'search_head' from issue i where id = $1) as issue,
            (select jsonb_agg(to_jsonb(e) - 'id' - 'cause' || jsonb_build_object('cause', e.cause - 'request_id') order by e.type)
             from event e where issue_id = $1) as events,
            (select jsonb_agg(o.type order by o.type) from outbox o join event e on e.id = o.event_id
             where e.issue_id = $1 and o.workspace_id = e.workspace_id) as outbox,
            (select jsonb_agg(to_jsonb(a) - 'id' || jsonb_build_object('payload', a.payload #- '{cause,request_id}'))
             from activity a where issue_id = $1) as activity,
            (select jsonb_agg(to_jsonb(w) order by user_id) from watcher w where issue_id = $1) as watchers`,
    [issue.id],
  );
  return JSON.parse(withoutOwn(rows, issue).replaceAll('"number":N', '"number":0'));
}

test(`issues are stored alike, alone, together with others, and by the long statement (FUZZ_SEED=${SEED})`, async () => {
  const here = await world();
  const { owner, columns } = here;
  const member = await here.as({ role: "member", name: "Pat Ø" });
  const agent = await here.as({ role: "member", isAgent: true });
  const make = async (path: string, body: object) => (await owner.post(path, body).expect(201)).data.id as string;
  const labels = [await make("P/labels", { name: "b" }), await make("P/labels", { name: "a" })];
  const sprint = await make("P/sprints", { name: "One", start_at: "2026-11-01", end_at: "2026-12-01" });
  const milestone = await make("P/milestones", { name: "One" });
  const release = await make("P/releases", { name: "1.0" });

  const { pick, below } = seeded(SEED);
  const maybe = <T>(value: T): T | undefined => (below(2) ? value : undefined);
  const people = () => Array.from({ length: below(3) }, () => pick(["me", member.userId, agent.userId, owner.userId]));
  const bodyOf = (n: number) => ({
    title: `${n} ${pick(["plain", 'a "quote" \\ and /', "漢字 🙂 </script>", "WEB"])}`,
    type: pick(ISSUE_TYPES.filter((type) => type !== "subtask")),
    priority: maybe(pick(PRIORITIES)),
    description_md: maybe(pick(["Text", "line\nbreak\ttab", `Ask @[Pat](${member.userId})`, "x".repeat(3_000), null])),
    ...pick([
      {},
      {},
      { status: pick(CATEGORIES.filter((one) => one !== "failed")) },
      { status_id: pick(Object.values(columns)) },
    ]),
    ...pick([{}, { assignee_ids: people() }, { assignee: "me" }]),
    labels: maybe(labels.slice(below(3))),
    watcher_ids: maybe(people()),
    milestone_id: maybe(milestone),
    release_id: maybe(release),
    estimate_minutes: maybe(below(600)),
    story_points: maybe(below(9)),
    spent_minutes: maybe(below(600)),
    completion_pct: maybe(below(101)),
    start_at: maybe("2026-11-02"),
    due_at: maybe("2026-11-23T10:00:00+02:00"),
  });
  const bodies = Array.from({ length: ISSUES }, (_, n) => {
    const body = bodyOf(n);
    const isOpen = !("status" in body || "status_id" in body);
    return { ...body, sprint_id: isOpen ? maybe(sprint) : undefined, external_source: maybe("jira") };
  });
  const named = (n: number, how: string) => {
    const body = bodies[n]!;
    return body.external_source ? { ...body, external_id: `${n} ${how}` } : body;
  };
  const callers = [owner, member, agent];

  const create = async (n: number, how: string): Promise<Issue> =>
    (await callers[n % 3]!.post("P/issues", named(n, how)).expect(201)).data;
  const together = await Promise.all(bodies.map((_, n) => create(n, "together")));
  for (const n of bodies.keys()) {
    const items = [named(n, "long"), { title: "Another" }];
    const bulk = await callers[n % 3]!.post("P/issues/bulk", { items });
    const long = (bulk.data ?? bulk.body)[0].data as Issue;
    const expected = { rows: await rowsOf(here, long), reply: withoutOwn(long, long) };
    for (const issue of [together[n]!, ...(n % 10 === 0 ? [await create(n, "alone")] : [])]) {
      expect(withoutOwn(issue, issue), `reply of ${n}`).toBe(expected.reply);
      expect(await rowsOf(here, issue), `rows of ${n}`).toEqual(expected.rows);
    }
  }
  const counts = await here.sql(
    `select issue_count as counted, (select count(*) from issue i where i.status_id = s.id) as there
     from board_status s where project_id = $1`,
    [here.project.id],
  );
  for (const { counted, there } of counts) expect(counted).toBe(there);
}, 60_000);
