import { expect, test } from "vitest";
import { z } from "zod";
import { ANNOUNCED_EVENT_TYPES, EVENTS, type EventType } from "../../src/domain/event-catalogue.ts";
import { AUDIENCES, defineEvent } from "../../src/domain/events/define-event.ts";
import { isForWebhooks, SUBSCRIPTIONS, WEBHOOK_EVENTS } from "../../src/domain/webhook-events.ts";
import { undefinedEvents } from "../support/events.ts";
import { drain } from "../support/jobs.ts";
import { emit } from "../support/webhooks.ts";
import { world } from "../support/world.ts";

/** Every event is defined once, and reaches only its audience. */

const names = EVENTS.map(({ name }) => name);

test("every event has a name of its own", () => {
  expect(names.length).toBeGreaterThan(0);
  expect(new Set(names).size).toBe(names.length);
});

test("a name is announced only until its event is defined", () => {
  expect(ANNOUNCED_EVENT_TYPES.filter((name) => names.includes(name))).toEqual([]);
  expect(new Set(ANNOUNCED_EVENT_TYPES).size).toBe(ANNOUNCED_EVENT_TYPES.length);
});

test("webhooks get events for the workspace, its members and projects, and no others", () => {
  const view = z.object({});
  const heard = AUDIENCES.filter((audience) => isForWebhooks(defineEvent("thing.happened", { view, audience })));
  expect(heard).toEqual(["workspace", "members", "project", "channel"]);
});

test("an event without an audience, or outside the catalogue, reaches no webhook, and none can subscribe to it", async () => {
  const here = await world({ webhook: ["*"] });
  const hidden = EVENTS.filter((event) => !isForWebhooks(event)).map(({ name }) => name as EventType);
  expect(hidden).toContain("payment.succeeded");
  for (const type of hidden) {
    expect(SUBSCRIPTIONS).not.toContain(type);
    const body = { url: here.receiver.url, event_types: [type] };
    await here.owner.post("W/webhooks", body).expect(400, "validation_failed");
    await emit(here, type, { data: {} });
  }
  await emit(here, "message.for.one" as EventType, { data: {} });
  await emit(here, "issue.created");
  await drain();
  expect(here.receiver.requests.map(({ json }) => json.type)).toEqual(["issue.created"]);
  await here.receiver.stop();
});

test("events of a workspace match their definitions", async () => {
  const here = await world();
  const { owner, as, sql } = here;
  await owner.patch("W", { name: "Renamed" }).expect(200);
  const member = await as({ role: "member" });
  await owner.patch(`W/members/${member.userId}`, { role: "admin" }).expect(200);
  const invite = { email: "new@example.com", role: "member" };
  await owner.post("W/invites", invite).expect(201);
  await owner.post("W/invites", invite).expect(201);
  const { data: key } = await owner.post("W/api-keys", { name: "Key", scopes: ["read"] }).expect(201);
  await owner.delete(`W/api-keys/${key.id}`).expect(200);
  const { data: hook } = await owner
    .post("W/webhooks", { url: "http://127.0.0.1:9/", event_types: ["issue.*"] })
    .expect(201);
  await owner.post(`W/webhooks/${hook.id}/test`).expect(202);
  await owner.delete(`W/members/${member.userId}`).expect(200);

  const seen = (await sql<{ type: string }>("select distinct type from event order by type")).map(({ type }) => type);
  expect(seen).toEqual(
    expect.arrayContaining([
      ...["workspace.updated", "member.role_changed", "member.removed", "invite.created", "invite.revoked"],
      ...["api_key.created", "api_key.revoked", "webhook.test"],
    ]),
  );
  expect(await undefinedEvents(here)).toEqual([]);
});

test("every view of an event that webhooks get has a name", () => {
  expect(WEBHOOK_EVENTS.filter(({ view }) => !view.meta()?.id).map(({ name }) => name)).toEqual([]);
});
