import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import { scopesOfEvent, scopesOfEventSql } from "../../src/domain/events/scopes.ts";
import { SUBSCRIPTIONS, WEBHOOK_EVENTS } from "../../src/domain/webhook-events.ts";
import { world } from "../support/world.ts";
import { undocumentedMessage } from "./conformance.ts";
import { DESCRIPTION, pinPath } from "./pins.ts";

/** The events that the published catalogue promises to receivers of webhooks. */

const CATALOGUE: Record<string, string> = {
  agent: "connected revoked spend_cap_reached spend_warning updated",
  agent_session: "created state_changed updated",
  api_key: "created revoked",
  automation: "created deleted disabled fired updated",
  automation_run: "failed",
  "chat.message": "created deleted updated",
  comment: "created deleted updated",
  credits: "low purchased",
  custom_field: "created deleted updated",
  doc: "archived created restored updated",
  "doc.comment": "created deleted updated",
  form: "created deleted submitted updated",
  goal: "created deleted status_changed updated",
  invite: "accepted created revoked",
  issue: "archived assigned created priority_changed restored status_changed unassigned updated",
  "issue.attachment": "created deleted",
  "issue.link": "created deleted",
  key_result: "created deleted updated",
  label: "created deleted updated",
  member: "added removed role_changed",
  milestone: "completed created deleted updated",
  portfolio: "created deleted updated",
  project: "archived created restored updated",
  "project.member": "added removed role_changed",
  release: "created deleted released updated",
  sprint: "completed created deleted started updated",
  status: "created deleted updated",
  webhook: "disabled test",
  workflow: "deleted disabled enabled",
  workflow_run: "cancelled completed failed stage_changed started",
  workspace: "updated",
};

/** Names of other services. */
const ALIASES = {
  "issue.deleted": "issue.archived",
  "comment.added": "comment.created",
  "member.updated": "member.role_changed",
};

const names = Object.entries(CATALOGUE).flatMap(([subject, what]) => what.split(" ").map((one) => `${subject}.${one}`));

const webhooks = JSON.parse(readFileSync(pinPath(DESCRIPTION), "utf8")).webhooks as Record<
  string,
  { post: { requestBody: { content: Record<string, { example: { type: string } }> } } }
>;

test("the catalogue has 103 events", () => {
  expect(new Set(names).size).toBe(103);
});

test.each(names)("%s reaches webhooks, and is described with an example of its message", (name) => {
  expect(WEBHOOK_EVENTS.map((event) => event.name)).toContain(name);
  expect(SUBSCRIPTIONS).toContain(name);
  const { example } = webhooks[name]!.post.requestBody.content["application/json"]!;
  expect(example.type).toBe(name);
  expect(undocumentedMessage(example)).toEqual([]);
});

test("a webhook subscribes to every event, and by the names of other services", async () => {
  const { owner } = await world();
  const create = async (event_types: string[]) =>
    (await owner.post("W/webhooks", { url: "http://127.0.0.1:9/", event_types }).expect(201)).data.event_types;
  expect(await create(names.slice(0, 100))).toEqual(names.slice(0, 100));
  expect(await create(names.slice(100))).toEqual(names.slice(100));
  expect(await create(Object.keys(ALIASES))).toEqual(Object.values(ALIASES));
});

/** Scopes of events with a content that no call returns in this form. */
const OWN_SCOPES: Record<string, string[]> = {
  "automation.fired": ["automations:read", "issues:read"],
  "credits.charge_refunded": ["workspaces:read"],
  "credits.low": ["workspaces:read"],
  "credits.purchased": ["workspaces:read"],
  "label.created": ["labels:read"],
  "label.deleted": ["labels:read"],
  "label.updated": ["labels:read"],
  "webhook.disabled": ["webhooks:read"],
  "webhook.test": ["webhooks:read"],
};

test("a key needs for each event the scope of the calls that return its content, in SQL as well", async () => {
  const idOf = (view: unknown) => (view as { meta(): { id?: string } | undefined }).meta()?.id;
  const expected = WEBHOOK_EVENTS.map(({ name, view }) => {
    const reads = operations.filter(({ method, returns }) => method === "GET" && idOf(returns) === idOf(view));
    const scopes = [...new Set(reads.map(({ scope }) => scope))];
    return [name, scopes.length === 0 ? OWN_SCOPES[name] : scopes];
  });
  expect(WEBHOOK_EVENTS.map(({ name }) => [name, scopesOfEvent(name)])).toEqual(expected);
  const { sql } = await world();
  const rows = await sql<{ name: string; scopes: string[] }>(
    `select name, array_to_json(${scopesOfEventSql("name")}) as scopes from unnest($1::text[]) as name`,
    [expected.map(([name]) => name)],
  );
  expect(rows.map(({ name, scopes }) => [name, scopes])).toEqual(expected);
});
