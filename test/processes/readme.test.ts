import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMailFolder } from "../../src/dev/mailbox/mail-folder.ts";
import { startMailServer } from "../../src/dev/mailbox/mail-server.ts";
import { freePort } from "../../src/dev/ports.ts";
import { startWorker } from "../../src/start-worker.ts";
import { app, configure } from "../support/app.ts";
import { balances, cardProcessor } from "../support/buyer.ts";
import { world } from "../support/world.ts";

/** The README's commands do what it says. */

await cardProcessor();
const folder = mkdtempSync(join(tmpdir(), "muster-readme-"));
const mails = openMailFolder(join(folder, "mailbox"));
const mailServer = await startMailServer(mails.keep);
// Cookies of an https address would not come back over http.
configure({ SMTP_URL: mailServer.url, MAILBOX_FOLDER: mails.path, BASE_URL: "http://muster.test" });
let stop: (() => Promise<void>) | undefined;
beforeAll(async () => {
  mkdirSync(join(folder, ".data"));
  stop = (await startWorker((await app()).config)).stop;
});
afterAll(async () => {
  await stop?.();
  await mailServer.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** All commands of a section, up to its first subsection. */
function commandsUnder(heading: string): string {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [section = ""] = (readme.split(`\n## ${heading}\n`)[1] ?? "").split(/\n##/);
  const blocks = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands);
  if (blocks.length === 0) throw new Error(`The README has no commands under ${heading}.`);
  return blocks.join("");
}

test("a person signs in from the shell", async () => {
  const { app: running } = await world();
  const commands = commandsUnder("Sign in as a person").replaceAll("http://localhost:3000", running.baseUrl);
  const { stdout } = await promisify(execFile)("bash", ["-euc", commands], { cwd: folder });
  expect(stdout).toMatch(/^Location: \/w\r$/m);
  expect(stdout).toMatch(/^Location: \/w\/new\r$/m);
});

test("a file is attached, a form published and a report read", async () => {
  const { owner, app: running, workspace } = await world();
  await owner.post("P/issues", { title: "First" }).expect(201);
  writeFileSync(join(folder, ".data/dev.json"), JSON.stringify({ api_key: owner.key }));
  const commands = commandsUnder("A file, a form, a report")
    .replaceAll("http://localhost:3000", running.baseUrl)
    .replaceAll("/workspaces/acme", `/workspaces/${workspace.slug}`);
  // Signed addresses name the public host.
  const here = `curl() { command curl --connect-to muster.test:80:${new URL(running.baseUrl).host} "$@"; }`;
  const { stdout } = await promisify(execFile)("bash", ["-euc", `${here}\n${commands}`], { cwd: folder });
  expect(stdout).toMatch(/"file_name":"note.txt".*"url":"http/);
  expect(stdout).toMatch(/^http:\/\/muster\.test\/f\/\S+$/m);
  expect(stdout).toContain("week_start,week_end,created,resolved,");
  expect((await owner.get("P/issues/WEB-1").expect(200)).data.counts.attachments).toBe(1);
});

test("a goal counts issues, a doc is edited and exported, and a channel is listened to", async () => {
  const { owner, app: running, workspace } = await world();
  await owner.post("P/issues", { title: "First" }).expect(201);
  writeFileSync(join(folder, ".data/dev.json"), JSON.stringify({ api_key: owner.key }));
  const commands = commandsUnder("A goal, a doc, a channel")
    .replaceAll("http://localhost:3000", running.baseUrl)
    .replaceAll("/workspaces/acme", `/workspaces/${workspace.slug}`);
  const { stdout } = await promisify(execFile)("bash", ["-euc", commands], { cwd: folder });
  expect(stdout).toMatch(/"completed":0,"total":1/);
  expect(stdout).toMatch(/"progress_pct":0,.*"rollup"/);
  expect(stdout).toContain("1. Tag and sign the commit\\n2. Watch the queues");
  expect(stdout).toMatch(/^event: chat\.message\.created\n/m);
  expect(stdout).toMatch(/^event: chat\.message\.delta\ndata: .*"seq":1,"delta":"is out\.","done":true/m);
  expect(readFileSync(join(folder, "runbook.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
});

test("an agent hears of its issue, claims the next one, reports and asks", async () => {
  const { owner, app: running, workspace } = await world();
  for (const title of ["First", "Second"]) await owner.post("P/issues", { title }).expect(201);
  writeFileSync(join(folder, ".data/dev.json"), JSON.stringify({ api_key: owner.key }));
  const commands = commandsUnder("An agent")
    .replaceAll("http://localhost:3000", running.baseUrl)
    .replaceAll("/workspaces/acme", `/workspaces/${workspace.slug}`)
    // A busy machine takes longer.
    .replace("-m 4", "-m 10")
    .replace("sleep 2", "sleep 6");
  const { stdout } = await promisify(execFile)("bash", ["-euc", commands.replace("wait", "wait || true")], {
    cwd: folder,
  });
  expect(stdout).toMatch(/^event: stream\.ready$/m);
  expect(stdout).toMatch(/^event: issue\.assigned\ndata: .*"key":"WEB-1"/m);
  const [used, asking, agents] = stdout
    .trim()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line).data);
  expect(used).toMatchObject({ issue_key: "WEB-1", cost_usd: 0.0032, turn: { source: "estimated" } });
  const question = { text: "Which browsers?", options: [] };
  expect(asking).toMatchObject([{ agent_name: "Bot", issue_key: "WEB-1", question, cost_usd: 0.0032 }]);
  expect(agents).toMatchObject([{ name: "Bot", running_sessions: 0, cost_total: 0.0032 }]);
});

test("an automation runs for a new issue, and an issue goes through a workflow", async () => {
  const { owner, app: running, workspace } = await world();
  for (const title of ["First", "Second"]) await owner.post("P/issues", { title }).expect(201);
  writeFileSync(join(folder, ".data/dev.json"), JSON.stringify({ api_key: owner.key }));
  const commands = commandsUnder("An automation, a workflow")
    .replaceAll("http://localhost:3000", running.baseUrl)
    .replaceAll("/workspaces/acme", `/workspaces/${workspace.slug}`)
    // A busy machine takes longer.
    .replace("sleep 1;", "sleep 6;");
  const { stdout } = await promisify(execFile)("bash", ["-euc", commands], { cwd: folder });
  const [tried, runs, ended] = stdout.trim().split("\n");
  expect(JSON.parse(tried!).data).toMatchObject({
    matched: false,
    failed: { message: "type is task. Wanted: is bug." },
  });
  expect(JSON.parse(runs!).data).toMatchObject([{ issue_key: "WEB-3", status: "ok" }]);
  expect(readFileSync(join(folder, "run.svg"), "utf8")).toContain("active");
  expect(ended).toBe("completed");
  expect((await owner.get("P/issues/WEB-2").expect(200)).data).toMatchObject({ status: "done" });
});

test("issues are found by search and by a view, and notifications are marked as read", async () => {
  const { owner, app: running, workspace } = await world();
  await owner.post("P/issues", { title: "Checkout fails", type: "bug" }).expect(201);
  writeFileSync(join(folder, ".data/dev.json"), JSON.stringify({ api_key: owner.key }));
  const commands = commandsUnder("Search, views, notifications")
    .replaceAll("http://localhost:3000", running.baseUrl)
    .replaceAll("/workspaces/acme", `/workspaces/${workspace.slug}`);
  const { stdout } = await promisify(execFile)("bash", ["-euc", commands], { cwd: folder });
  const [found, shown, unread, marked] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).data);
  expect(found).toMatchObject([{ type: "issue", snippet: "<mark>Check</mark>out fails" }]);
  expect(shown).toEqual([{ key: "WEB-1", title: "Checkout fails" }]);
  expect(unread).toEqual([]);
  expect(marked).toEqual({ count: 0 });
});

test("a webhook is delivered, and its delivery is listed", async () => {
  const { owner, app: running, workspace } = await world();
  writeFileSync(join(folder, ".data/dev.json"), JSON.stringify({ api_key: owner.key }));
  const commands = commandsUnder("Five minutes: from nothing to a delivered webhook")
    .replaceAll("http://localhost:3000", running.baseUrl)
    .replaceAll("/workspaces/acme", `/workspaces/${workspace.slug}`)
    .replaceAll("4000", String(await freePort()))
    // A busy machine takes longer.
    .replace("sleep 1;", "sleep 6;");
  const { stdout } = await promisify(execFile)("bash", ["-euc", `${commands}\nkill $(jobs -p)`], { cwd: folder });
  expect(stdout).toMatch(/"secret":"whsec_/);
  expect(stdout).toMatch(/^v1,\S+ {"id":/m);
  expect(stdout).toMatch(/"status":200,.*"state":"succeeded"/);
  expect(stdout).toContain("Hello from the shell");
});

test("credits are bought from the shell", async () => {
  const { owner, app: running, workspace } = await world();
  writeFileSync(join(folder, ".data/dev.json"), JSON.stringify({ api_key: owner.key }));
  const commands = commandsUnder("Buy credits from the shell")
    .replaceAll("http://localhost:3000", running.baseUrl)
    .replaceAll("/workspaces/acme/", `/workspaces/${workspace.slug}/`);
  const { stdout } = await promisify(execFile)("bash", ["-euc", commands], { cwd: folder });
  expect(stdout).toMatch(/HTTP\/1\.1 402 Payment Required/);
  expect(stdout).toMatch(/^WWW-Authenticate: Payment id="/m);
  expect(stdout).toMatch(/HTTP\/1\.1 200 OK/);
  expect(stdout).toMatch(/^Payment-Receipt: /m);
  expect(stdout).toMatch(/genuine: true/);
  expect(stdout).toMatch(/topup_balance: 2000/);
  expect(await balances(owner)).toMatchObject({ topup_balance: 2_000 });
});
