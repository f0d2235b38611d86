import { expect, test } from "vitest";
import { MusterConnectionError, type MusterOptions, MusterProblem } from "../../clients/typescript/src/index.ts";
import { sleep } from "../../clients/typescript/src/retries.ts";
import { type Fate, startLosingProxy } from "../support/losing-proxy.ts";
import { musterOf } from "../support/muster.ts";
import { type World, world } from "../support/world.ts";

/** A client whose calls go through a bad network. */
async function behindProxy(here: World, options: Partial<MusterOptions> = {}) {
  const proxy = await startLosingProxy(here.app.baseUrl);
  const muster = await musterOf(here.owner, { url: proxy.url, workspace: here.workspace.slug, ...options });
  return { proxy, muster };
}

const BUSY: Fate = { status: 503, headers: { "retry-after": "1" } };
const BAD_GATEWAY: Fate = { status: 502, body: "<h1>Bad gateway</h1>" };

test.each<[string, Fate[]]>([
  ["lost replies", ["lose", "lose"]],
  ["a reply that was cut", ["cut"]],
  ["connections that were closed", ["refuse", "refuse"]],
  [
    "a reply that ends too early",
    [{ status: 201, headers: { "content-type": "application/json" }, body: '{"data":{' }],
  ],
  ["a busy service", [BUSY, BAD_GATEWAY, { status: 504 }]],
])("a write counts once after %s", async (_, fates) => {
  const here = await world();
  const { proxy, muster } = await behindProxy(here);
  proxy.plan(...fates);
  const { data, isReplayed } = await muster.issues.create("WEB", { title: "Once" }).withReply();
  expect((await here.owner.get("P/issues").expect(200)).data).toMatchObject([{ id: data.id, title: "Once" }]);
  expect(isReplayed).toBe(["lose", "cut"].includes(fates[0] as string));
  expect(proxy.seen).toHaveLength(fates.length + 1);
  expect(new Set(proxy.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
});

test("each call has an Idempotency-Key of its own, or the caller's", async () => {
  const { proxy, muster } = await behindProxy(await world());
  const first = await muster.labels.create("WEB", { name: "one" });
  const idempotencyKey = proxy.seen[0]!.headers["idempotency-key"] as string;
  const again = await muster.labels.create("WEB", { name: "one" }, { idempotencyKey });
  expect(again).toEqual(first);
  await muster.labels.create("WEB", { name: "two" });
  expect(proxy.seen[2]!.headers["idempotency-key"]).not.toBe(idempotencyKey);
  await muster.labels.list("WEB");
  expect(proxy.seen[3]!.headers["idempotency-key"]).toBeUndefined();
});

test("Retry-After of the service's own limit is respected", async () => {
  const here = await world();
  const limited = await here.keyFor(here.owner, { rateLimit: 2 });
  const { proxy, muster } = await behindProxy(here, { key: limited.key! });
  for (let call = 0; call < 2; call++) await muster.me.get();
  const problem = await muster.me.get({ totalTimeoutMs: 500 }).then(
    () => null,
    (error: unknown) => error,
  );
  // The pause would be longer than the call may take.
  expect(problem).toBeInstanceOf(MusterProblem);
  expect(problem).toMatchObject({ status: 429, code: "rate_limited" });
  expect((problem as MusterProblem).retryAfter).toBeGreaterThan(0);
  expect(proxy.seen).toHaveLength(3);
});

test("a pause is at least as long as the service asked for", async () => {
  const { proxy, muster } = await behindProxy(await world());
  proxy.plan({ status: 429, headers: { "retry-after": "1" } }, BUSY);
  await muster.me.get();
  const [first, second, third] = proxy.seen.map(({ at }) => at);
  expect(second! - first!).toBeGreaterThanOrEqual(990);
  expect(third! - second!).toBeGreaterThanOrEqual(990);
});

test("a pause that is longer than any timer does not end at once", async () => {
  const abort = new AbortController();
  const slept = sleep(30 * 86_400_000, abort.signal).then(
    () => "slept",
    () => "aborted",
  );
  setTimeout(() => abort.abort(), 100);
  expect(await slept).toBe("aborted");
});

test("a write without an Idempotency-Key is sent once", async () => {
  const { proxy, muster } = await behindProxy(await world());
  proxy.plan("lose");
  const lost = muster.issues.create("WEB", { title: "Once" }, { idempotencyKey: null });
  await expect(lost).rejects.toBeInstanceOf(MusterConnectionError);
  expect(proxy.seen).toHaveLength(1);
});

test("other refusals are final", async () => {
  const { proxy, muster } = await behindProxy(await world());
  await expect(muster.issues.get("WEB", "WEB-99")).rejects.toMatchObject({ code: "not_found" });
  proxy.plan({ status: 500, body: "oops" }, { status: 408 }, { status: 301, headers: { location: "/elsewhere" } });
  await expect(muster.me.get()).rejects.toMatchObject({ status: 500, code: "http_500" });
  await expect(muster.me.get()).rejects.toMatchObject({ status: 408 });
  // A key is not sent on to another address.
  await expect(muster.me.get()).rejects.toMatchObject({ status: 301 });
  expect(proxy.seen).toHaveLength(4);
});

test("attempts that get no reply end, and the call with them", async () => {
  const here = await world();
  const { proxy, muster } = await behindProxy(here, { timeoutMs: 300, retries: 2 });
  proxy.plan("hang");
  await muster.issues.create("WEB", { title: "Once" });
  expect((await here.owner.get("P/issues")).data).toHaveLength(1);

  proxy.plan("hang", "hang", "hang");
  const error = await muster.issues.create("WEB", { title: "Twice" }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MusterConnectionError);
  // The key tells the caller how to repeat it safely.
  const { idempotencyKey } = error as MusterConnectionError;
  const { isReplayed } = await muster.issues.create("WEB", { title: "Twice" }, { idempotencyKey }).withReply();
  expect(isReplayed).toBe(true);
  expect((await here.owner.get("P/issues")).data).toHaveLength(2);
});

test("a signal ends an attempt, and a pause", async () => {
  const { proxy, muster } = await behindProxy(await world());
  for (const fate of ["hang", { status: 503, headers: { "retry-after": "60" } }] satisfies Fate[]) {
    proxy.plan(fate);
    const sent = proxy.seen.length;
    const abort = new AbortController();
    const call = muster.me.get({ signal: abort.signal });
    const ended = expect(call).rejects.toThrow("no longer needed");
    await expect.poll(() => proxy.seen.length).toBe(sent + 1);
    abort.abort(new Error("no longer needed"));
    await ended;
  }
});

test("a key may be asked for before each attempt, as with tokens that are refreshed", async () => {
  const here = await world();
  let asked = 0;
  const { proxy, muster } = await behindProxy(here, {
    key: async () => {
      asked++;
      return here.owner.key!;
    },
  });
  proxy.plan(BAD_GATEWAY);
  await muster.me.get();
  expect(asked).toBe(2);
});
