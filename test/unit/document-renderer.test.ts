import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openTurns } from "../../src/adapters/rendering/turns.ts";
import { DocumentTooComplex, RendererBusy } from "../../src/domain/kernel/ports/document-renderer.ts";
import { DOCUMENT, openRenderer } from "../support/rendered.ts";

const skipped = process.platform === "linux" ? "" : " (skipped: reads /proc, which only Linux has)";

/** Its processes end with the test, also if it fails, so that the next test does not find them. */
function openForTest(options: Parameters<typeof openRenderer>[0] = {}) {
  const opened = openRenderer(options);
  onTestFinished(opened.close);
  return opened;
}

/** The ids of the renderer processes that this process has started. */
const rendererProcesses = () =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(process.pid);
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("rendering/child/main.ts");
      } catch {
        return false;
      }
    });

const MAIN = join(import.meta.dirname, "../../src/adapters/rendering/child/main.ts");

/** A document whose rendering takes more than a second. */
const LONG = "words and *marks* of a `document` [here](https://example.com)\n\n".repeat(8_000);

test("tenants take turns, however many documents one of them has", async () => {
  const turns = openTurns({ slots: 1, waiting: 100, waitingOfTenant: 50, patienceMs: 10_000 });
  const order: string[] = [];
  const work = (tenant: string) => turns.run(tenant, undefined, async () => void order.push(tenant));
  await Promise.all([..."aaaaaa", "b", "b", "c"].map(work));
  expect(order.join("")).toBe("abcabaaaa");
});

test("no more documents are rendered at once than allowed", async () => {
  const turns = openTurns({ slots: 2, waiting: 100, waitingOfTenant: 50, patienceMs: 10_000 });
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await sleep(1);
    running--;
  };
  await Promise.all(Array.from({ length: 20 }, (_, n) => turns.run(`tenant ${n % 3}`, undefined, work)));
  expect(most).toBe(2);
});

test("one tenant has at most half of the processes, so a document of another one starts at once", async () => {
  const turns = openTurns({ slots: 2, waiting: 100, waitingOfTenant: 50, patienceMs: 10_000 });
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const long = ["a", "a", "a"].map((tenant) =>
    turns.run(tenant, undefined, () => {
      begun.push(tenant);
      return held;
    }),
  );
  await expect(turns.run("b", undefined, async () => "short")).resolves.toBe("short");
  expect(begun).toEqual(["a"]);
  end();
  await Promise.all(long);
  expect(begun).toEqual(["a", "a", "a"]);
});

test("too many waiting documents, and those that wait too long, are refused", async () => {
  const turns = openTurns({ slots: 1, waiting: 3, waitingOfTenant: 2, patienceMs: 100 });
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  const running = turns.run("a", undefined, () => held);
  const waiting = ["a", "a", "b"].map((tenant) => turns.run(tenant, undefined, async () => {}));
  for (const one of waiting) one.catch(() => {});
  await expect(
    turns.run("a", undefined, async () => {}),
    "a third one of the tenant",
  ).rejects.toThrow(RendererBusy);
  await expect(
    turns.run("c", undefined, async () => {}),
    "a fourth one",
  ).rejects.toThrow(RendererBusy);
  for (const one of waiting) await expect(one, "too late").rejects.toThrow(RendererBusy);
  end();
  await running;
  await expect(turns.run("a", undefined, async () => "done")).resolves.toBe("done");
});

test("a document that nobody wants any more is not begun", async () => {
  const turns = openTurns({ slots: 1, waiting: 1, waitingOfTenant: 1, patienceMs: 10_000 });
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  const running = turns.run("a", undefined, () => held);
  const caller = new AbortController();
  let begun = false;
  const waiting = turns.run("a", caller.signal, async () => {
    begun = true;
  });
  caller.abort();
  await expect(waiting).rejects.toThrow(RendererBusy);
  const next = turns.run("a", undefined, async () => "in its place");
  end();
  expect([await running, await next, begun]).toEqual([undefined, "in its place", false]);
});

/** For tests that start processes, which takes seconds each on a machine that has much else to do. */
const STARTS = { timeout: 120_000 };

