import { request as rawRequest } from "node:http";
import { expect, test } from "vitest";
import { type Browser, browser } from "../support/browser.ts";
import {
  answerConsent,
  authorizePath,
  connect,
  consent,
  exchange,
  me,
  newClient,
  newCode,
  openConsent,
  post,
  REDIRECT,
  refresh,
  servePublicly,
  verifierOf,
} from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

const baseUrl = await servePublicly();

/** Where an authorization request is sent without asking anybody: an error for the client. */
async function errorOf(here: World, path: string): Promise<Record<string, string>> {
  const reply = await (await browser(here.app, here.owner.userId)).get(path);
  expect(reply.status, reply.text).toBe(303);
  const back = new URL(reply.headers.get("location")!);
  expect(back.origin + back.pathname).toBe(REDIRECT);
  // What asked for a token at once hears about it behind the #, as it would have got that.
  return Object.fromEntries(new URLSearchParams(back.search || back.hash.slice(1)));
}

test.each([
  ["no challenge", { code_challenge: "", code_challenge_method: "" }, "invalid_request"],
  ["plain", { code_challenge_method: "plain" }, "invalid_request"],
  ["no method, which would mean plain", { code_challenge_method: "" }, "invalid_request"],
  ["an invalid challenge", { code_challenge: "short" }, "invalid_request"],
  ["an unknown scope", { scope: "read launch:missiles" }, "invalid_scope"],
  ["a scope it did not register", { scope: "admin" }, "invalid_scope"],
  ["a foreign resource", { resource: "https://other.example/" }, "invalid_target"],
  ["a relative resource", { resource: "/v1" }, "invalid_target"],
  ["another response type", { response_type: "token" }, "unsupported_response_type"],
  ["an unknown response mode", { response_mode: "pigeon" }, "unsupported_response_mode"],
  ["no page allowed", { prompt: "none" }, "login_required"],
  ["an unknown prompt", { prompt: "dance" }, "invalid_request"],
  ["a request object", { request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported"],
])("a request with %s goes back with the error, state and iss", async (_name, change, error) => {
  const here = await world();
  const url = new URL(authorizePath({ clientId: await newClient(here) }), baseUrl);
  for (const [name, value] of Object.entries(change)) {
    if (value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  expect(await errorOf(here, url.pathname + url.search)).toMatchObject({ error, state: "the-state", iss: baseUrl });
});

test("a program that a person has not approved cannot redirect them without consent", async () => {
  const here = await world();
  const redirectUri = "https://robot.example/cb";
  const clientId = await newClient(here, { redirect_uris: [redirectUri, REDIRECT, "cursor://localhost/cb"] });
  const maker = await here.as({ role: "member" });
  const [nobody, owner] = [await browser(here.app), await browser(here.app, here.owner.userId)];
  const wrong = (uri: string, more: Record<string, string>, who = nobody) =>
    who.get(authorizePath({ clientId, redirectUri: uri, more }));
  const wrongs: Record<string, string>[] = [
    { prompt: "none" },
    { scope: "launch:missiles" },
    { response_type: "token" },
    { response_mode: "form_post", prompt: "none" },
    { response_mode: "form_post" },
    { code_challenge_method: "plain" },
  ];
  const stays = async (who: Browser, uri: string, more: Record<string, string>) => {
    const page = await wrong(uri, more, who);
    expect([more, page.status, page.headers.get("location")]).toEqual([more, 400, null]);
    expect(page.text).toContain("The program's request ended with");
    expect(page.text).not.toContain("robot.example");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
  };
  // Its creator approves it only for themselves, not for others, even in the same workspace.
  for (const approved of [false, true]) {
    if (approved) await connect(here, maker.userId, { clientId, redirectUri });
    for (const more of wrongs) {
      for (const who of [nobody, owner]) {
        for (const uri of [redirectUri, "cursor://localhost/cb"]) await stays(who, uri, more);
        expect((await wrong(REDIRECT, more, who)).text).not.toContain("The program's request ended with");
      }
    }
  }

  const back = await consent(here, here.owner.userId, { clientId, redirectUri, scope: "read" }, { decision: "deny" });
  expect([back.host, back.searchParams.get("error")]).toEqual(["robot.example", "access_denied"]);
  await stays(owner, redirectUri, { prompt: "none" });
  const { refresh_token: token } = await connect(here, here.owner.userId, { clientId, redirectUri });
  const known = await wrong(redirectUri, { prompt: "none" }, owner);
  expect([known.status, new URL(known.headers.get("location")!).host]).toEqual([303, "robot.example"]);
  await stays(nobody, redirectUri, { prompt: "none" });
  await post(here, "revoke", { token, client_id: clientId });
  await stays(owner, redirectUri, { prompt: "none" });
});

test("parameters sent twice are refused", async () => {
  const here = await world();
  const path = authorizePath({ clientId: await newClient(here), scope: "read" });
  expect(await errorOf(here, `${path}&scope=write`)).toMatchObject({ error: "invalid_request", iss: baseUrl });
  const twice = await (await browser(here.app)).get(`${path}&redirect_uri=https://evil.example/`);
  expect([twice.status, twice.headers.get("location")]).toEqual([400, null]);
});

test("there is no redirect to an unregistered address or for an unknown client", async () => {
  const here = await world();
  const clientId = await newClient(here);
  const nobody = await browser(here.app);
  for (const [path, status] of [
    [authorizePath({ clientId, redirectUri: "https://evil.example/" }), 400],
    [authorizePath({ clientId, redirectUri: "http://127.0.0.1:7777/other" }), 400],
    [authorizePath({ clientId, redirectUri: "http://127.0.0.1.evil.example:7777/callback" }), 400],
    [authorizePath({ clientId, redirectUri: "http://user@127.0.0.1:7777/callback" }), 400],
    [authorizePath({ clientId, redirectUri: "" }), 400],
    [authorizePath({ clientId: "nobody" }), 400],
    [authorizePath({ clientId: "" }), 400],
    [authorizePath({ clientId: "a\u0000b" }), 400],
    ["/api/oauth/authorize", 400],
    [authorizePath({ clientId, redirectUri: "https://evil.example/", more: { prompt: "none" } }), 400],
    [authorizePath({ clientId, redirectUri: "https://evil.example/", scope: "admin" }), 400],
  ] as const) {
    const page = await nobody.get(path);
    expect([path, page.status, page.headers.get("location")]).toEqual([path, status, null]);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(page.headers.get("cache-control")).toBe("no-store");
  }
  const page = await nobody.get(authorizePath({ clientId: "<script>alert(1)</script>" }));
  expect(page.text).not.toContain("<script>");
});

test("a loopback address may have any port", async () => {
  const here = await world();
  const { code, ...rest } = await newCode(here, here.owner.userId, { redirectUri: "http://127.0.0.1:50123/callback" });
  expect((await exchange(here, { code, ...rest })).status).toBe(200);
});

test("a forged Host changes neither addresses nor cookies", async () => {
  const here = await world();
  const { hostname, port } = new URL(here.app.baseUrl);
  const path = authorizePath({ clientId: await newClient(here) });
  for (const [target, headers] of [
    [path, { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" }],
    [`http://evil.example${path}`, { host: "evil.example" }],
  ] as const) {
    const sent = await new Promise<Record<string, string | string[] | undefined>>((resolve, reject) => {
      const request = rawRequest({ hostname, port, path: target, headers }, (response) => {
        response.resume();
        resolve(response.headers);
      });
      request.on("error", reject);
      request.end();
    });
    expect(JSON.stringify(sent)).not.toContain("evil");
    const uid = /^\/oauth\/consent\/([\w-]{43})$/.exec(String(sent.location))![1]!;
    const [row] = await here.sql<{ payload_sealed: string }>(
      "select payload_sealed from oauth_record where model = 'Interaction' order by created_at desc limit 1",
    );
    const interaction = JSON.parse(here.app.resources.ports.sealer.open(row!.payload_sealed));
    expect(interaction.returnTo).toBe(`${baseUrl}/api/oauth/authorize/${uid}`);
  }
});

test("cookies are sent only to this request's pages, and scripts cannot read them", async () => {
  const here = await world();
  const reply = await fetch(here.app.baseUrl + authorizePath({ clientId: await newClient(here) }), {
    redirect: "manual",
  });
  const cookies = reply.headers.getSetCookie();
  expect(cookies.map((cookie) => /^[^=]+/.exec(cookie)![0]).sort()).toEqual([
    "muster_consent",
    "muster_consent.sig",
    "muster_consent_resume",
    "muster_consent_resume.sig",
  ]);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; path=\/(oauth\/consent|api\/oauth\/authorize)\/[\w-]{43};/);
    expect(cookie.toLowerCase()).toMatch(/samesite=lax/);
    expect(cookie.toLowerCase()).toMatch(/httponly/);
  }
});

test("a visitor who is not signed in signs in and returns to the request", async () => {
  const here = await world();
  const nobody = await browser(here.app);
  const { page, path } = await openConsent(nobody, authorizePath({ clientId: await newClient(here), scope: "read" }));
  expect(page.status).toBe(303);
  expect(page.headers.get("location")).toBe(`/sign-in?return_to=${encodeURIComponent(path)}`);

  // What sign-in does: the same browser gets a session, and goes where it was going.
  const signedIn = await browser(here.app, here.owner.userId);
  for (const [name, value] of signedIn.cookies) nobody.cookies.set(name, value);
  expect((await nobody.get(path)).text).toContain("Approve");
  const back = await answerConsent(nobody, path, here, { scope: ["read"] });
  expect(back.searchParams.get("code")).toBeTruthy();
});

test("the page shows the client, its scopes and the redirect; it cannot be framed and is not cached", async () => {
  const here = await world();
  const clientId = await newClient(here, {
    client_name: "<b>Robot</b>",
    workspace: here.workspace.slug,
    scope: "admin",
  });
  const visitor = await browser(here.app, here.owner.userId);
  const { page } = await openConsent(visitor, authorizePath({ clientId, scope: "admin" }));
  expect(page.status).toBe(200);
  expect(page.text).toContain("<strong>&lt;b&gt;Robot&lt;");
  for (const part of ["attachments", "saved views", "API keys", "webhooks", "Buy AI credits", "Administer projects"]) {
    expect(page.text).toContain(part);
  }
  for (const part of ["127.0.0.1:7777", here.owner.email, `Workspace ${here.workspace.slug}`, "has not verified"]) {
    expect(page.text).toContain(part);
  }
  expect(page.text).toMatch(/value="read" checked/);
  expect(page.text).toMatch(/value="write" checked/);
  expect(page.text).toMatch(/value="admin" aria-describedby="why-admin">/);
  expect(page.text.match(/Tick it only if you trust the program/g)).toHaveLength(1);
  const policy = page.headers.get("content-security-policy")!;
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("form-action");
  expect(page.headers.get("cache-control")).toBe("no-store");
});

const ADMIN = ["api_keys:write", "members:write", "webhooks:write", "oauth_apps:write", "workspaces:write"];

test("permissions are short lines in groups, and long lists are folded", async () => {
  const here = await world();
  const fine = ["issues:write", "comments:write", "docs:write", "labels:write", "goals:write", "issues:read", ...ADMIN];
  const clientId = await newClient(here, { scope: fine.join(" ") });
  const visitor = await browser(here.app, here.owner.userId);
  const { page } = await openConsent(visitor, authorizePath({ clientId, scope: fine.join(" ") }));
  const groups = new Map(
    [...page.text.matchAll(/<fieldset>\s*<legend>([^<]*)<\/legend>([\s\S]*?)<\/fieldset>/g)].map(([, name, boxes]) => [
      name,
      [...boxes!.matchAll(/name="scope" value="([^"]*)"/g)].map(([, scope]) => scope),
    ]),
  );
  expect(Object.fromEntries(groups)).toEqual({
    See: ["issues:read"],
    Change: ["issues:write", "comments:write", "docs:write", "labels:write", "goals:write"],
    "Money and administration": ADMIN,
  });
  // What is folded is ticked, too. Administration is always seen.
  expect(page.text).toMatch(/<details><summary>1 more, 1 of them ticked<\/summary>[\s\S]*value="goals:write" checked/);
  expect(page.text.match(/ more, /g)).toHaveLength(1);
  for (const [, label] of page.text.matchAll(/<label for="scope-[^"]*">([^<]*) <code>/g))
    expect(label!.length, label).toBeLessThan(50);
  // Who, where, and until when.
  const until = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10);
  expect(page.text).toContain(`This lasts until <time datetime="${until}`);
  expect(page.text).toContain("It sees no other workspace.");
});

test("a bundle says in a list what it includes", async () => {
  const here = await world();
  const clientId = await newClient(here, { scope: "admin" });
  const visitor = await browser(here.app, here.owner.userId);
  const { page } = await openConsent(visitor, authorizePath({ clientId, scope: "admin" }));
  for (const [scope, line] of [
    ["read", "See issues"],
    ["write", "Create and change issues"],
    ["admin", "Create and change API keys"],
  ]) {
    const list = new RegExp(`<summary>What ${scope} includes[\\s\\S]*?</ul>`).exec(page.text)![0];
    expect(list, scope).toContain(`<li>${line}</li>`);
  }
  for (const [, line] of page.text.matchAll(/<li>([^<]*)<\/li>/g)) expect(line!.length, line).toBeLessThan(60);
});

test("Deny returns access_denied and creates no grant", async () => {
  const here = await world();
  const clientId = await newClient(here);
  const back = await consent(here, here.owner.userId, { clientId, scope: "read" }, { decision: "deny" });
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    error: "access_denied",
    state: "the-state",
    iss: baseUrl,
  });
  expect(await here.sql("select 1 from api_key where client_id = $1", [clientId])).toEqual([]);
  expect(await here.sql("select approved_at from oauth_client where id = $1", [clientId])).toEqual([
    { approved_at: null },
  ]);
});

test("a form of another site cannot answer the request", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const { path } = await openConsent(visitor, authorizePath({ clientId: await newClient(here), scope: "read" }));
  const fields = { decision: "approve", scope: "read", workspace: here.workspace.slug };
  const forged = await visitor.post(path, fields, { origin: "https://evil.example" });
  expect(forged.status).toBe(403);
  expect(
    await here.sql("select 1 from api_key where kind = 'oauth' and workspace_id = $1", [here.workspace.id]),
  ).toEqual([]);
});

test("a person can grant fewer scopes than requested, but not more", async () => {
  const here = await world();
  const less = await connect(here, here.owner.userId, { scope: "read write" }, { scope: ["read"] });
  expect(less.scope).toBe("read");
  expect((await me(here, less.access_token)).body.data.scopes).toEqual(["read"]);
  const more = await connect(here, here.owner.userId, { scope: "read" }, { scope: ["read", "write", "admin"] });
  expect(more.scope).toBe("read");
  const smaller = await connect(here, here.owner.userId, { scope: "write" }, { scope: ["read"] });
  expect(smaller.scope).toBe("read");
  const fine = await connect(here, here.owner.userId, { scope: "issues:write docs:read" }, { scope: ["issues:write"] });
  expect(fine.scope).toBe("issues:write");
  const unasked = await connect(
    here,
    here.owner.userId,
    { clientId: await newClient(here, { scope: "read write" }) },
    {},
  );
  expect(unasked.scope).toBe("read write");
});

test("a client that named no scopes gets read unless it asks, and is never given admin", async () => {
  const here = await world();
  const clientId = await newClient(here, { scope: undefined });
  const visitor = await browser(here.app, here.owner.userId);
  const { page } = await openConsent(visitor, authorizePath({ clientId }));
  expect(page.text).toContain('value="read"');
  expect(page.text).not.toContain('value="write"');
  expect((await connect(here, here.owner.userId, { clientId, scope: "read write" })).scope).toBe("read write");
  expect(await errorOf(here, authorizePath({ clientId, scope: "admin" }))).toMatchObject({ error: "invalid_scope" });
});

test("no one can grant more than their role allows", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const clientId = await newClient(here, { scope: "admin" });
  const visitor = await browser(here.app, member.userId);
  const { page, path } = await openConsent(visitor, authorizePath({ clientId, scope: "admin" }));
  expect(page.text).toMatch(/value="admin" disabled/);
  const fields = { decision: "approve", scope: ["read", "write", "admin"], workspace: here.workspace.slug };
  const refused = await visitor.post(path, fields);
  expect([refused.status, refused.text.includes('role="alert"')]).toEqual([403, true]);
  // The request is still there to be answered.
  const back = await answerConsent(visitor, path, here, { scope: ["write"] });
  expect(back.searchParams.get("code")).toBeTruthy();
});

