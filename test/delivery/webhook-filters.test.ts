import { expect, test } from "vitest";
import { listDeliveries } from "../../src/domain/delivery/webhooks/deliveries.sql.ts";
import { DELIVERY_STATES } from "../../src/domain/delivery/webhooks/view.ts";
import { app } from "../support/app.ts";
import { addWebhook } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

/** Attempts of one webhook, by state. Their ids are in the order in which they are given. */
const add = (here: World, hook: { id: string }, states: readonly string[], each = 1) =>
  here.sql(
    `insert into webhook_delivery (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, created_at)
     select uuidv7(), $1, $2, uuidv7(), 'issue.created', 1, s.state, now()
     from unnest($3::text[]) with ordinality s(state, place), generate_series(1, $4) order by place`,
    [here.workspace.id, hook.id, states, each],
  );

test("deliveries are filtered by one state or several, newest first, over all pages", async () => {
  const here = await world();
  const hook = await addWebhook(here, { url: "http://127.0.0.1:9/" });
  await add(here, hook, [...DELIVERY_STATES, ...DELIVERY_STATES]);
  const list = async (query: string) =>
    (await here.owner.get(`W/webhooks/${hook.id}/deliveries?${query}`).expect(200)).body;
  const statesIn = async (query: string) => (await list(query)).data.map(({ state }: { state: string }) => state);

  for (const state of DELIVERY_STATES) expect(await statesIn(`status=${state}`)).toEqual([state, state]);
  expect(await statesIn("status=failed,%20SKIPPED,failed")).toEqual(["skipped", "failed", "skipped", "failed"]);
  expect(await statesIn("status=")).toHaveLength(12);

  const walked: string[] = [];
  for (let cursor = ""; ; ) {
    const { data, pagination } = await list(`status=succeeded,pending&limit=1${cursor}`);
    walked.push(...data.map(({ state }: { state: string }) => state));
    if (pagination.next_cursor === null) break;
    cursor = `&cursor=${pagination.next_cursor}`;
    await here.owner.get(`W/webhooks/${hook.id}/deliveries?status=failed${cursor}`).expect(400, "cursor_mismatch");
  }
  expect(walked).toEqual(["succeeded", "pending", "succeeded", "pending"]);
});

test("an unknown state is refused with those that exist", async () => {
  const here = await world();
  const hook = await addWebhook(here, { url: "http://127.0.0.1:9/" });
  const { body } = await here.owner
    .get(`W/webhooks/${hook.id}/deliveries?status=failed,lost`)
    .expect(400, "invalid_parameter");
  expect(body.error.details).toMatchObject({ parameter: "status", value: "lost", allowed: DELIVERY_STATES });
});

test("a page of a few attempts among very many reads only these", async () => {
  const here = await world();
  const hook = await addWebhook(here, { url: "http://127.0.0.1:9/" });
  await add(here, hook, ["failed", "skipped", "retrying", "delivering", "pending"]);
  await add(here, hook, ["succeeded"], 50_000);
  await here.sql("analyze webhook_delivery");
  const { database } = (await app()).resources;
  const of = {
    workspaceId: here.workspace.id,
    webhookId: hook.id,
    readerId: here.owner.userId,
    readerProjects: null,
    readerScopes: null,
  };
  const plans: string[] = [];
  const explaining = {
    query: async ({ text }: { text: string }, values: unknown[]) => {
      const lines = await database.query<{ "QUERY PLAN": string }>({ text: `explain (analyze) ${text}` }, values);
      plans.push(lines.map((line) => line["QUERY PLAN"]).join("\n"));
      return [];
    },
  } as unknown as typeof database;
  for (const states of [...DELIVERY_STATES.map((state) => [state]), [...DELIVERY_STATES]]) {
    await listDeliveries(explaining, of, { states, after: null, limit: 51 });
  }
  for (const plan of plans) {
    expect(plan).not.toContain("Seq Scan on webhook_delivery");
    expect(plan).not.toMatch(/Rows Removed by Filter: \d{3,}/);
  }
});
