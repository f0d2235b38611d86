import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { startWorker } from "../../src/start-worker.ts";
import { app } from "../support/app.ts";
import { announce, fileOf } from "../support/files.ts";
import { collectFilesNow } from "../support/jobs.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { addWebhook, deliveriesOf, emit } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

/**
 * A row that stays locked for long, e.g. by a frozen process or an operator's session. Only calls that need that row
 * wait.
 */

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

/** A transaction that keeps a statement's locks until it is released. */
async function holding(text: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: (await app()).config.DATABASE_URL });
  await client.connect();
  cleanup.push(() => client.end());
  await client.query("begin");
  await client.query(text, values);
  return { release: () => client.query("rollback") };
}

async function listening(here: World): Promise<{ there: Receiver; hook: { id: string } }> {
  const there = await startReceiver();
  cleanup.push(there.stop);
  return { there, hook: await addWebhook(here, { url: there.url }) };
}

const EVENTS = 100;
const received = ({ requests }: Receiver) => new Set(requests.map(({ headers }) => headers["webhook-id"])).size;

test.each([
  ["webhook", "select 1 from webhook where id = $1 for update"],
  ["workspace", "select 1 from webhook h join workspace w on w.id = h.workspace_id where h.id = $1 for update of w"],
])(
  "a %s that is locked holds up no messages but those of the locked webhook, for as long as it is locked",
  async (what, lock) => {
    const here = await world();
    const stranger = await here.other();
    const held = await listening(here);
    const others = [await listening(here), await listening(stranger), await listening(await here.other())];
    const worker = await startWorker({ ...here.app.config, LOG_LEVEL: "silent" });
    cleanup.push(worker.stop);
    const { release } = await holding(lock, [held.hook.id]);

    for (const tenant of [here, stranger]) await emit(tenant, "issue.created", { count: EVENTS });
    const [same, other] = others as [(typeof others)[number], (typeof others)[number]];
    await expect
      .poll(() => [received(same.there), received(other.there)], { timeout: 3_000 })
      .toEqual([EVENTS, EVENTS]);
    // A lock of the workspace's row concerns no delivery at all.
    if (what === "webhook") expect(received(held.there)).toBe(0);

    await release();
    await expect.poll(() => received(held.there), { timeout: 5_000 }).toBe(EVENTS);
    await expect
      .poll(async () => (await deliveriesOf(here, held.hook)).filter(({ state }) => state !== "succeeded"))
      .toEqual([]);
  },
);

test("a locked event or delivery does not delay others", async () => {
  const here = await world();
  const [one, other] = [await listening(here), await listening(here)];
  const [lockedEvent] = await emit(here, "issue.created", { count: EVENTS });
  const event = await holding("select 1 from outbox where event_id = $1 for update", [lockedEvent]);
  const deliveryId = newId();
  await here.sql(
    `insert into webhook_delivery (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, due_at, created_at)
     values ($1, $2, $3, $4, 'issue.created', 1, 'pending', now(), now())`,
    [deliveryId, here.workspace.id, one.hook.id, lockedEvent],
  );
  const delivery = await holding("select 1 from webhook_delivery where id = $1 for update", [deliveryId]);
  const worker = await startWorker({ ...here.app.config, LOG_LEVEL: "silent" });
  cleanup.push(worker.stop);

  await other.there.waitFor(EVENTS - 1, { timeoutMs: 3_000 });
  expect(received(other.there)).toBe(EVENTS - 1);
  await event.release();
  await delivery.release();
  await expect.poll(() => [received(one.there), received(other.there)], { timeout: 5_000 }).toEqual([EVENTS, EVENTS]);
});

test("a locked storage account does not delay freeing the storage of other workspaces", async () => {
  const here = await world();
  const stranger = await here.other();
  const reserved = async ({ sql, workspace }: World) => {
    const [account] = await sql<{ used_bytes: number }>(
      "select used_bytes from storage_account where workspace_id = $1",
      [workspace.id],
    );
    return account!.used_bytes;
  };
  for (const { owner, sql, workspace } of [here, stranger]) {
    const { data: issue } = await owner.post("P/issues", { title: "Target" }).expect(201);
    await announce(owner, issue.id, fileOf(Buffer.from("Never uploaded"))).expect(201);
    await sql("update attachment set expires_at = now() - interval '1 hour' where workspace_id = $1", [workspace.id]);
  }
  const lock = "select 1 from storage_account where workspace_id = $1 for update";
  const { release } = await holding(lock, [here.workspace.id]);

  await collectFilesNow();
  expect(await reserved(stranger)).toBe(0);
  expect(await reserved(here)).toBeGreaterThan(0);

  await release();
  await collectFilesNow();
  expect(await reserved(here)).toBe(0);
});