test("a person chooses among their own workspaces; the one that the client named is proposed", async () => {
  const here = await world();
  const there = await here.other();
  const foreign = await here.other();
  await here.sql("insert into member (workspace_id, user_id, role, joined_at) values ($1, $2, 'member', now())", [
    there.workspace.id,
    here.owner.userId,
  ]);
  const clientId = await newClient(here, { workspace: there.workspace.slug });
  const visitor = await browser(here.app, here.owner.userId);
  const { page, path } = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
  expect(page.text).toContain(`name="workspace" value="${there.workspace.slug}"`);
  const other = await visitor.get(`${path}?workspace=${here.workspace.slug}`);
  expect(other.text).toContain(`name="workspace" value="${here.workspace.slug}"`);
  // A workspace of others is neither shown nor taken.
  expect((await visitor.get(`${path}?workspace=${foreign.workspace.slug}`)).text).not.toContain(foreign.workspace.slug);
  const fields = { decision: "approve", scope: "read", workspace: foreign.workspace.slug };
  expect((await visitor.post(path, fields)).text).toContain("Choose one of your workspaces");
  const verifier = verifierOf();
  const tokens = await connect(here, here.owner.userId, { clientId, verifier, scope: "read" });
  expect((await me(here, tokens.access_token)).body.data.workspaceSlug).toBe(here.workspace.slug);
});

