import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Operation } from "../../src/api/engine/operation.ts";
import { operations } from "../../src/api/operations/index.ts";
import { undefinedEvents } from "../support/events.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { FOLLOWS } from "./chains.ts";
import type { Case } from "./changes/case.ts";
import { changes } from "./changes/index.ts";
import { undocumentedMessage } from "./conformance.ts";
import { exampleOf, pathOf } from "./examples.ts";
import { isShown, KINDS, keyOf, listsOfProjects, type Shown, shown, type View, WITHOUT_EVENTS } from "./shown.ts";

/**
 * Every change by an operation on projects and issues is reported by events: completely, as it can be read, once, and
 * nothing else.
 */

type Event = {
  id: string;
  type: string;
  issue_id: string | null;
  data: View;
  previous: Record<string, unknown> | null;
  changed: string[] | null;
};

/** Fields that events report as changed although the view does not show them. */
const NOT_SHOWN = ["remaining_minutes", "commits"];

const changing = operations.filter(({ writes, path }) => writes && path.startsWith("/v1/workspaces/{slug}/projects"));
/** Hand-written cases, or else one call that records the events that the operation declares. */
function casesOf({ id, records }: Operation): Case[] {
  return changes[id] ?? (records ? [{ says: records.map(({ name }) => name) }] : []);
}
const cases = changing.flatMap((operation) =>
  casesOf(operation).map((one) => ({
    name: `${operation.id}${one.does ? ` (${one.does})` : ""}`,
    operation,
    one,
  })),
);
const walked: { here: World; events: Event[] }[] = [];

test("the walk covers every operation that changes something in a project, and every list of a project", () => {
  expect(changing.filter((operation) => casesOf(operation).length === 0).map(({ id }) => id)).toEqual([]);
  expect(Object.keys(changes).filter((id) => !changing.some((operation) => operation.id === id))).toEqual([]);
  const looked = [...KINDS.map(({ list }) => list), ...Object.keys(WITHOUT_EVENTS)];
  expect(listsOfProjects.map(({ id }) => id).filter((id) => !looked.includes(id))).toEqual([]);
});

test.each(cases)("$name", async ({ operation, one }) => {
  const here = await world({ webhook: ["*"] });
  const params = (await (one.params ?? exampleOf(operation).params)?.(here)) ?? {};
  const body = await (one.body ? one.body(here, params) : exampleOf(operation).body?.(7, here));
  const path = pathOf(operation, here, params);
  const call = (who = here.owner, sent = body) => who.call(operation.method, path, sent);

  const before = await shown(here);
  const past = await recorded(here);
  const reply = await call();
  expect([200, 201], reply.text).toContain(reply.status);
  const after = await shown(here);
  const events = await recorded(here, past);

  expect(events.events.map(({ type }) => type)).toEqual(one.says);
  expect(events.lines.sort()).toEqual([...(one.lines ?? [])].sort());
  for (const [n, event] of events.events.entries()) expectAccurate(event, before, after, events.events.slice(n + 1));
  expectAllReported(events.events, before, after);
  walked.push({ here, events: events.events });

  await expectNoEvents(here, operation, call, one);
});

test("all events match their definitions", async () => {
  expect(await undefinedEvents(walked[0]!.here)).toEqual([]);
});

test("receivers get all events", async () => {
  await drain({ timeoutMs: 60_000 });
  for (const { here, events } of walked) {
    const heard = new Map(here.receiver.requests.map(({ json }) => [json.id, json]));
    for (const { json } of here.receiver.requests) expect(undocumentedMessage(json)).toEqual([]);
    for (const { id, type, data, previous, changed } of events) {
      expect(heard.get(id)).toMatchObject({ id, type, data, ...(changed ? { previous, changed } : {}) });
    }
    await here.receiver.stop();
  }
});

/**
 * An event's content is what can be read: afterwards, or before for deleted objects; except for changes by later
 * events.
 */
function expectAccurate(
  { type, data, issue_id, previous, changed }: Event,
  before: Shown,
  after: Shown,
  later: Event[],
) {
  if (!isShown(type)) return;
  const key = keyOf(type, data, issue_id);
  const read = { ...(/\.(deleted|removed)$/.test(type) ? before : after).get(key) };
  const next = later.find((e) => keyOf(e.type, e.data, e.issue_id) === key && e.data.version > data.version);
  if (next) Object.assign(read, next.previous, { version: data.version, updated_at: data.updated_at });
  // The reply to starting a sprint names the sprint that it replaced; a later read does not.
  if (key.startsWith("sprint ")) read.demoted_sprint_id = data.demoted_sprint_id;
  expect(data, type).toEqual(read);

  const old = before.get(key);
  for (const field of changed ?? []) {
    if (NOT_SHOWN.includes(field)) continue;
    expect(data[field], `${type} ${field}`).not.toEqual(old[field]);
    expect(previous?.[field], `${type} ${field}`).toEqual(old[field]);
  }
}

