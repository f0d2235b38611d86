import { expect, test } from "vitest";
import type { Operation } from "../../src/api/engine/operation.ts";
import { operations } from "../../src/api/operations/index.ts";
import { html } from "../../src/domain/kernel/html.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { NOTIFICATION_KINDS } from "../../src/domain/knowledge/notifications/kinds.ts";
import { type Browser, browser } from "../support/browser.ts";
import { servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";
import { addressFieldsIn, allAddressFields } from "./addresses.ts";
import { exampleOf, pathOf } from "./examples.ts";

/** The `url` of every object that the API returns opens a page, for those who may see the object, and shows it. */

const baseUrl = await servePublicly();

/** Addresses of pages of ours. */
const PAGES = ["Workspace.url", "Project.url", "Issue.url", "Doc.url", "Notification.url", "SearchResult.url"];

/** Addresses that are no pages of a workspace. */
const ELSEWHERE: Record<string, string> = {
  "Webhook.url": "the address of the receiver",
  "WebhookWithSecret.url": "the address of the receiver",
  "DisabledWebhook.url": "the address of the receiver",
  "CommitRef.url": "a page of the host of the code",
  "CommitRef.pull_request_url": "a page of the host of the code",
  "Attachment.url": "the file itself",
  "UploadIntent.url": "where the file is sent",
  "UploadIntent.relay_url": "where the file is sent",
  "CardSetup.url": "a page of the card processor",
  "AgentSession.external_url": "a page of the agent",
  "AgentSessionDetail.external_url": "a page of the agent",
  "AgentUsage.external_url": "a page of the agent",
  "Form.redirect_url": "a page of the form's owner",
  "Form.share_url": "the form as the public sees it (test/pages/forms.test.ts)",
  "FormSummary.share_url": "the same",
  "Member.avatar_url": "a picture",
  "ProjectMember.avatar_url": "a picture",
  "OauthApp.homepage_url": "a page of the app",
  "OauthApp.logo_url": "a picture of the app",
  "NewOauthApp.homepage_url": "a page of the app",
  "NewOauthApp.logo_url": "a picture of the app",
};

test("every address in a reply or event is opened here, or leads elsewhere for a reason", () => {
  expect(allAddressFields().sort()).toEqual([...PAGES, ...Object.keys(ELSEWHERE)].sort());
});

// Objects of their replies are gone.
const UNDONE = new Set(["workspaces.delete"]);
const withPages = operations.filter(
  ({ id, returns }) => !UNDONE.has(id) && [...addressFieldsIn(returns, id)].some((field) => PAGES.includes(field)),
);

type Addressed = { url: string; title?: string; name?: string; key?: string; type?: string };

/** All objects in a reply that have the address of a page of ours. */
function addressed(value: unknown): Addressed[] {
  if (typeof value !== "object" || value === null) return [];
  const within = Object.values(value).flatMap(addressed);
  const { url } = value as { url?: unknown };
  return typeof url === "string" && url.startsWith(`${baseUrl}/w/`) ? [value as Addressed, ...within] : within;
}

/** Opens an address as a browser does. `hasPlace`: whether the page has the place that the address names. */
async function open(visitor: Browser, url: string) {
  const { pathname, search, hash } = new URL(url);
  const page = await visitor.get(pathname + search);
  return { ...page, hasPlace: hash === "" || page.text.includes(`id="${hash.slice(1)}"`) };
}

async function shownAt(visitor: Browser, url: string) {
  const { status, hasPlace } = await open(visitor, url);
  return { status, hasPlace };
}

async function callOf(operation: Operation, here: World, n: number): Promise<unknown> {
  const example = exampleOf(operation);
  const params = (await example.params?.(here)) ?? {};
  const path = pathOf(operation, here, params) + (example.query ? `?${example.query}` : "");
  const { status, body } = await here.owner.call(operation.method, path, example.body?.(n, here));
  expect(status, `${operation.id}: ${JSON.stringify(body).slice(0, 500)}`).toBeLessThan(300);
  return body;
}

test("the urls in the replies of all operations open, and show the object to those who may see it", {
  timeout: 120_000,
}, async () => {
  const here = await world();
  const [visitor, stranger, nobody] = await Promise.all([
    browser(here.app, here.owner.userId),
    here.other().then(({ owner }) => browser(here.app, owner.userId)),
    browser(here.app),
  ]);
  const found = new Map<string, Addressed>();
  const wrong: string[] = [];
  for (const [n, operation] of withPages.entries()) {
    const objects = addressed(await callOf(operation, here, n));
    if (objects.length === 0 && !/list|query/.test(operation.id)) wrong.push(`${operation.id} returned no url`);
    // What an operation returns is as it is now.
    for (const object of objects.slice(0, 2)) found.set(object.url, object);
  }
  for (const [url, { title, name, key }] of found) {
    const page = await open(visitor, url);
    const shown = html`${title ?? name ?? key ?? ""}`.toString();
    if (page.status !== 200 || !page.hasPlace) wrong.push(`${page.status} ${url}`);
    else if (!page.text.includes(shown)) wrong.push(`${url} does not show ${shown}`);
    const path = new URL(url).pathname;
    if ((await stranger.get(path)).status !== 404) wrong.push(`${path} is shown to a stranger`);
    const asked = await nobody.get(path);
    if (asked.headers.get("location") !== `/sign-in?return_to=${encodeURIComponent(path)}`)
      wrong.push(`${path} asks no visitor to sign in`);
  }
  expect(wrong).toEqual([]);
  expect(found.size).toBeGreaterThan(10);
});

test("the urls of notifications of every kind open, at the comment or message that they are about", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const { data: issue } = await here.owner.post("P/issues", { title: "One" }).expect(201);
  const { data: comment } = await here.owner.post("P/issues/WEB-1/comments", { body_md: "Hm" }).expect(201);
  const { data: goal } = await here.owner.post("W/goals", { title: "Win" }).expect(201);
  const { data: doc } = await here.owner.post("W/docs", { title: "Plan" }).expect(201);
  const { data: channel } = await here.owner.post("W/chat/channels", { name: "general" }).expect(201);
  const chat = `W/chat/channels/${channel.id}/messages`;
  const { data: message } = await here.owner.post(chat, { body_md: "Hello" }).expect(201);
  const subjects: Record<string, string>[] = [
    { issue_id: issue.id },
    { issue_id: issue.id, comment_id: comment.id },
    { goal_id: goal.id },
    { doc_id: doc.id },
    { channel_id: channel.id, message_id: message.id },
    {},
  ];
  for (const [n, kind] of [...NOTIFICATION_KINDS, ...subjects].entries()) {
    const about = typeof kind === "string" ? {} : kind;
    const row = {
      id: newId(),
      cause_id: newId(),
      workspace_id: here.workspace.id,
      user_id: here.owner.userId,
      kind: typeof kind === "string" ? kind : "mentioned",
      title: `Notice ${n}`,
      body: "",
      admins_only: false,
      created_at: new Date().toISOString(),
      ...about,
    };
    const text = "insert into notification select * from jsonb_populate_record(null::notification, $1::jsonb)";
    await here.sql(text, [JSON.stringify(row)]);
  }
  const { data } = (await here.owner.get("W/notifications?limit=100").expect(200)).body;
  expect(data).toHaveLength(NOTIFICATION_KINDS.length + subjects.length);
  const urls = [...new Set((data as Addressed[]).map(({ url }) => url))];
  expect(urls.some((url) => url.endsWith(`/p/web/WEB-1?at=${comment.id}#comment-${comment.id}`))).toBe(true);
  for (const url of urls)
    expect({ url, ...(await shownAt(visitor, url)) }).toEqual({ url, status: 200, hasPlace: true });
});