test("guests cannot connect agents, and are told so", async () => {
  const here = await world();
  const guest = await here.as({ role: "guest" });
  const visitor = await browser(here.app, guest.userId);
  const { page, path } = await openConsent(visitor, authorizePath({ clientId: await newClient(here), scope: "read" }));
  expect(page.text).toContain("only a guest");
  const fields = { decision: "approve", scope: "read", workspace: here.workspace.slug };
  expect((await visitor.post(path, fields)).text).toContain("Guests cannot connect agents");
  const back = await answerConsent(visitor, path, here, { decision: "deny" });
  expect(back.searchParams.get("error")).toBe("access_denied");
});

test("a request can be answered once", async () => {
  const here = await world();
  const clientId = await newClient(here);
  const visitor = await browser(here.app, here.owner.userId);
  const { path } = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
  const fields = { decision: "approve", scope: "read", workspace: here.workspace.slug };
  const sent = await Promise.all(Array.from({ length: 6 }, () => visitor.post(path, fields)));
  expect(new Set(sent.map(({ status, headers }) => `${status} ${headers.get("location")}`)).size).toBe(1);
  expect(sent[0]!.status).toBe(303);
  // Even for a person who only views the page again.
  expect((await visitor.get(path)).headers.get("location")).toBe(sent[0]!.headers.get("location"));
  expect(await here.sql("select 1 from api_key where client_id = $1", [clientId])).toHaveLength(1);
  const back = new URL((await visitor.follow(sent[0]!)).headers.get("location")!);
  expect(back.searchParams.get("code")).toBeTruthy();
  expect((await visitor.get(path)).status).toBe(404);
  expect((await visitor.post(path, fields)).status).toBe(404);
});