/** Created and deleted objects have their event, and an event lists each field that differs as changed. */
function expectAllReported(events: Event[], before: Shown, after: Shown) {
  const reported = new Map<string, string[] | "all">();
  for (const { type, data, issue_id, changed } of events) {
    const key = keyOf(type, data, issue_id);
    const [earlier, now] = [reported.get(key) ?? [], changed ?? WHOLE[type.slice(type.lastIndexOf(".") + 1)] ?? "all"];
    reported.set(key, earlier === "all" || now === "all" ? "all" : [...earlier, ...now]);
    // A link has one event, from the side of the call.
    if (key.startsWith("issue.link ")) reported.set(key.slice(0, key.indexOf(" of ")), "all");
  }
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const kind = key.slice(0, key.indexOf(" "));
    const listed = reported.get(key) ?? reported.get(key.replace(/ of .*/, "")) ?? [];
    const [old, now] = [before.get(key), after.get(key)];
    if (listed === "all" || (!old && COMES_WITH[kind]?.some((type) => events.some((event) => event.type === type))))
      continue;
    // A label's name is reported by the label's own event, not by those of its issues.
    const plain = (view: View) => (kind === "issue" ? { ...view, labels: view.labels.map(idOf) } : view);
    const stamps = listed.length > 0 ? ["updated_at", "version", "edited_at"] : [];
    const unreported =
      old && now
        ? different(plain(old), plain(now), [...(FOLLOWS[kind] ?? []), ...listed, ...stamps])
        : [old ? "deleted" : "created"];
    expect(unreported, `${key} without an event`).toEqual([]);
  }
}

/** Events that do not list fields, because they always change the same ones. */
const WHOLE: Record<string, string[]> = {
  archived: ["archived_at", "archived_reason", "status_id", "status_name"],
  restored: ["archived_at", "archived_reason", "status_id", "status"],
};
/** A new project's event also covers its board and its members. */
const COMES_WITH: Record<string, string[]> = { status: ["project.created"], "project.member": ["project.created"] };

const idOf = ({ id }: { id: string }) => id;

const different = (old: View, now: View, besides: string[]): string[] =>
  Object.keys(now).filter((field) => !besides.includes(field) && !isDeepStrictEqual(old[field], now[field]));

/**
 * The same call again, an empty call, an invalid call, an unauthorized caller, and an archived project: none of them
 * records events.
 */
async function expectNoEvents(here: World, operation: Operation, call: Call, { again }: Case) {
  const { owner, as } = here;
  const past = await recorded(here);
  const expectNone = async (besides: string[] = []) => {
    const types = (await recorded(here, past)).events.map(({ type }) => type);
    expect(types).toEqual(besides);
  };

  if (again !== undefined) await call().expect(again);
  if (operation.method === "PATCH") await call(owner, {}).expect(200);
  if (operation.body) await call(owner, { nonsense_field: 1 }).expect(400);
  if (operation.writers !== "viewers")
    await call(await as({ role: "viewer" })).then(({ status }) => expect([403, 404]).toContain(status));
  await expectNone();
  // Archiving an issue does not affect what is allowed in an archived project.
  if (operation.onArchived && operation.head !== "I") return;
  await owner.delete("P").expect(200);
  // Deleted objects stay deleted.
  await call().expect(again === 404 ? 404 : 409);
  await expectNone(["project.archived"]);
}

type Call = (who?: World["owner"], body?: Record<string, unknown>) => ReturnType<World["owner"]["call"]>;

/** Events and history entries whose ids are not in `past`. */
async function recorded({ sql, workspace }: World, past?: { ids: Set<string> }) {
  const events = await sql<Event>(
    `select id, type, issue_id, data, previous, changed from event where workspace_id = $1 order by id`,
    [workspace.id],
  );
  const lines = await sql<{ id: string; kind: string }>(`select id, kind from activity where workspace_id = $1`, [
    workspace.id,
  ]);
  const isNew = ({ id }: { id: string }) => !past?.ids.has(id);
  return {
    ids: new Set([...events, ...lines].map(({ id }) => id)),
    events: events.filter(isNew),
    lines: lines.filter(isNew).map(({ kind }) => kind),
  };
}
