import { beforeAll, expect, test } from "vitest";
import { type Browser, browser, type Page } from "../support/browser.ts";
import { servePublicly } from "../support/oauth.ts";
import { filled, formRoutes, workspaceRoutes } from "../support/page-routes.ts";
import { type World, world } from "../support/world.ts";

/** Addresses, cookies, headers and texts that no browser sends, and what replies of all kinds say to browsers. */

const baseUrl = await servePublicly({ RATE_LIMIT_PER_MINUTE: "1000000" });

let here: World;
let owner: Browser;
let at = "";

beforeAll(async () => {
  here = await world();
  owner = await browser(here.app, here.owner.userId);
  at = `/w/${here.workspace.slug}`;
  await here.owner.post("P/issues", { title: "First" }).expect(201);
}, 60_000);

const PATHS = ["", "/p/web", "/p/web/list", "/search", "/chat", "/docs", "/audit", "/members", "/p/web/reports"];

test("odd cookies, addresses and headers are no errors", async () => {
  const [session] = owner.cookies;
  const mine = `${session![0]}=${session![1]}`;
  const cookies = [
    `${mine}; muster_said=${Buffer.from("g\0<script>\ud800\n\u202e").toString("base64url")}`,
    `${mine}; muster_said=%%%; __proto__=1; constructor=2; a=${"b".repeat(6_000)}`,
    `${session![0]}=${"%00".repeat(60)}; ${mine}`,
    `${session![0]}=a"b\\c; muster_sign_in=${"x".repeat(200)}`,
    `${mine}${";".repeat(3_000)}${mine}`,
  ];
  const addresses = [
    ...PATHS.map(
      (path) => `${at}${path}?cursor=%00&cursor=a&__proto__=1&__proto__[a]=b&q=%ED%A0%80&q=x&type=%FF&zoom=%`,
    ),
    `${at}/p/web/WEB-1?edit=__proto__&edit=title&edit[a]=b`,
    `${at}/p/web/list?${"label=x&".repeat(400)}`,
    `${at}/p/web/%ED%A0%80`,
    `${at}/docs/%C0%AE%C0%AE`,
    `${at}/p/web/..%2f..%2f..%2fetc%2fpasswd`,
    "/account?done=__proto__",
    `${at}/members?done=constructor`,
    "/sign-in?return_to=%00&return_to=/w",
    "/problems/__proto__",
    "/assets/__proto__",
    "/docs/assets/..%2f..%2fpackage.json",
  ];
  const wrong: string[] = [];
  const visit = async (path: string, headers: Record<string, string>) => {
    const { status } = await fetch(here.app.baseUrl + path, {
      headers: { accept: "text/html", ...headers },
      redirect: "manual",
    });
    if (status >= 500 && !path.startsWith("/sign-in")) wrong.push(`${status} ${path} ${headers.cookie?.slice(0, 80)}`);
  };
  for (const cookie of cookies) await visit(at, { cookie });
  for (const path of addresses) await visit(path, { cookie: mine });
  for (const headers of [
    { accept: "*/*;q=__proto__" },
    { "accept-language": "x".repeat(4_000) },
    { "user-agent": "\u00ff".repeat(2_000) },
    { "x-forwarded-for": "1.2.3.4, ".repeat(500), "x-forwarded-host": "evil.test", "x-forwarded-proto": "javascript" },
    { "if-none-match": `W/"${"a".repeat(4_000)}"`, "last-event-id": "\u00e9" },
  ] as Record<string, string>[])
    await visit(`${at}/p/web`, { cookie: mine, ...headers });
  expect(wrong).toEqual([]);
});