test("Deny after an Approve that the program has not received ends the grant", async () => {
  const here = await world();
  const clientId = await newClient(here);
  const visitor = await browser(here.app, here.owner.userId);
  const { path } = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
  const fields = { scope: "read", workspace: here.workspace.slug };
  expect((await visitor.post(path, { ...fields, decision: "approve" })).status).toBe(303);
  const back = await answerConsent(visitor, path, here, { decision: "deny" });
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: "access_denied", state: "the-state" });
  expect(back.searchParams.get("code")).toBeNull();
  expect(await here.sql("select revoke_reason from api_key where client_id = $1", [clientId])).toEqual([
    { revoke_reason: "user" },
  ]);
  const [event] = await here.sql("select actor_id from event where workspace_id = $1 and type = 'agent.revoked'", [
    here.workspace.id,
  ]);
  expect(event).toEqual({ actor_id: here.owner.userId });
  // A Deny is final.
  const other = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
  await visitor.post(other.path, { ...fields, decision: "deny" });
  const denied = await answerConsent(visitor, other.path, here, { scope: ["read"] });
  expect(denied.searchParams.get("error")).toBe("access_denied");
  expect(await here.sql("select 1 from api_key where client_id = $1", [clientId])).toHaveLength(1);
});

test("of a concurrent Approve and Deny one counts, and only Approve leaves a grant", async () => {
  const here = await world();
  const clientId = await newClient(here);
  const visitor = await browser(here.app, here.owner.userId);
  for (let round = 0; round < 8; round++) {
    const { path } = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
    const fields = { scope: "read", workspace: here.workspace.slug };
    const sent = await Promise.all(
      ["approve", "deny", "approve"].map((decision) => visitor.post(path, { ...fields, decision })),
    );
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303]);
    const back = new URL((await visitor.follow(sent[0]!)).headers.get("location")!);
    // Whichever came first, Deny counts.
    expect(back.searchParams.get("error")).toBe("access_denied");
    expect(await here.sql("select 1 from api_key where client_id = $1 and revoked_at is null", [clientId])).toEqual([]);
  }
});

