import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { bucketOf } from "../../src/domain/kernel/latency-histogram.ts";
import { ask } from "../support/buyer.ts";
import { counted, keyIdOf } from "../support/key-usage.ts";
import { listen } from "../support/listen.ts";
import { connect, me, servePublicly } from "../support/oauth.ts";
import { failTool, useTool } from "../support/tools.ts";
import { world } from "../support/world.ts";

/** Which calls belong to a key, and how long they took. */

await servePublicly();

test("tools, purchases, repeated calls and downloads count like any other call", async () => {
  const here = await world();
  const caller = await here.keyFor(here.owner);
  const id = await keyIdOf(here, caller);
  await useTool(caller, "whoami");
  expect(await failTool(caller, "get_issue", { issue: "WEB-99" })).toMatchObject({ status: 404 });
  await ask(caller, "small").expect(402);
  const headers = { "idempotency-key": "one" };
  await caller.post("P/issues", { title: "Once" }, { headers }).expect(201);
  const repeated = await caller.post("P/issues", { title: "Once" }, { headers }).expect(201);
  expect(repeated.headers.get("idempotent-replayed")).toBe("true");
  const download = await caller.get("P/reports/throughput?format=csv").expect(200);
  expect(download.headers.get("content-type")).toContain("text/csv");
  expect((await counted(here, id, 6)).totals).toMatchObject({ requests: 6, client_errors: 2, server_errors: 0 });
});

test("an event stream counts once, when it starts, and not with the time for which it is open", async () => {
  const here = await world();
  const channel = (await here.owner.post("W/chat/channels", { name: "General" }).expect(201)).data.id;
  const caller = await here.keyFor(here.owner);
  const id = await keyIdOf(here, caller);
  const heard = await listen(here, caller, channel);
  expect((await counted(here, id, 1)).totals.requests).toBe(1);
  await sleep(5_000);
  heard.stop();
  await heard.ended;
  await caller.get("W").expect(200);
  expect((await counted(here, id, 2)).totals.requests).toBe(2);
  const rows = await here.sql<{ latencies: number[] }>("select latencies from api_key_usage where key_id = $1", [id]);
  expect(rows.map(({ latencies }) => latencies.length < bucketOf(5_000))).toEqual([true]);
});

test("the calls of an OAuth client belong to its grant, and calls with invalid keys to none", async () => {
  const here = await world();
  const { access_token: token } = await connect(here, here.owner.userId);
  await me(here, token);
  await me(here, token);
  expect((await me(here, `${token.slice(0, -1)}_`)).status).toBe(401);
  const [grant] = (await here.owner.get("W/api-keys").expect(200)).data.filter(
    ({ kind }: { kind: string }) => kind === "oauth",
  );
  const revoked = await here.keyFor(here.owner);
  const id = await keyIdOf(here, revoked);
  await revoked.get("W").expect(200);
  await here.owner.delete(`W/api-keys/${id}`).expect(200);
  await revoked.get("W").expect(401);
  expect((await counted(here, grant.id, 2)).totals).toMatchObject({ requests: 2, errors: 0 });
  expect((await counted(here, id, 1)).totals).toMatchObject({ requests: 1, errors: 0 });
});