test("JSON that is deep, long or odd is refused on its page", { timeout: 60_000 }, async () => {
  const nodes = [
    { id: "start", kind: "start" },
    { id: "end", kind: "end" },
  ];
  const edges = [{ id: "e", source_node_id: "start", target_node_id: "end" }];
  const { data: workflow } = await here.owner.post("W/workflows", { name: "Flow", nodes, edges }).expect(201);
  const paths = [`${at}/automations/create`, `${at}/workflows/${workflow.id}/graph`];
  const texts = [
    `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    `{"actions":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`,
    "[".repeat(100_000),
    `{"__proto__":{"a":1},"constructor":{"prototype":{}},"name":"\\u0000\\ud800"}`,
    `{"name":"x","description":"\\u0000"}`,
    `{"name":"x","description":"\\ud800"}`,
    `{"name":"x","trigger":{"__proto__":null},"actions":[${"{},".repeat(20_000)}{}]}`,
    "1e999",
  ];
  const wrong: string[] = [];
  for (const path of paths) {
    for (const definition of texts) {
      const page = await owner.post(path, { definition });
      if (page.status < 400 || page.status >= 500 || !page.text.includes("Not saved as it is"))
        wrong.push(`${page.status} ${path} ${definition.slice(0, 30)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("what browsers are told holds for every reply: errors, redirects, forms and strangers", {
  timeout: 60_000,
}, async () => {
  const stranger = await browser(here.app);
  const wrong: string[] = [];
  const look = (what: string, page: Page) => {
    const header = (name: string) => page.headers.get(name) ?? "";
    if (header("x-content-type-options") !== "nosniff") wrong.push(`${what} may be sniffed`);
    if (!/no-store|private/.test(header("cache-control"))) wrong.push(`${what} is cached: ${header("cache-control")}`);
    if (page.status < 300 || page.status >= 400) {
      if (!header("content-type").startsWith("text/html")) return;
      const policy = header("content-security-policy");
      if (!/^default-src 'none'/.test(policy) || /unsafe|\*|https?:(?!\/\/)/.test(policy))
        wrong.push(`${what} policy ${policy}`);
      if (!policy.includes("frame-ancestors 'none'") || !policy.includes("base-uri 'none'"))
        wrong.push(`${what} framed`);
      if (!/no-referrer|same-origin/.test(header("referrer-policy"))) wrong.push(`${what} referrer`);
      return;
    }
    const to = new URL(header("location"), baseUrl);
    if (to.host !== new URL(baseUrl).host) wrong.push(`${what} leads to ${to}`);
  };
  const away =
    "?return_to=//evil.test&to=https://evil.test&next=/%5Cevil.test&return=%2F%2Fevil.test&filters=//evil.test";
  const fields = { return_to: "https://evil.test", to: "//evil.test", next: "//evil.test", filters: "//evil.test" };
  const plain = [
    "/",
    "/w",
    "/w/new",
    "/account",
    "/account/delete",
    "/account/email",
    "/sign-in",
    "/sign-in/code",
    "/nothing",
    "/invite",
  ];
  for (const path of plain) {
    for (const [who, visitor] of [
      ["owner", owner],
      ["stranger", stranger],
    ] as const) {
      const page = await visitor.get(path + away);
      // The front page is the same for everybody.
      if (path !== "/" || page.status >= 300) look(`${who} GET ${path}`, page);
    }
  }
  for (const route of workspaceRoutes().filter(({ method, path }) => method === "GET" && !path.endsWith("/live"))) {
    const path = filled(route, (name) => (name === "slug" ? here.workspace.slug : name === "project" ? "web" : "x"));
    look(`stranger GET ${route.path}`, await stranger.get(path + away));
    look(`owner GET ${route.path}`, await owner.get(path + away));
  }
  for (const route of formRoutes()) {
    const path = filled(route, (name) => (name === "slug" ? here.workspace.slug : name === "project" ? "web" : "x"));
    look(`stranger POST ${route.path}`, await stranger.post(path, fields));
    if (!/sign-out|leave|delete/.test(route.path)) look(`owner POST ${route.path}`, await owner.post(path, fields));
  }
  expect(wrong).toEqual([]);
});

test("cookies are for this service alone, and no script reads them", async () => {
  const other = await here.other();
  const visitor = await browser(here.app, other.owner.userId);
  const board = `/w/${other.workspace.slug}/p/web`;
  const said = await visitor.post(`${board}/board/create`, { title: "x", status_id: other.columns.Done! });
  expect(said.status, said.text).toBe(303);
  const heard = await visitor.get(board);
  const out = await visitor.post("/sign-out");
  const lines = [said, heard, out].flatMap(({ headers }) => headers.getSetCookie());
  expect(lines.length).toBe(3);
  for (const line of lines) expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+(; Secure)?$/);
});

test("a guest finds no name of what they do not see, wherever they look", { timeout: 60_000 }, async () => {
  const guest = await here.as({ role: "guest", projectRole: "member" });
  await here.as({ role: "member", name: "Zelda Zimmer" });
  const hidden = await here.hidden("SECRET");
  const marks = ["Zzproject", "Zzissue", "Zzdoc", "Zzgoal", "Zzroom", "Zzlabel"];
  await hidden.owner.patch("P", { name: "Zzproject" }).expect(200);
  await hidden.owner.post("P/issues", { title: "Zzissue" }).expect(201);
  await hidden.owner.post("P/labels", { name: "Zzlabel", color: "#ff0000" });
  await here.owner.post("W/docs", { title: "Zzdoc", body_md: "Zz" }).expect(201);
  await here.owner.post("W/goals", { title: "Zzgoal" }).expect(201);
  await here.owner.post("W/chat/channels", { name: "Zzroom", kind: "private" }).expect(201);
  const visitor = await browser(here.app, guest.userId);
  const wrong: string[] = [];
  const queries = [
    "q=Zz",
    "q=Zzissue&type=issue",
    "edit=assignee_ids",
    "edit=labels",
    "project=SECRET",
    "label=Zzlabel",
    "cursor=",
  ];
  for (const route of workspaceRoutes().filter(({ method, path }) => method === "GET" && !path.endsWith("/live"))) {
    const path = filled(route, (name) =>
      name === "slug" ? here.workspace.slug : name === "project" ? "web" : name === "issue" ? "WEB-1" : "x",
    );
    for (const query of route.path.includes("/:") ? queries.slice(0, 4) : queries) {
      const text = (await visitor.get(`${path}?${query}`)).text.replaceAll(/value="[^"]*"|<title>.*?<\/title>/g, "");
      const found = marks.filter((mark) => new RegExp(`${mark}(?![^<]*(?:&cursor|type=))`).test(text));
      if (found.length > 0 && !query.includes(found[0]!)) wrong.push(`${path}?${query} shows ${found}`);
    }
  }
  for (const path of [`${at}/p/secret`, `${at}/p/secret/list`, `${at}/p/SECRET/SECRET-1`])
    expect((await visitor.get(path)).status).toBe(404);
  expect(wrong).toEqual([]);
});