test("a request opened in another browser starts again there, and the first browser gains nothing", async () => {
  const here = await world();
  const clientId = await newClient(here);
  const first = await browser(here.app);
  const { path } = await openConsent(first, authorizePath({ clientId, scope: "read", state: "mine" }));
  const second = await browser(here.app, here.owner.userId);
  const again = await second.get(path);
  expect(again.status).toBe(303);
  const restarted = await openConsent(second, again.headers.get("location")!);
  expect(restarted.path).not.toBe(path);
  const fields = { decision: "approve", scope: "read", workspace: here.workspace.slug };
  // A form for the first browser's request is nothing in the second.
  expect((await second.post(path, fields)).status).toBe(404);
  const back = await answerConsent(second, restarted.path, here, { scope: ["read"] });
  expect(back.searchParams.get("state")).toBe("mine");
  expect((await first.get(path)).headers.get("location")).toContain("/sign-in");
  expect((await second.get(`/oauth/consent/${"x".repeat(43)}`)).status).toBe(404);
});

test("signing out ends the authorization request in that browser", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const { path } = await openConsent(visitor, authorizePath({ clientId: await newClient(here), scope: "read" }));
  await here.sql("delete from session where user_id = $1", [here.owner.userId]);
  const fields = { decision: "approve", scope: "read", workspace: here.workspace.slug };
  const sent = await visitor.post(path, fields);
  expect(sent.headers.get("location")).toContain("/sign-in");
  expect(
    await here.sql("select 1 from api_key where kind = 'oauth' and workspace_id = $1", [here.workspace.id]),
  ).toEqual([]);
});

