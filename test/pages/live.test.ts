import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type ReadyStream, Stream, streamReply } from "../../src/api/engine/stream.ts";
import { tellPages, tellPagesOf } from "../../src/domain/events/live.ts";
import { startWorker } from "../../src/start-worker.ts";
import { type Browser, browser } from "../support/browser.ts";
import { noBrowser } from "../support/browser-path.ts";
import { servePublicly } from "../support/oauth.ts";
import { tabOf } from "../support/signed-in.ts";
import { type World, world } from "../support/world.ts";

/** Pages that keep themselves current. */

await servePublicly();

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

/** Opens the stream of a page. `count`: how often it said that something changed. */
async function listen(here: World, userId: string, query = "", visitor?: Browser) {
  const { cookies } = visitor ?? (await browser(here.app, userId));
  const abort = new AbortController();
  cleanup.push(() => abort.abort());
  const reply = await fetch(`${here.app.baseUrl}/w/${here.workspace.slug}/live?${query}`, {
    headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
    signal: abort.signal,
  });
  const heard = { status: reply.status, text: "", hasEnded: false };
  const read = async () => {
    for await (const part of reply.body!.pipeThrough(new TextDecoderStream())) heard.text += part;
    heard.hasEnded = true;
  };
  if (reply.status === 200) read().catch(() => {});
  const ready = () => expect.poll(() => heard.text, { timeout: 10_000 }).toContain("stream.ready");
  if (reply.status === 200) await ready();
  return { ...heard, now: () => heard, count: () => heard.text.split("event: changed").length - 1, abort };
}

/** As the relay does after it has taken the events. */
async function tell(here: World): Promise<void> {
  const [oldest] = await here.sql<{ id: string }>(
    `select id from event where workspace_id = $1 order by id desc limit 1`,
    [here.workspace.id],
  );
  tellPages(here.app.resources.ports, here.workspace.id, oldest!.id);
}

const changes = (stream: { count(): number }, times: number) =>
  expect.poll(() => stream.count(), { timeout: 10_000 }).toBe(times);

test("a page hears of changes to what it shows, and of nothing else", async () => {
  const here = await world();
  const { body } = await here.owner.post("P/issues", { title: "One" });
  const member = await here.as({ role: "member" });
  await sleep(2_100);
  const [whole, project, issue, goals] = await Promise.all(
    ["", `project=${here.project.id}`, `project=${here.project.id}&issues=${body.data.id}`, "kinds=goal"].map((query) =>
      listen(here, member.userId, query),
    ),
  );
  await here.owner.post("P/issues", { title: "Two" });
  await tell(here);
  await Promise.all([changes(whole!, 1), changes(project!, 1)]);
  await here.owner.patch("P/issues/WEB-1", { title: "Uno" });
  await tell(here);
  await Promise.all([changes(whole!, 2), changes(project!, 2), changes(issue!, 1)]);
  await here.owner.post("W/goals", { title: "Win" });
  await tell(here);
  await Promise.all([changes(whole!, 3), changes(goals!, 1)]);
  expect([project!.count(), issue!.count()]).toEqual([2, 1]);
  expect(whole!.now().text).not.toMatch(/issue|goal|WEB|[0-9a-f]{8}-/);
  // What concerns one person only.
  tellPagesOf(here.app.resources.ports, here.workspace.id, [member.userId]);
  await changes(goals!, 2);
});

test("a page that was made before a change hears of it when it connects", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const since = new Date().toISOString();
  await here.owner.post("P/issues", { title: "One" });
  await changes(await listen(here, member.userId, `since=${since}`), 1);
});

test("guests hear of their projects only, and nobody of projects that they cannot see", async () => {
  const here = await world();
  const hidden = await here.hidden("SECRET");
  const guest = await here.as({ role: "guest", projectRole: "viewer" });
  const member = await here.as({ role: "member" });
  await sleep(2_100);
  const [ofGuest, ofMember] = await Promise.all([listen(here, guest.userId), listen(here, member.userId)]);
  expect((await listen(here, member.userId, `project=${hidden.project.id}`)).status).toBe(404);
  await hidden.owner.post("P/issues", { title: "Secret" });
  await tell(here);
  await here.owner.post("W/goals", { title: "Win" });
  await tell(here);
  await changes(ofMember, 1);
  expect(ofGuest.count()).toBe(0);
  await here.owner.post("P/issues", { title: "Open" });
  await tell(here);
  await Promise.all([changes(ofMember, 2), changes(ofGuest, 1)]);
});

