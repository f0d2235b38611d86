import { beforeAll, expect, test } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { exampleOf, pathOf } from "../contract/examples.ts";
import { snapshot } from "../contract/snapshot.ts";
import { type Browser, browser, type Page } from "../support/browser.ts";
import { servePublicly } from "../support/oauth.ts";
import { filled, formRoutes, type PageRoute, workspaceRoutes } from "../support/page-routes.ts";
import { type World, world } from "../support/world.ts";

/** Attacks on every page and form, walked by their routes. */

const baseUrl = await servePublicly({ RATE_LIMIT_PER_MINUTE: "1000000" });

const SCRIPT = `"'><script>alert(1)</script><img src=x onerror=alert(1)>\${7*7}`;
const LINKS = `${SCRIPT} [a](javascript:alert(1)) <a href="javascript:alert(1)">b</a> ![c](https://evil.test/c.png) ![d](${baseUrl}/sign-out)`;

/** Objects of all kinds, whose texts are attacks as far as these are accepted. */
const MADE = {
  label: "labels.create",
  sprint: "sprints.create",
  milestone: "milestones.create",
  release: "releases.create",
  status: "statuses.create",
  field: "custom-field-defs.create",
  form: "forms.create",
  view: "saved-views.create",
  goal: "goals.create",
  keyResult: "key-results.create",
  portfolio: "portfolios.create",
  doc: "docs.create",
  docComment: "doc-comments.create",
  channel: "chat-channels.create",
  automation: "automations.create",
  workflow: "workflows.create",
  webhook: "webhooks.create",
  apiKey: "api-keys.create",
  invite: "invites.create",
} as const;
type Made = Record<keyof typeof MADE | "issue" | "comment" | "message" | "version" | "agent" | "session", string>;

const TEXTS = /^(name|title|topic|description|label|goal|objective|quote|unit)$/;
const MARKDOWN = /_md$/;

let here: World;
let owner: Browser;
let made: Made;

beforeAll(async () => {
  here = await world();
  owner = await browser(here.app, here.owner.userId);
  made = await make(here);
  expect(made.session).toMatch(/^[0-9a-f-]{36}$/);
}, 60_000);

async function make({ owner }: World): Promise<Made> {
  const ids: Partial<Made> = {};
  for (const [kind, id] of Object.entries(MADE)) {
    const operation = operations.find((one) => one.id === id)!;
    const example = exampleOf(operation);
    const params = { ...(await example.params?.(here)), ...paramsOf(id, ids) };
    const plain = example.body?.(1, here) ?? {};
    const hostile = Object.fromEntries(
      Object.entries(plain).map(([name, value]) => [
        name,
        typeof value !== "string" ? value : MARKDOWN.test(name) ? LINKS : TEXTS.test(name) ? SCRIPT : value,
      ]),
    );
    const path = pathOf(operation, here, params);
    const first = await owner.call(operation.method, path, hostile);
    const { status, body } = first.status < 300 ? first : await owner.call(operation.method, path, plain);
    expect(status, `${id}: ${first.text} ${JSON.stringify(body)}`).toBeLessThan(300);
    ids[kind as keyof Made] = body.data.id;
  }
  const issue = {
    title: SCRIPT,
    description_md: LINKS,
    labels: [ids.label],
    sprint_id: ids.sprint,
    assignee_ids: ["me"],
  };
  ids.issue = (await owner.post("P/issues", issue).expect(201)).data.key;
  ids.comment = (await owner.post(`P/issues/${ids.issue}/comments`, { body_md: LINKS }).expect(201)).data.id;
  const chat = `W/chat/channels/${ids.channel}/messages`;
  ids.message = (await owner.post(chat, { body_md: LINKS }).expect(201)).data.id;
  const agent = await here.as({ role: "member", isAgent: true, name: SCRIPT });
  ids.agent = agent.userId;
  const session = { issue_key: ids.issue, title: SCRIPT, note: SCRIPT };
  const started = await agent.post("W/agent-sessions", session);
  ids.session = started.body.data?.id ?? String(started.text);
  const asks = { plan: [{ text: SCRIPT }], state: "needs_input", question: { text: SCRIPT, options: [SCRIPT] } };
  await agent.patch(`W/agent-sessions/${ids.session}`, asks).expect(200);
  await owner.patch("P", { name: SCRIPT, description: SCRIPT });
  await owner.patch("W", { name: SCRIPT });
  await here.sql("update app_user set name = $2 where id = $1", [owner.userId, SCRIPT]);
  await owner.patch(`W/docs/${ids.doc}`, { body_md: `${LINKS} again` }).expect(200);
  const [version] = (await owner.get(`W/docs/${ids.doc}/versions`).expect(200)).data;
  ids.version = version?.id ?? newId();
  return ids as Made;
}

