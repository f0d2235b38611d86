import { describe, expect, test } from "vitest";
import { refusalPage } from "../../src/api/pages/site/refusal-page.ts";
import { Refusal } from "../../src/domain/kernel/errors.ts";
import { startWeb } from "../../src/start-web.ts";
import { Browser, browser, type Page } from "../support/browser.ts";
import { world } from "../support/world.ts";

test("a workspace's page is for its members", async () => {
  const { app, owner, workspace, other } = await world();
  const visitor = await browser(app, owner.userId);
  const page = await visitor.get(`/w/${workspace.slug}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`Workspace ${workspace.slug}`);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");

  const elsewhere = await other();
  expect((await visitor.get(`/w/${elsewhere.workspace.slug}`)).status).toBe(404);
});

test("a visitor who is not signed in is asked to sign in", async () => {
  const { app, workspace } = await world();
  const nobody = await browser(app);
  const page = await nobody.get(`/w/${workspace.slug}?x=1`);
  expect(page.status).toBe(303);
  expect(page.headers.get("location")).toBe(`/sign-in?return_to=${encodeURIComponent(`/w/${workspace.slug}?x=1`)}`);
});

test("an ended session gives no access", async () => {
  const { app, owner, workspace, sql } = await world();
  const visitor = await browser(app, owner.userId);
  await sql(`update session set expires_at = now() - interval '1 second' where user_id = $1`, [owner.userId]);
  expect((await visitor.get(`/w/${workspace.slug}`)).status).toBe(303);
});

test("people change their name, which takes effect at once, and sign out everywhere", async () => {
  const { app, owner, workspace } = await world();
  const visitor = await browser(app, owner.userId);
  const elsewhere = await browser(app, owner.userId);
  expect((await visitor.get(`/w/${workspace.slug}`)).text).toContain('href="/account"');
  const page = await visitor.get("/account");
  expect(page.text).toContain(owner.email);
  expect(page.text).toContain('value="Olive Owner"');
  for (const name of ["", "   ", "x".repeat(101)]) {
    const refused = await visitor.post("/account", { your_name: name });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("Your name must have 1 to 100 characters");
  }
  await owner.get("/v1/me").expect(200);
  const changed = await visitor.follow(await visitor.post("/account", { your_name: " Olivia & <i>Co</i> " }));
  expect(changed.text).toContain("Your name is changed");
  expect(changed.text).not.toContain("<i>Co");
  expect((await owner.get("/v1/me").expect(200)).data.user.name).toBe("Olivia & <i>Co</i>");
  expect((await visitor.post("/account", { your_name: "Eve" }, { origin: "https://evil.test" })).status).toBe(403);
  expect((await (await browser(app)).post("/account", { your_name: "Eve" })).status).toBe(303);
  expect((await owner.get("/v1/me").expect(200)).data.user.name).toBe("Olivia & <i>Co</i>");

  await visitor.post("/sign-out", { everywhere: "yes" });
  expect((await elsewhere.get("/account")).headers.get("location")).toBe("/sign-in?return_to=%2Faccount");
});

test("hostile paths and forms get an error page and change nothing", async () => {
  const { app, owner, workspace, sql } = await world();
  const visitor = await browser(app, owner.userId);
  for (const path of ["/w/%00", `/w/${workspace.slug}%00/members`, "/w/%ff", `/w/${"x".repeat(5_000)}`]) {
    expect((await visitor.get(path)).status, path.slice(0, 30)).toBeGreaterThanOrEqual(400);
    expect((await visitor.get(path)).status, path.slice(0, 30)).toBeLessThan(500);
  }
  const developer = `/w/${workspace.slug}/developer`;
  for (const days of ["1e9", "1e300", "abc", "-1", "", "0.5", "31"]) {
    const refused = await visitor.post(`${developer}/tokens`, { name: "mine", bundle: "read", days });
    expect(refused.status, days).toBe(400);
  }
  expect((await visitor.post(`${developer}/tokens/%00/revoke`)).status).toBe(404);
  const tokens = await sql(`select 1 from api_key where user_id = $1 and kind = 'personal'`, [owner.userId]);
  expect(tokens).toEqual([]);
});

test("a token is shown once, works, and ends when it is revoked", async () => {
  const { app, owner, workspace, nobody } = await world();
  const visitor = await browser(app, owner.userId);
  const developer = `/w/${workspace.slug}/developer`;
  const made = await visitor.post(`${developer}/tokens`, { name: "<b>mine</b>", bundle: "write", days: "30" });
  expect(made.status).toBe(200);
  expect(made.text).not.toContain("<b>mine");
  const secret = /pat_\w+/.exec(made.text)![0];
  const headers = { authorization: `Bearer ${secret}` };
  const { data } = await nobody.get("/v1/me", { headers }).expect(200);
  expect(data).toMatchObject({ kind: "personal", scopes: ["write"] });
  expect(Date.parse(data.expiresAt)).toBeGreaterThan(Date.now() + 29 * 86_400_000);

  const again = await visitor.get(developer);
  expect(again.text).not.toContain(secret);
  expect((await visitor.post(`${developer}/tokens/${data.keyId}/revoke`)).status).toBe(303);
  await nobody.get("/v1/me", { headers }).expect(401);
});

test.each(["tokens", "keys"] as const)("a form for %s that is sent again creates no second one", async (what) => {
  const { app, owner, workspace, sql } = await world();
  const visitor = await browser(app, owner.userId);
  const developer = `/w/${workspace.slug}/developer`;
  const named = (name: string) =>
    sql(`select 1 from api_key where workspace_id = $1 and name = $2`, [workspace.id, name]);
  const ids = [...(await visitor.get(developer)).text.matchAll(/name="once" value="([\w-]+)"/g)].map(([, id]) => id!);
  expect(new Set(ids).size).toBe(2);
  const form = { once: ids[0]!, name: "mine", bundle: "write", days: "30" };
  const sent = await Promise.all([1, 2, 3, 4].map(() => visitor.post(`${developer}/${what}`, form)));
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  const repeat = await visitor.post(`${developer}/${what}`, form);
  expect(repeat.status).toBe(409);
  expect(repeat.text).toContain("already sent");
  expect(repeat.text).not.toMatch(/class="secret"/);
  expect(await named("mine")).toHaveLength(1);
  // Gone back to, and filled in for another one.
  expect((await visitor.post(`${developer}/${what}`, { ...form, name: "other" })).status).toBe(200);
  // A refusal leaves nothing behind, so that the mended form counts as its first sending.
  const wrong = await visitor.post(`${developer}/${what}`, { ...form, once: ids[1]!, scopes: "nonsense" });
  expect(wrong.status).toBe(400);
  expect((await visitor.post(`${developer}/${what}`, { ...form, once: ids[1]! })).status).toBe(200);
  expect(await named("mine")).toHaveLength(2);
});

test("a rejected form for a key keeps its values for correction", async () => {
  const { app, owner, workspace } = await world();
  const visitor = await browser(app, owner.userId);
  const form = {
    name: "my <script>",
    bundle: "write",
    days: "365",
    scopes: "issues:write nonsense",
    agent_name: "Bot",
  };
  const page = await visitor.post(`/w/${workspace.slug}/developer/keys`, form);
  expect(page.status).toBe(400);
  const at = page.text.indexOf("New key") - 50;
  const last = page.text.slice(at);
  expect(page.text.slice(0, at)).not.toContain("my &lt;script");
  expect(last).toContain("<details open><summary>New key");
  for (const kept of [
    'value="my &lt;script&gt;"',
    'value="365" selected',
    'value="write" id="key-write" checked',
    "issues:write nonsense",
    'value="Bot"',
  ]) {
    expect(last).toContain(kept);
  }
  expect(last).toContain('aria-invalid="true" aria-describedby="problem key-scopes-hint"');
});

test("a session lasts while it is used, up to a maximum", async () => {
  const { app, owner, workspace, sql } = await world();
  const visitor = await browser(app, owner.userId);
  const aged = (days: number) =>
    sql(
      `update session set created_at = now() - $2 * interval '1 day', last_seen_at = now() - interval '1 day'
       where user_id = $1`,
      [owner.userId, days],
    );
  const daysLeft = async () => {
    await visitor.get(`/w/${workspace.slug}`);
    const [row] = await sql<{ days: number }>(
      `select round(extract(epoch from expires_at - now()) / 86400)::int as days from session where user_id = $1`,
      [owner.userId],
    );
    return row!.days;
  };
  await aged(10);
  expect(await daysLeft()).toBe(30);
  await aged(175);
  expect(await daysLeft()).toBe(5);
});

describe("what goes wrong", () => {
  const expectPage = (page: Page, status: number, words: string) => {
    expect(page.status, page.text).toBe(status);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.text).toContain(words);
  };
  const typeOf = (page: Page) => `${page.status} ${page.headers.get("content-type")}`;

  test("is a page for people and JSON for programs", async () => {
    const { app } = await world();
    const visitor = await browser(app);
    expectPage(await visitor.get("/nothing/<b>"), 404, "There is nothing at");
    expect((await visitor.get("/nothing/<b>")).text).not.toContain("<b>");
    expect((await visitor.get("/nothing/<b>")).text).not.toContain("llms.txt");
    const wrong = await visitor.post("/docs");
    expectPage(wrong, 405, "Its methods are GET, HEAD, OPTIONS.");
    expect(wrong.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    // As browsers ask.
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
    expectPage(await visitor.get("/nothing", { accept }), 404, "Not found");

    const json = "404 application/problem+json; charset=utf-8";
    for (const given of ["*/*", "application/json", "application/problem+json", "application/json, text/html;q=0.9"]) {
      const page = await visitor.get("/nothing", { accept: given });
      expect(typeOf(page), given).toBe(json);
      expect(JSON.parse(page.text).code).toBe("not_found");
      expect(page.headers.get("vary")).toContain("Accept");
    }
    for (const path of [
      "/v1/nothing",
      "/api/v1/nothing",
      "/api/nothing",
      "/.well-known/nothing",
      "/docs/assets/no.js",
    ]) {
      expect(typeOf(await visitor.get(path)), path).toBe(json);
    }
  });

  test("has ways on", async () => {
    const { app, owner, other } = await world();
    const visitor = await browser(app, owner.userId);
    const stranger = await visitor.get(`/w/${(await other()).workspace.slug}`);
    expectPage(stranger, 404, `you are not in it as ${owner.email}`);
    for (const link of ['href="/w"', 'href="/account"']) expect(stranger.text).toContain(link);
    const nobody = await (await browser(app)).get("/nothing");
    expect(nobody.text).toContain('href="/">Home page');
    const foreign = await visitor.post("/account", { your_name: "Eve" }, { origin: "https://evil.test" });
    expectPage(foreign, 403, "Open the page again and send the form from there");
    expect(foreign.text).toContain("Nothing was changed.");
  });

  test("speaks of people and pages, not of keys and calls", async () => {
    const { app, owner, as, workspace } = await world();
    const viewer = await browser(app, (await as({ role: "viewer" })).userId);
    const purchase = await viewer.get(`/w/${workspace.slug}/billing/purchases/none`);
    expectPage(purchase, 403, "Your role in this workspace does not allow this");
    expect(purchase.text).not.toContain("key");

    const admin = await browser(app, owner.userId);
    const invite = await admin.post(`/w/${workspace.slug}/invites`, { email: owner.email, role: "member" });
    expect(invite.text).toContain("Change their role in the list.");
    expect(invite.text).not.toContain("PATCH");

    const consent = await admin.get("/oauth/consent/none");
    expectPage(consent, 404, "Start again from the program");
    expect(consent.text).not.toContain("Check the address");
  });

  test("such as too many requests, says when to come back and offers to try again", () => {
    const refusal = new Refusal("rate_limited", { message: "Too many.", headers: { "Retry-After": "30" } });
    const request = { method: "GET", url: "/w/new", state: { requestId: "req-1" } };
    const about = { refusal, request, visitor: null };
    const page = refusalPage(about).body.toString();
    expect(page).toContain("It works again in 30 seconds.");
    expect(page.replaceAll("&#x2F;", "/")).toContain('href="/w/new">Try again');
    const form = { ...about, request: { ...request, method: "POST" } };
    expect(refusalPage(form).body.toString()).not.toContain("Try again");
    const broken = refusalPage({ ...about, refusal: new Refusal("internal_error") }).body.toString();
    expect(broken).toContain("<code>req-1</code>");
  });

  test("such as an unavailable Postgres, is also shown as a page", async () => {
    const { config } = (await world()).app;
    const web = await startWeb({
      ...config,
      DATABASE_URL: "postgres://muster@127.0.0.1:9/nowhere",
      LOG_LEVEL: "silent",
    });
    try {
      const visitor = new Browser(`http://127.0.0.1:${web.port}`);
      const page = await visitor.get("/invite?token=x", { "x-request-id": "req-1" });
      expectPage(page, 503, "reload the page");
      expect(page.text).toContain("<code>req-1</code>");
      expect(page.headers.get("retry-after")).toBe("2");
      expect((await visitor.get("/invite?token=x", { accept: "*/*" })).text).toContain('"code":"unavailable"');
    } finally {
      await web.stop();
    }
  });
});
