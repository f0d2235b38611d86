import { expect, test } from "vitest";
import { PRIORITIES } from "../../src/domain/access/identity/issue-row.ts";
import type { Client } from "../support/client.ts";
import { seeded } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

/**
 * Changes and moves that share a statement (`change-shared.sql.ts`) reply and store to the byte what they do in a
 * transaction of their own, which is what calls with an Idempotency-Key have. Two projects get the same calls.
 */

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const ISSUES = 12;
const ROUNDS = 12;

/** A project, and the common names of what is its own. */
type Project = { id: string; key: string; own: [own: string, common: string][] };

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

async function projectNamed({ owner }: World, key: string): Promise<Project> {
  const { data: project } = await owner.post("W/projects", { name: "Project", key }).expect(201);
  const P = `W/projects/${key}`;
  const { data: columns } = await owner.get(`${P}/statuses`).expect(200);
  const { data: label } = await owner.post(`${P}/labels`, { name: "one" }).expect(201);
  const issues: string[] = [];
  for (const n of times(ISSUES, (n) => n)) {
    const about = { labels: n % 2 ? [label.id] : [], assignee: n % 3 ? "me" : null };
    const body = { title: `Issue ${n}`, description_md: "Text", ...about };
    issues.push((await owner.post(`${P}/issues`, body).expect(201)).data.id);
  }
  const ids = [...columns.map(({ id }: { id: string }) => id), label.id, ...issues];
  const own = [
    ...ids.map((id, n) => [id, `id ${n}`]),
    [project.id, "project"],
    [key, "KEY"],
    [key.toLowerCase(), "key"],
  ];
  return { id: project.id, key, own: own as Project["own"] };
}

/** Text without what must differ between the two projects: ids, keys, and the times of the calls. */
function inCommon(text: string, { own }: Project): string {
  let common = text;
  for (const [from, to] of own) common = common.replaceAll(from, to);
  // Those that calls send are in 2030. Of the ranks at the bottom of a column either may choose another one.
  return common.replaceAll(/"20[012]\d-\d\d-\d\dT[^"]*"/g, '"NOW"').replaceAll(/"rank": ?"\w+"/g, '"rank":"R"');
}

/** Every row that belongs to the issues of a project. */
async function rowsOf({ sql }: World, project: Project): Promise<Record<string, unknown[]>> {
  const [rows] = await sql(
    `select (select jsonb_agg(to_jsonb(i) - 'search' - 'search_head' order by number)
             from issue i where project_id = $1) as issues,
            (select jsonb_agg(to_jsonb(e) - 'id' || jsonb_build_object('cause', e.cause - 'request_id',
                                'previous', e.previous - 'rank', 'changed', array_remove(e.changed, 'rank'))
                              order by issue_id, id) from event e where project_id = $1) as events,
            (select jsonb_agg(number order by status_id, rank, id) from issue where project_id = $1) as board,
            (select jsonb_agg(o.type order by e.issue_id, e.id) from outbox o join event e on e.id = o.event_id
             where e.project_id = $1 and o.workspace_id = e.workspace_id) as outbox,
            (select jsonb_agg(to_jsonb(a) - 'id' || jsonb_build_object('payload', a.payload #- '{cause,request_id}')
                              order by issue_id, id) from activity a where project_id = $1) as activity,
            (select jsonb_agg(issue_count order by rank) from board_status where project_id = $1) as counts`,
    [project.id],
  );
  return JSON.parse(inCommon(JSON.stringify(rows), project));
}

test(`shared changes reply and store what changes alone do (FUZZ_SEED=${SEED})`, async () => {
  const here = await world();
  const { owner, sql } = here;
  const member = await here.as({ role: "member", name: "Pat Ø" });
  const agent = await here.as({ role: "member", isAgent: true });
  await owner.patch(`W/agents/${agent.userId}`, { field_policy: ["title", "status"] }).expect(200);
  const callers = [owner, owner, member, agent];
  const shared = await projectNamed(here, "QAX");
  const alone = await projectNamed(here, "QBX");

  const { pick, below } = seeded(SEED);
  const maybe = <T>(value: T): T | undefined => (below(3) === 0 ? value : undefined);
  const texts = ["Text", "line\nbreak\ttab", `Ask @[Pat](${member.userId})`, "x".repeat(3_000), "y".repeat(40_000)];
  const patch = () => ({
    title: maybe(pick(["plain", 'a "quote" \\ and /', "漢字 🙂 </script>", "\u2028 \u{1f600}"])),
    description_md: maybe(pick([...texts, null])),
    priority: maybe(pick(PRIORITIES)),
    estimate_minutes: maybe(pick([null, 0, below(600)])),
    story_points: maybe(pick([null, below(9)])),
    completion_pct: maybe(pick([null, below(101)])),
    start_at: maybe(pick([null, "2030-11-02"])),
    due_at: maybe(pick([null, "2030-11-23T10:00:00+02:00", "2030-11-01"])),
    if_version: below(9) === 0 ? below(5) + 1 : undefined,
  });
  const move = () => ({ status: pick(["todo", "in_progress", "in_review", "done", "cancelled"]) });

  let calls = 0;
  /** Makes a call in both projects, and compares the replies. */
  const both = async (caller: Client, n: number, method: string, path: string, body: object, name = `${++calls}`) => {
    const reply = async (project: Project, headers: Record<string, string>) => {
      const at = `W/projects/${project.key}/issues/${project.key}-${n + 1}`;
      const { status, text, headers: replied } = await caller.call(method, at + path, body, { headers });
      // What a change replies is what is read afterwards, with the same tag.
      if (status === 200) {
        const read = await caller.get(at).expect(200);
        expect([JSON.stringify({ data: JSON.parse(text).data }), replied.get("etag")]).toEqual([
          read.text,
          read.headers.get("etag"),
        ]);
      }
      return inCommon(`${status} ${text}`, project).replace(/"request_id":"[^"]*"/, "");
    };
    const [one, other] = await Promise.all([reply(shared, {}), reply(alone, { "idempotency-key": name })]);
    expect(one, `${method} ${JSON.stringify(body).slice(0, 500)}`).toBe(other);
  };

  // Calls for different issues arrive together. A move depends on those before it, since each goes to the bottom.
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(times(ISSUES, (n) => both(pick(callers), n, "PATCH", "", patch())));
    for (const n of times(ISSUES, (n) => n)) {
      if (below(3) === 0) await both(pick(callers), n, "POST", "/transition", move());
    }
  }
  const [stored, expected] = [await rowsOf(here, shared), await rowsOf(here, alone)];
  for (const [kind, rows] of Object.entries(stored)) {
    expect(rows.length, kind).toBe(expected[kind]!.length);
    for (const [n, row] of rows.entries()) expect(row, `${kind} ${n}`).toEqual(expected[kind]![n]);
  }

  // Otherwise both projects had transactions of their own.
  await Promise.all(times(ISSUES, (n) => both(owner, n, "PATCH", "", { title: "Together" })));
  const [written] = await sql("select count(distinct xmin::text) as writes from issue where project_id = $1", [
    shared.id,
  ]);
  expect(written!.writes).toBeLessThan(ISSUES);
}, 120_000);