const paramsOf = (operation: string, ids: Partial<Made>): Record<string, string> => {
  if (operation === "key-results.create") return { goalId: ids.goal!, id: ids.goal! };
  return operation === "doc-comments.create" ? { id: ids.doc! } : {};
};

/** The objects of this world in the path of a page. */
function real(route: PageRoute): string {
  const [, , , area = "", , part = ""] = route.path.split("/");
  const ids: Record<string, string> = {
    agents: made.agent,
    docs: made.doc,
    automations: made.automation,
    workflows: made.workflow,
    webhooks: made.webhook,
    invites: made.invite,
    columns: made.status,
    labels: made.label,
    fields: made.field,
    forms: made.form,
    keys: made.apiKey,
  };
  const kind = ["columns", "labels", "fields", "forms", "keys"].find((one) => route.path.includes(`/${one}/:id`));
  const named: Record<string, string> = {
    slug: here.workspace.slug,
    project: "web",
    issue: made.issue,
    sprint: made.sprint,
    plan: part === "releases" ? made.release : made.milestone,
    view: made.view,
    channelId: made.channel,
    messageId: made.message,
    goalId: made.goal,
    portfolioId: made.portfolio,
    userId: here.owner.userId,
    versionId: made.version,
    report: "burndown",
    format: "html",
    id: route.path.includes("sessions/:id")
      ? made.session
      : route.path.includes("key-results/:id")
        ? made.keyResult
        : (ids[kind ?? area] ?? newId()),
  };
  return filled(route, (name) => named[name] ?? newId());
}

const ofMethod = (method: string) => (route: PageRoute) => route.method === method;
const isStream = ({ path }: PageRoute) => path === "/w/:slug/live";

/** What is wrong with how a page is sent. */
function careless(page: Page): string[] {
  const header = (name: string) => page.headers.get(name) ?? "";
  const policy = header("content-security-policy");
  const type = header("content-type");
  return [
    ...(page.status >= 500 ? [`status ${page.status}`] : []),
    ...(policy.startsWith("default-src 'none'") ? [] : [`policy ${policy}`]),
    ...(/unsafe-(inline|eval)|\*/.test(policy) && !policy.includes("sandbox") ? [`policy ${policy}`] : []),
    ...(type.startsWith("text/html") && !policy.includes("frame-ancestors 'none'") && !policy.includes("sandbox")
      ? ["may be framed"]
      : []),
    ...(header("x-content-type-options") === "nosniff" ? [] : ["may be sniffed"]),
    ...(/no-store|private/.test(header("cache-control")) ? [] : [`cache ${header("cache-control")}`]),
  ];
}