test.skipIf(skipped)(`a document that takes too long fails alone${skipped}`, STARTS, async () => {
  const before = new Set(rendererProcesses());
  // Long enough to start a process on a slow machine. The document is late because its process stands still.
  const { render, lines } = openForTest({ timeoutMs: 8_000 });
  await render("warm");
  const late = render(LONG);
  const next = render("# Next", { format: "html" });
  const [pid] = rendererProcesses().filter((one) => !before.has(one));
  process.kill(pid!, "SIGSTOP");
  await expect(late).rejects.toThrow(DocumentTooComplex);
  expect((await next).toString()).toContain("Next</h1>");
  expect(lines.map(({ sentence }) => sentence)).toEqual(["rendering a document took too much time"]);
});

test.skipIf(skipped)(`a document that needs too much memory fails alone${skipped}`, async () => {
  const { render, lines } = openForTest({ memoryMb: 256 });
  await expect(render(LONG)).rejects.toThrow(DocumentTooComplex);
  expect(lines.at(-1)!.sentence).toMatch(/took too much memory|crashed its process twice/);
  expect((await render("# Next", { format: "html" })).toString()).toContain("Next</h1>");
});

test.skipIf(skipped)(`a document whose process is killed is rendered by another process${skipped}`, async () => {
  const before = new Set(rendererProcesses());
  const { render } = openForTest();
  await render("warm");
  const document = render(LONG);
  const [pid] = rendererProcesses().filter((one) => !before.has(one));
  await sleep(50);
  process.kill(pid!, "SIGKILL");
  expect((await document).subarray(0, 5).toString()).toBe("%PDF-");
});

test.skipIf(skipped)(`a process that was killed while it was idle is replaced${skipped}`, STARTS, async () => {
  const before = new Set(rendererProcesses());
  const { html, lines } = openForTest();
  await html("warm");
  for (let round = 0; round < 20; round++) {
    const [pid] = rendererProcesses().filter((one) => !before.has(one));
    process.kill(pid!, "SIGKILL");
    // At any stage of its end: killed, its channel closed, its exit reported.
    await sleep(round % 5);
    expect(await html("# Next"), `round ${round}`).toContain("Next</h1>");
  }
  expect(lines).toEqual([]);
});

test.skipIf(skipped)(`no process runs before the first document, and none after the close${skipped}`, async () => {
  const before = new Set(rendererProcesses());
  const started = () => rendererProcesses().filter((pid) => !before.has(pid));
  const { render, close } = openForTest({ processes: 2 });
  expect(started()).toHaveLength(0);
  await Promise.all([render("a"), render("b", {}, "two")]);
  expect(started()).toHaveLength(2);
  const waiting = [render(LONG), render(LONG), render(LONG)].map((one) => one.catch((error: Error) => error));
  close();
  for (const one of waiting) expect(await one).toBeInstanceOf(RendererBusy);
  await expect(render("c")).rejects.toThrow(RendererBusy);
  await expect.poll(started).toEqual([]);
});

test("a renderer's process gets no variables of the environment", async () => {
  const { html } = openForTest();
  await html("a");
  if (skipped) return;
  const environments = rendererProcesses().map((pid) => readFileSync(`/proc/${pid}/environ`, "utf8"));
  expect(environments.length).toBeGreaterThan(0);
  expect(environments.filter((text) => /DATABASE|SECRET|PATH/.test(text))).toEqual([]);
});

test("without Typst's library, HTML is rendered and a PDF is not available", async () => {
  // Node refuses to load any library without --allow-addons, as it does if there is none for the platform.
  const child = fork(MAIN, {
    execArgv: ["--permission", "--allow-fs-read=*"],
    serialization: "advanced",
    silent: true,
  });
  const ask = async (format: string) => {
    child.send({ ...DOCUMENT, format, markdown: "# Text" });
    return (await once(child, "message"))[0];
  };
  expect(await ask("pdf")).toEqual({ kind: "unavailable" });
  expect(await ask("html")).toMatchObject({ kind: "done" });
  child.disconnect();
  await once(child, "exit");
});

test("the JSON form is a JSON string, made by the renderer", async () => {
  const { render, html } = openForTest();
  const text = 'a "b" \\ \u2028';
  const json = await render(text, { as: "json", format: "html" });
  expect(JSON.parse(json.toString())).toBe(await html(text));
  const pdf = Buffer.from(JSON.parse((await render("a", { as: "json" })).toString()), "base64");
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
});