test("the token endpoint accepts a code only from the client that it was issued to", async () => {
  const here = await world();
  const other = await newClient(here);
  const wrongs: [string, (code: Awaited<ReturnType<typeof newCode>>) => object][] = [
    ["another verifier", () => ({ code_verifier: verifierOf() })],
    ["a malformed verifier", () => ({ code_verifier: "x" })],
    ["no verifier", () => ({ code_verifier: "" })],
    ["another redirect", () => ({ redirect_uri: "http://127.0.0.1:7777/other" })],
    ["another port", () => ({ redirect_uri: "http://127.0.0.1:7778/callback" })],
    ["another client", () => ({ client_id: other })],
  ];
  const code = await newCode(here, here.owner.userId);
  for (const [name, change] of wrongs) {
    const reply = await exchange(here, code, change(code));
    expect([name, reply.status]).toEqual([name, 400]);
    expect(["invalid_grant", "invalid_request"]).toContain(reply.body.error);
    expect(reply.headers.get("cache-control")).toBe("no-store");
  }
  const unknown = await exchange(here, code, { client_id: "nobody" });
  expect([unknown.status, unknown.body.error]).toEqual([401, "invalid_client"]);
  // None of that used it up.
  expect((await exchange(here, code)).status).toBe(200);
});

test("a code expires after five minutes", async () => {
  const here = await world();
  const code = await newCode(here, here.owner.userId);
  const [row] = await here.sql<{ seconds: number }>(
    `select extract(epoch from r.expires_at - r.created_at)::int as seconds from oauth_record r
     join api_key k on k.id = r.grant_id where r.model = 'AuthorizationCode' and k.workspace_id = $1`,
    [here.workspace.id],
  );
  expect(row).toEqual({ seconds: 300 });
  await here.sql("update oauth_record set expires_at = now() where model = 'AuthorizationCode'");
  expect((await exchange(here, code)).body.error).toBe("invalid_grant");
});

