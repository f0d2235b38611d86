import fc from "fast-check";
import { expect, test } from "vitest";
import { configure } from "../support/app.ts";
import { expectSoundCounts } from "../support/counts.ts";
import { eventsIn } from "../support/footprint.ts";
import { expectSoundLinks } from "../support/links.ts";
import { type World, world } from "../support/world.ts";
import { brokenLinks, FOLLOWS } from "./chains.ts";

/**
 * Many callers change the same few objects at random and concurrently. No call fails, there are no deadlocks, and the
 * events about each object are consistent and end with the state that can be read. All counts match the rows.
 */

configure({ DATABASE_POOL: "40" });

const ISSUES = ["WEB-1", "WEB-2", "WEB-3", "OPS-1"] as const;
type Names = Record<"sprint" | "milestone" | "label" | "other" | "column" | "field" | "member", string>;

async function prepared(): Promise<{ here: World; names: Names }> {
  const here = await world();
  const { owner } = here;
  await owner.post("W/projects", { name: "Operations", key: "OPS" }).expect(201);
  const made = async (path: string, body: object) => (await owner.post(path, body).expect(201)).data.id as string;
  const { userId: member } = await here.as({ role: "member" });
  const names = {
    sprint: await made("P/sprints", { name: "Sprint" }),
    milestone: await made("P/milestones", { name: "Milestone" }),
    label: await made("P/labels", { name: "Label" }),
    other: await made("P/labels", { name: "Other" }),
    column: await made("P/statuses", { name: "Next", category: "in_progress" }),
    field: await made("P/custom-field-defs", { name: "Size", kind: "select", options: ["Small", "Large"] }),
    member,
  };
  for (const key of ISSUES) await made(`W/projects/${key.split("-")[0]}/issues`, { title: key });
  return { here, names };
}

// biome-ignore lint/suspicious/noExplicitAny: rows of all kinds
type Event = any;

type Action = { what: number; issue: string; target: string; n: number };
const action = fc.record({
  what: fc.nat(),
  issue: fc.constantFrom(...ISSUES),
  target: fc.constantFrom(...ISSUES),
  n: fc.nat(5),
});

const at = (key: string) => `W/projects/${key.split("-")[0]}/issues/${key}`;

/** Method, path, body. */
type Call = [string, string, object?];
const callsOf = ({ issue, target, n }: Action, names: Names): Call[] => {
  const I = at(issue);
  const patch = (body: object): Call => ["PATCH", I, body];
  const move = (body: object): Call => ["POST", `${I}/transition`, body];
  return [
    ...[patch({ title: `Title ${n}` }), patch({ title: `Title ${n}` }), patch({ story_points: n })],
    ...[patch({ sprint_id: n % 2 ? names.sprint : null }), patch({ milestone_id: n % 2 ? names.milestone : null })],
    ...[patch({ labels: n % 2 ? [names.label, names.other] : [] }), patch({ add_labels: [names.label] })],
    ...[patch({ assignees: n % 2 ? [names.member] : [] }), patch({ parent: n % 2 ? target : null })],
    ...[move({ status: "done" }), move({ status: "todo" }), move({ status_id: names.column })],
    ...[patch({ before: target }), patch({ custom_fields: { Size: n % 2 ? "Small" : "Large" } })],
    ["POST", `${I}/links`, { kind: n % 2 ? "blocks" : "relates_to", direction: "out", target_key: target }],
    ["POST", `${I}/comments`, { body_md: "Comment" }],
    ["POST", "P/issues", { title: "New", sprint_id: names.sprint, labels: [names.other], assignee: names.member }],
    ["PATCH", `${I}/time`, { log: { minutes: n + 1 } }],
    [n % 2 ? "POST" : "DELETE", `${I}/watchers${n % 2 ? "" : "/me"}`],
    ["DELETE", I],
    ["POST", `${I}/restore`],
    ["PATCH", `P/sprints/${names.sprint}`, { status: n % 2 ? "active" : "completed", move_open_issues_to: "backlog" }],
    ["PATCH", `P/milestones/${names.milestone}`, { name: `Milestone ${n}` }],
    ["PATCH", `P/labels/${names.label}`, { name: `Label ${n}` }],
    ["PATCH", `P/statuses/${names.column}`, { category: n % 2 ? "done" : "in_progress" }],
    ["PATCH", `P/custom-field-defs/${names.field}`, { options: n % 2 ? ["Small"] : ["Small", "Large"] }],
    ["PATCH", "P", { lead_user_id: n % 2 ? names.member : null, default_assignee_id: n % 3 ? names.member : null }],
    ...(n === 0 ? lastCalls(names) : []),
  ];
};

/** Calls that delete objects that other calls reference. */
const lastCalls = ({ sprint, milestone, other, column, field, member }: Names): Call[] => [
  ["DELETE", `P/sprints/${sprint}`],
  ["DELETE", `P/milestones/${milestone}`],
  ["DELETE", `P/labels/${other}`],
  ["DELETE", `P/statuses/${column}`],
  ["DELETE", `P/custom-field-defs/${field}`],
  ["DELETE", `W/members/${member}`],
  ["DELETE", "W/projects/OPS"],
  ["POST", "W/projects/OPS/restore"],
];

/** Lets Postgres detect and count deadlocks before lock timeouts. `expectSoundLinks` reads the count. */
async function countDeadlocksEarly({ sql }: World) {
  const [row] = await sql<{ name: string }>("select current_database() as name");
  await sql(`alter database ${row!.name} set deadlock_timeout = '20ms'`);
  await sql(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
}

/** The last event about an issue has the data that GET returns. */
async function expectShown({ owner, project }: World, { type, issue_id, project_id, data }: Event) {
  if (!/^issue\.[a-z_]+$/.test(type)) return;
  const key = project_id === project.id ? "WEB" : "OPS";
  const shown = (await owner.get(`W/projects/${key}/issues/${issue_id}`).expect(200)).data;
  const own = (view: Event["data"]) => ({
    ...Object.fromEntries(Object.entries(view).filter(([field]) => !FOLLOWS.issue!.includes(field))),
    labels: view.labels.map(({ id }: { id: string }) => id),
  });
  // The column of an archived issue may be deleted afterwards, which the column's own event says.
  const columnIsGone = shown.archived_at !== null && shown.status_id === null;
  expect(own(columnIsGone ? { ...data, status_id: null } : data), type).toEqual(own(shown));
}

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

test(`the events of each object stay consistent under concurrent calls (FUZZ_SEED=${seed})`, async () => {
  await countDeadlocksEarly(await world());
  const check = fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 30 }), async (actions) => {
    const { here, names } = await prepared();
    const calls = actions.map((one) => callsOf(one, names)).map((all, n) => all[actions[n]!.what % all.length]!);
    const replies = await Promise.all(calls.map(([method, path, body]) => here.owner.call(method, path, body)));
    for (const [n, { status, text }] of replies.entries()) {
      // Too many calls may be in progress for all to get their locks in time.
      if (status !== 503) expect(status, `${calls[n]!.join(" ")}: ${text}`).toBeLessThan(500);
    }
    const events = await eventsIn(here);
    expect(events.flatMap(brokenLinks)).toEqual([]);
    for (const list of events) await expectShown(here, list.at(-1));
    await expectSoundCounts(here);
    await expectSoundLinks(here);
  });
  await fc.assert(check, { seed, numRuns: 12 });
}, 300_000);