test("the stream ends with the person's access, and strangers get none", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const stream = await listen(here, member.userId);
  await here.owner.delete(`W/members/${member.userId}`);
  await expect.poll(() => stream.now().hasEnded, { timeout: 10_000 }).toBe(true);
  expect(stream.now().text).toContain("stream.closed");

  const other = await here.other();
  expect((await listen(here, other.owner.userId)).status).toBe(404);
  const nobody = await fetch(`${here.app.baseUrl}/w/${here.workspace.slug}/live`);
  expect(nobody.status).toBe(404);
  expect((await listen(here, here.owner.userId, "project=x")).status).toBe(404);
});

const ends = (stream: Awaited<ReturnType<typeof listen>>) =>
  expect.poll(() => stream.now().hasEnded, { timeout: 10_000 }).toBe(true);

test("a session that ended opens nothing, and its streams end at once", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const [visitor, elsewhere, third] = await Promise.all([1, 2, 3].map(() => browser(here.app, member.userId)));
  const stolen = [...visitor!.cookies].map((pair) => pair.join("=")).join("; ");
  const page = `/w/${here.workspace.slug}`;
  const withStolen = (path: string) =>
    fetch(here.app.baseUrl + path, { headers: { cookie: stolen }, redirect: "manual" });
  const open = (one?: Browser) => listen(here, member.userId, "", one);
  const [one, two, three] = await Promise.all([open(visitor), open(elsewhere), open(third)]);
  expect((await withStolen(page)).status).toBe(200);
  await visitor!.post("/sign-out");
  await ends(one);
  expect((await withStolen(page)).status).toBe(303);
  expect((await withStolen(`${page}/live`)).status).toBe(404);

  // Ended by another session of the person.
  const [session] = await here.sql<{ id: string }>("select id from session where user_id = $1 order by id limit 1", [
    member.userId,
  ]);
  await third!.post(`/account/sessions/${session!.id}/end`);
  await expect.poll(() => [two, three].filter((stream) => stream.now().hasEnded).length, { timeout: 10_000 }).toBe(1);
  const fourth = await open();
  await (await browser(here.app, member.userId)).post("/sign-out", { everywhere: "yes" });
  await Promise.all([two, three, fourth].map(ends));
});

test("a stream ends when its session expires", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  await here.sql(`update session set expires_at = now() + interval '1.5 seconds' where user_id = $1`, [
    here.owner.userId,
  ]);
  const stream = await listen(here, here.owner.userId, "", visitor);
  const began = Date.now();
  await ends(stream);
  expect(Date.now() - began).toBeLessThan(5_000);
});

test("pages of a person who may see or do less are loaded again, whatever they show", async () => {
  const here = await world();
  const [member, guest] = [await here.as({ role: "member" }), await here.as({ role: "guest", projectRole: "viewer" })];
  const [ofMember, ofGuest, ofProject] = await Promise.all([
    listen(here, member.userId, "kinds=chat"),
    listen(here, guest.userId, "kinds=chat"),
    listen(here, guest.userId, `project=${here.project.id}`),
  ]);
  await here.owner.patch(`W/members/${member.userId}`, { role: "viewer" }).expect(200);
  await changes(ofMember, 1);
  await here.owner.delete(`P/members/${guest.userId}`).expect(200);
  await changes(ofGuest, 1);
  await ends(ofProject);
  expect([ofMember, ofGuest].map((stream) => stream.now().hasEnded)).toEqual([false, false]);
});