/** Markup that people's texts brought into a page. */
function injected({ text, headers }: Page): string[] {
  if (!/html|svg/.test(headers.get("content-type") ?? "")) return [];
  const own = text.replaceAll(/<script src="\/assets\/[a-z]+\.js" defer><\/script>/g, "");
  return [
    ...(own.match(/<script[^>]*>/gi) ?? []),
    ...(own.match(/<img src=x[^>]*>/gi) ?? []),
    ...(own.match(/<[a-z][^<>]* on[a-z]+=[^<>]*>/gi) ?? []).filter((tag) => !/="[^"]* on\w+=/.test(tag)),
    ...(own.match(
      /<[a-z][^<>]* (?:href|src|action|formaction|xlink:href)="(?:javascript|data:text|vbscript)[^"]*"/gi,
    ) ?? []),
    ...(own.match(/<img [^>]*src="https?:\/\/evil[^>]*>/gi) ?? []),
    ...(own.match(/<img [^>]*src="[^"]*sign-out"[^>]*>/gi) ?? []),
  ];
}

test("no text of people runs on any page", { timeout: 60_000 }, async () => {
  const wrong: string[] = [];
  let shown = 0;
  for (const route of workspaceRoutes().filter(ofMethod("GET"))) {
    if (isStream(route)) continue;
    const path = real(route);
    const page = await owner.get(path);
    if (page.text.includes("alert(1)")) shown++;
    for (const fault of [...careless(page), ...injected(page)]) wrong.push(`${path}: ${fault}`);
  }
  expect(wrong).toEqual([]);
  expect(shown).toBeGreaterThan(25);
});

const HOSTILE = [
  "nothing",
  "__proto__",
  "constructor",
  "%",
  "a\0b",
  "'\"<script>",
  "..",
  "../..",
  "🙂",
  "-1",
  "9".repeat(40),
  "a".repeat(3_000),
];

test("ids of the wrong kind, other queries and unknown objects are refused, not failed on", {
  timeout: 120_000,
}, async () => {
  const wrong: string[] = [];
  const routes = workspaceRoutes().filter((route) => !isStream(route));
  for (const [n, route] of routes.entries()) {
    const values = [HOSTILE[n % HOSTILE.length]!, HOSTILE[(n * 5 + 3) % HOSTILE.length]!, newId()];
    for (const value of values) {
      const path = filled(route, (name) =>
        name === "slug" ? here.workspace.slug : name === "project" && value !== "nothing" ? "web" : value,
      );
      const query = `?cursor=${encodeURIComponent(value)}&at=${encodeURIComponent(value)}&edit=${encodeURIComponent(value)}&__proto__=1&edit[a]=b`;
      const page =
        route.method === "GET"
          ? await owner.get(path + query)
          : await owner.post(path, { id: value, __proto__: value });
      if (page.status >= 500) wrong.push(`${page.status} ${route.method} ${path}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("forms of other sites change nothing", async () => {
  const before = await snapshot(here);
  const wrong: string[] = [];
  for (const route of formRoutes()) {
    const path = route.path.startsWith("/w/:slug") ? real(route) : filled(route, () => newId());
    for (const headers of [
      { origin: "https://evil.test" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ] as Record<string, string>[]) {
      const { status } = await owner.post(path, { confirm: "yes" }, headers);
      if (status !== 403) wrong.push(`${status} POST ${path} ${JSON.stringify(headers)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await snapshot(here)).toEqual(before);
});

test("another tenant's people find no page and no form", async () => {
  const before = await snapshot(here);
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  await snapshot(here);
  const wrong: string[] = [];
  for (const route of workspaceRoutes()) {
    const path = real(route);
    const { status } = route.method === "GET" ? await stranger.get(path) : await stranger.post(path, {});
    if (status !== 404) wrong.push(`${status} ${route.method} ${path}`);
  }
  expect(wrong).toEqual([]);
  expect(Object.keys(await snapshot(here))).toEqual(Object.keys(before));
});

/** What viewers and guests may do, as it is their own. */
const OWN = /\/(first-steps|inbox\/mark|inbox\/mark-all|leave|watch|unwatch|list\/views\/create|chat\/new\/dm)$/;
/** Forms whose fields are read before the operation is called. */
const READ_FIRST = /\/(developer\/(tokens|keys)|automations\/(create|:id\/change)|graph|attach)$/;

test.each(["viewer", "guest"] as const)(
  "a %s's forms that are not theirs are refused, and change nothing",
  async (role) => {
    const person = await here.as({ role, ...(role === "guest" ? { projectRole: "viewer" } : {}) });
    const visitor = await browser(here.app, person.userId);
    await visitor.get(`/w/${here.workspace.slug}`);
    const before = await snapshot(here);
    const wrong: string[] = [];
    for (const route of workspaceRoutes().filter(ofMethod("POST"))) {
      if (OWN.test(route.path)) continue;
      const path = real(route);
      const fields = {
        name: "Mine",
        title: "Mine",
        body_md: "Mine",
        user_id: here.owner.userId,
        issue: made.issue,
        id: made.comment,
      };
      const { status } = await visitor.post(path, {
        ...fields,
        once: newId(),
        status_id: here.columns.Done!,
        emoji: "+",
        pack: "small",
        was: "null",
      });
      const isRefused = status === 403 || status === 404 || (status === 400 && READ_FIRST.test(route.path));
      if (!isRefused) wrong.push(`${status} POST ${route.path}`);
    }
    expect(wrong).toEqual([]);
    expect(await snapshot(here)).toEqual(before);
  },
);

test("forms and queries that are too large, deep or odd are refused", { timeout: 120_000 }, async () => {
  const wrong: string[] = [];
  const long = { body_md: "x".repeat(700_000), title: "x".repeat(300_000) };
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`labels[${n}][a][b]`, "\ud800\0"]));
  const queries = ["a=1&".repeat(3_000), `q=${"%F0%9F%98%80".repeat(900)}&cursor=${"a".repeat(2_000)}`];
  const routes = workspaceRoutes().filter((route) => !isStream(route) && !route.path.endsWith("/attach"));
  for (const [n, route] of routes.entries()) {
    const path = real(route);
    const { status } =
      route.method === "GET"
        ? await owner.get(`${path}?${queries[n % 2]}`)
        : await owner.post(path, n % 2 ? long : many);
    if (status >= 500) wrong.push(`${status} ${route.method} ${path}`);
  }
  expect(wrong).toEqual([]);
});