test("the url of an old comment leads to the page that shows it, and its forms are there", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  await here.owner.post("P/issues", { title: "One" }).expect(201);
  const bulk = (from: number) => ({ items: Array.from({ length: 50 }, (_, n) => ({ body_md: `needle${from + n}` })) });
  await here.owner.post("P/issues/WEB-1/comments/bulk", bulk(0)).expect(201);
  const { data } = await here.owner.post("P/issues/WEB-1/comments/bulk", bulk(50)).expect(201);
  const path = `/w/${here.workspace.slug}/p/web/WEB-1`;
  const [{ url }] = (await here.owner.get("W/search?types=comments&q=needle77").expect(200)).data;
  expect(await shownAt(visitor, url)).toEqual({ status: 200, hasPlace: true });
  const { id } = data[27].data ?? data[27];
  expect(new URL(url).hash).toBe(`#comment-${id}`);

  const page = await visitor.get(`${path}?at=${id}`);
  expect(page.text).not.toContain("needle76<");
  expect(page.text).toContain("needle99");
  expect(page.text).toContain("First comments");
  expect((await visitor.get(`${path}?comment=${id}`)).text).toMatch(/comment-change"/);
  // Anything else shows the first ones.
  for (const other of [newId(), "nothing", "%00", "'"]) {
    const first = await visitor.get(`${path}?at=${other}`);
    expect([other, first.status, first.text.includes("needle0<")]).toEqual([other, 200, true]);
  }
  // The address of a new comment shows it, too.
  const sent = await visitor.post(`${path}/comment`, { body_md: "The last word" });
  expect((await visitor.follow(sent)).text).toContain("The last word");
});