test("open pages are counted, and no longer when they are closed", async () => {
  const here = await world();
  const { app } = here;
  const authorization = `Basic ${Buffer.from(`operator:${app.config.OPERATOR_PASSWORD}`).toString("base64")}`;
  const count = async () => {
    const text = await (await fetch(`${app.baseUrl}/metrics`, { headers: { authorization } })).text();
    return Number(/^muster_open_streams\{operation="page \/w\/:slug\/live"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  await expect.poll(count, { timeout: 5_000 }).toBe(0);
  const [one] = await Promise.all([1, 2, 3].map(() => listen(here, here.owner.userId)));
  expect(await count()).toBe(3);
  one!.abort.abort();
  await expect.poll(count, { timeout: 5_000 }).toBe(2);
});

test("a limit that is reached counts nothing, and each stream is given back once", () => {
  const openStreams = new Map<string, number>();
  const runtime = { openStreams, stopping: new AbortController().signal, streamWatch: () => () => {} };
  const open = (person: string) =>
    streamReply(new Stream("text/event-stream", () => ({ drained() {}, closed() {} })), runtime, {
      operation: "page",
      limits: [
        { id: person, most: 2 },
        { id: "network", most: 3 },
      ],
    }).body as ReadyStream;
  const [first] = [open("a"), open("a"), open("b")];
  expect(() => open("a")).toThrow();
  expect(() => open("c")).toThrow();
  expect([...openStreams]).toEqual([
    ["a", 2],
    ["network", 3],
    ["b", 1],
  ]);
  first!.abandon();
  open("c").abandon();
  expect([...openStreams]).toEqual([
    ["a", 1],
    ["network", 2],
    ["b", 1],
  ]);
});

test("nobody hears of a private channel that they are not in, nor after they were removed from it", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const { data: room } = await here.owner.post("W/chat/channels", { name: "Board", kind: "private" }).expect(201);
  const path = `W/chat/channels/${room.id}`;
  expect((await listen(here, member.userId, `channel=${room.id}`)).status).toBe(404);
  await sleep(2_100);
  const [whole, chat] = await Promise.all([listen(here, member.userId), listen(here, member.userId, "kinds=chat")]);
  await here.owner.post(`${path}/messages`, { body_md: "Secret" }).expect(201);
  await tell(here);
  await here.owner.post("P/issues", { title: "Open" }).expect(201);
  await tell(here);
  await changes(whole, 1);
  expect(chat.count()).toBe(0);

  await here.owner.post(`${path}/members`, { user_id: member.userId }).expect(201);
  const inside = await listen(here, member.userId, `channel=${room.id}`);
  await here.owner.delete(`${path}/members/${member.userId}`).expect(200);
  await expect.poll(() => inside.now().hasEnded, { timeout: 10_000 }).toBe(true);
});

test("a person has at most twenty streams, and gives one back by leaving", async () => {
  const here = await world();
  const all = await Promise.all(Array.from({ length: 20 }, () => listen(here, here.owner.userId)));
  expect((await listen(here, here.owner.userId)).status).toBe(429);
  all[0]!.abort.abort();
  await expect.poll(async () => (await listen(here, here.owner.userId)).status, { timeout: 5_000 }).toBe(200);
});

test.skipIf(noBrowser)(
  `who has signed out sees nothing of the workspace any more, nor by going back${noBrowser}`,
  { timeout: 60_000 },
  async () => {
    const here = await world();
    const tab = await tabOf(here, here.owner, { script: true });
    const home = `${here.app.baseUrl}/w/${here.workspace.slug}`;
    await tab.goto(home);
    const second = await tab.context().newPage();
    await second.goto(`${home}/p/web`);
    await tab.click("button.who");
    await tab.click("text=Sign out");
    await tab.waitForURL("**/sign-in");
    await second.waitForURL("**/sign-in**", { timeout: 15_000 });
    await tab.goBack();
    await tab.waitForURL("**/sign-in**");
    expect(await tab.content()).not.toContain(here.workspace.slug);
  },
);

test.skipIf(noBrowser)(
  `an open board shows what others do, and keeps what is typed${noBrowser}`,
  { timeout: 60_000 },
  async () => {
    const here = await world();
    const worker = await startWorker(here.app.config);
    cleanup.push(() => worker.stop());
    const tab = await tabOf(here, here.owner, { script: true });
    await tab.goto(`${here.app.baseUrl}/w/${here.workspace.slug}/p/web`);
    const fold = tab.locator("details", { hasText: "Add an issue" }).first();
    await fold.locator("summary").click();
    await fold.locator("input[name=title]").fill("Half a tit");
    await here.owner.post("P/issues", { title: "By somebody else" });
    await tab.getByRole("main").getByText("By somebody else").waitFor({ timeout: 15_000 });
    expect(await fold.locator("input[name=title]").inputValue()).toBe("Half a tit");
    expect(await fold.getAttribute("open")).not.toBeNull();
    expect(await tab.evaluate("document.activeElement.name")).toBe("title");
  },
);