test("the token endpoint accepts only forms, with each parameter once", async () => {
  const here = await world();
  const code = await newCode(here, here.owner.userId);
  const json = await fetch(`${here.app.baseUrl}/api/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "authorization_code", client_id: code.clientId }),
  });
  expect([json.status, ((await json.json()) as { error: string }).error]).toEqual([400, "invalid_request"]);
  const form: [string, string][] = [
    ["grant_type", "authorization_code"],
    ["client_id", code.clientId],
    ["code", code.code],
    ["code_verifier", code.verifier],
    ["redirect_uri", code.redirect_uri],
  ];
  for (const twice of form) expect((await post(here, "token", [...form, twice])).status, twice[0]).toBe(400);
  for (const type of ["password", "client_credentials", "implicit", ""]) {
    const reply = await post(here, "token", { grant_type: type, client_id: code.clientId });
    expect([type, reply.status]).toEqual([type, 400]);
  }
  const large = await post(here, "token", {
    grant_type: "refresh_token",
    client_id: "x",
    refresh_token: "x".repeat(60_000),
  });
  expect(large.status).toBe(400);
  expect((await exchange(here, code)).status).toBe(200);
});

test("refreshing may narrow the scopes but not widen them, and only the same client may refresh", async () => {
  const here = await world();
  const { clientId, refresh_token } = await connect(
    here,
    here.owner.userId,
    { scope: "read write" },
    { scope: ["read"] },
  );
  expect((await refresh(here, clientId, refresh_token, { scope: "read write" })).body.error).toBe("invalid_scope");
  const foreign = await refresh(here, await newClient(here), refresh_token);
  expect([foreign.status, foreign.body.error]).toEqual([400, "invalid_grant"]);

  const wide = await connect(here, here.owner.userId, { scope: "read write" });
  const narrow = await refresh(here, wide.clientId, wide.refresh_token, { scope: "read" });
  expect(narrow.body.scope).toBe("read");
  expect((await me(here, narrow.body.access_token)).body.data.scopes).toEqual(["read"]);
  const issue = { headers: { authorization: `Bearer ${narrow.body.access_token}` } };
  await here.nobody
    .post(`/v1/workspaces/${here.workspace.slug}/projects/WEB/issues`, { title: "x" }, issue)
    .expect(403);
  const full = await refresh(here, wide.clientId, narrow.body.refresh_token);
  expect(full.body.scope).toBe("read write");
});

test.each(["", "/", "/v1", "/v1/", "/api/mcp/v1", "/api/mcp/v1/"])(
  "a token for %s is valid everywhere",
  async (path) => {
    const here = await world();
    const resource = baseUrl + path;
    const code = await newCode(here, here.owner.userId, { scope: "read", more: { resource } });
    const tokens = await exchange(here, code, { resource });
    expect(tokens.status, tokens.text).toBe(200);
    expect((await me(here, tokens.body.access_token)).status).toBe(200);
    const next = await refresh(here, code.clientId, tokens.body.refresh_token, { resource });
    expect(next.status, next.text).toBe(200);
  },
);

test("a token cannot be refreshed for another resource", async () => {
  const here = await world();
  const code = await newCode(here, here.owner.userId, { scope: "read", more: { resource: `${baseUrl}/v1` } });
  const reply = await exchange(here, code, { resource: "https://other.example/" });
  expect([reply.status, reply.body.error]).toEqual([400, "invalid_target"]);
});

test("a client can revoke only its own tokens, and the reply reveals nothing", async () => {
  const here = await world();
  const alive = async (token: string) => (await me(here, token)).status === 200;
  const { clientId, access_token, refresh_token } = await connect(here, here.owner.userId);
  const other = await newClient(here);
  for (const form of [
    { token: access_token, client_id: other },
    { token: refresh_token, client_id: other },
    { token: "unknown", client_id: clientId },
    { token: here.owner.key!, client_id: clientId },
  ]) {
    expect((await post(here, "revoke", form)).status).toBe(200);
    expect(await alive(access_token)).toBe(true);
  }
  expect((await post(here, "revoke", { client_id: clientId })).body.error).toBe("invalid_request");
  expect((await post(here, "revoke", { token: access_token, client_id: "nobody" })).body.error).toBe("invalid_client");
  const hinted = { token: access_token, client_id: clientId, token_type_hint: "refresh_token" };
  expect((await post(here, "revoke", hinted)).status).toBe(200);
  expect(await alive(access_token)).toBe(false);
  expect((await post(here, "revoke", hinted)).status).toBe(200);

  const dead = await here.nobody.get("/v1/me", { headers: { authorization: `Bearer ${access_token}` } }).expect(401);
  const never = await here.nobody.get("/v1/me", { headers: { authorization: "Bearer oat_x" } }).expect(401);
  expect({ ...dead.body, request_id: "" }).toEqual({ ...never.body, request_id: "" });
});
