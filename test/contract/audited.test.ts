import { expect, test } from "vitest";
import type { Operation } from "../../src/api/engine/operation.ts";
import { operations } from "../../src/api/operations/index.ts";
import { AUDIT_TYPES } from "../../src/domain/audit-types.ts";
import { AUDIT_COLUMNS } from "../../src/domain/events/audit/view.ts";
import { type World, world } from "../support/world.ts";
import { exampleOf, type Params, pathOf } from "./examples.ts";

/** Every operation that changes the administration of a workspace leaves an entry in the audit log, and only if it does. */

const FAMILIES = ["workspaces", "members", "api_keys", "webhooks", "oauth_apps", "agents", "automations", "workflows"];
const isAdministration = (scope: string) => FAMILIES.includes(scope.split(":")[0]!) || scope === "projects:admin";

/** Operations of these families that change no administration. */
const OTHERS: Record<string, string> = {
  "agent-sessions.create": "work of an agent, which has a history of its own",
  "agent-sessions.patch": "work of an agent",
  "agent-sessions.usage": "work of an agent",
  "automations.dry-run": "changes nothing",
  "webhooks.test": "sends a message",
  "webhooks.deliveries.retry": "leaves an entry if it sends a message again (webhook-retry.test.ts)",
  "webhooks.replay": "leaves an entry if it sends messages again (webhook-replay.test.ts)",
};
/** Operations of other families that do. */
const BESIDES = ["projects.delete", "projects.restore"];

/** Instead of examples that change nothing. */
const CHANGING: Record<string, (here: World) => Promise<{ params?: Params; body?: Record<string, unknown> }>> = {
  "members.transfer-ownership": async ({ as }) => ({ body: { user_id: (await as({ role: "admin" })).userId } }),
  "projects.restore": async ({ owner }) => {
    await owner.delete("P").expect(200);
    return {};
  },
  "project-members.delete": async ({ as }) => ({
    params: { userId: (await as({ role: "member", projectRole: "member" })).userId },
  }),
  "workflows.graph": async (here) => ({
    params: await exampleOf(operations.find(({ id }) => id === "workflows.graph")!).params!(here),
    body: {
      nodes: [
        { id: "start", kind: "start" },
        { id: "end", kind: "end" },
      ],
      edges: [{ id: "e", source_node_id: "start", target_node_id: "end" }],
    },
  }),
};

const audited = operations.filter(
  ({ id, writes, scope }) => writes && scope && (isAdministration(scope) || BESIDES.includes(id)) && !(id in OTHERS),
);

/** The number of entries of a workspace. */
const entriesOf = async ({ sql, workspace }: World): Promise<{ id: string; type: string; key_id: string | null }[]> =>
  sql(`select * from audit_entry where workspace_id = $1 order by id`, [workspace.id]);

const exampleCall = (operation: Operation) => async (here: World) => {
  const { params, body } = exampleOf(operation);
  return { params: (await params?.(here)) ?? {}, body: body?.(3, here) };
};

test("the exceptions exist", () => {
  const ids = operations.map(({ id }) => id);
  expect([...Object.keys(OTHERS), ...Object.keys(CHANGING), ...BESIDES].filter((id) => !ids.includes(id))).toEqual([]);
  expect(audited.length).toBeGreaterThan(25);
});

test.each(audited.map((operation) => ({ id: operation.id, operation })))("$id", async ({ operation }) => {
  const here = await world();
  const { owner } = here;
  const { params = {}, body } = await (CHANGING[operation.id] ?? exampleCall(operation))(here);
  const path = pathOf(operation, here, params);
  const call = (who = owner, sent: unknown = body) => who.call(operation.method, path, sent);
  const before = await entriesOf(here);

  // Refused calls leave no entry.
  expect((await call(await here.as({ role: "viewer" }))).status).toBeGreaterThanOrEqual(400);
  expect((await call(here.nobody)).status).toBe(401);
  if (operation.body) expect((await call(owner, { nonsense_field: 1 })).status).toBe(400);
  if (operation.method === "PATCH") await call(owner, {});
  expect(await entriesOf(here)).toEqual(before);

  const reply = await call();
  expect(reply.status, reply.text).toBeLessThan(300);
  const entries = (await entriesOf(here)).slice(before.length);
  expect(entries.length).toBeGreaterThan(0);
  for (const { type, key_id } of entries) {
    expect(AUDIT_TYPES).toContain(type);
    expect(key_id).not.toBeNull();
  }

  // The secrets that the reply shows once are not in the log.
  const stored = JSON.stringify(entries);
  for (const secret of [reply.data?.plaintext, reply.data?.secret, reply.data?.client_secret].filter(Boolean)) {
    expect(stored).not.toContain(secret);
  }

  // The same change again changes nothing.
  if (operation.method === "PATCH") {
    const now = await entriesOf(here);
    await call();
    expect(await entriesOf(here)).toEqual(now);
  }
});

test("files contain every field of an entry", async () => {
  const here = await world();
  await here.owner.patch("W", { name: "Other" }).expect(200);
  const { data } = await here.owner.get("W/audit-log").expect(200);
  const { actor, target, cause, ...plain } = data[0];
  const fields = [
    ...Object.keys(plain),
    ...Object.keys(actor).map((name) => `actor_${name}`),
    ...Object.keys(target).map((name) => `target_${name}`),
    ...Object.keys(cause),
  ];
  expect([...AUDIT_COLUMNS].sort()).toEqual(fields.sort());
});
