import { expect, test } from "vitest";
import {
  authorizePath,
  connect,
  newClient,
  post,
  REDIRECT,
  refresh,
  register,
  servePublicly,
} from "../support/oauth.ts";
import { world } from "../support/world.ts";

await servePublicly({
  OAUTH_REGISTRATIONS_PER_HOUR: "20",
  OAUTH_REGISTRATIONS_PER_DAY: "3",
  OAUTH_TOKEN_REQUESTS_PER_MINUTE: "5",
  OAUTH_AUTHORIZATIONS_PER_MINUTE: "8",
  BAD_CREDENTIALS_PER_MINUTE: "30",
  TRUSTED_PROXIES: "1",
});

const GOOD = { client_name: "Robot", redirect_uris: [REDIRECT] };
let counter = 0;
/** Requests of an address of its own, as the one trusted proxy tells. */
const from = (address = `198.51.100.${++counter}`) => ({ "x-forwarded-for": address });

test("an address can register twenty clients an hour, regardless of its headers", async () => {
  const here = await world();
  const address = "203.0.113.1";
  for (let sent = 0; sent < 20; sent++) {
    expect((await register(here, GOOD, from(`10.0.0.${sent}, ${address}`))).status).toBe(201);
  }
  const reply = await register(here, GOOD, from(`10.0.1.1, ${address}`));
  expect([reply.status, reply.body.error]).toEqual([429, "registration_limited"]);
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(60);
  expect(Number(reply.headers.get("retry-after"))).toBeLessThanOrEqual(3_600);
  expect((await register(here, GOOD, from())).status).toBe(201);
});

test("only a limited number of clients a day can name the same workspace", async () => {
  const here = await world();
  const send = (workspace: string) => register(here, { ...GOOD, workspace }, from());
  for (let sent = 0; sent < 3; sent++) expect((await send(here.workspace.slug)).status).toBe(201);
  const reply = await send(here.workspace.slug.toUpperCase());
  expect([reply.status, reply.body.error]).toEqual([429, "registration_limited"]);
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(3_600);
  expect((await send("another")).status).toBe(201);
  // Strangers who use that up lock nobody out.
  expect(reply.body.error_description).toContain("register without the field workspace");
  expect((await register(here, GOOD, from())).status).toBe(201);
});

test("an agent can request tokens five times a minute", async () => {
  const here = await world();
  const clientId = await newClient(here);
  const { refresh_token } = await connect(here, here.owner.userId, { clientId }); // the first
  let token = refresh_token;
  for (let sent = 1; sent < 5; sent++) token = (await refresh(here, clientId, token)).body.refresh_token;
  const reply = await refresh(here, clientId, token);
  expect([reply.status, reply.body.error]).toEqual([429, "rate_limited"]);
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  // Nothing was used up, and others are not touched.
  const [row] = await here.sql(
    "select count(*) as n from oauth_record where model = 'RefreshToken' and consumed_at is null",
  );
  expect(row).toEqual({ n: 1 });
  const other = await newClient(here);
  expect((await refresh(here, other, "ort_x")).body.error).toBe("invalid_grant");
});

test("a stranger who names a client does not use up its limit, nor do its grants those of each other", async () => {
  const here = await world();
  const clientId = await newClient(here);
  const address = from("2001:db8:1:2::1");
  const grants = [
    await connect(here, here.owner.userId, { clientId }),
    await connect(here, here.owner.userId, { clientId }),
  ];
  const guess = (headers: Record<string, string>) =>
    post(here, "token", { grant_type: "refresh_token", client_id: clientId, refresh_token: "ort_x" }, headers);
  // Another address of the same network is the same stranger.
  for (const host of [1, 2, 3, 4, 5]) expect((await guess(from(`2001:db8:bad:2::${host}`))).status).toBe(400);
  expect((await guess(from("2001:db8:bad:2:ffff::6"))).body.error).toBe("rate_limited");
  const token = async (of: { refresh_token: string }) => {
    const form = { grant_type: "refresh_token", client_id: clientId, refresh_token: of.refresh_token };
    const reply = await post(here, "token", form, address);
    if (reply.status === 200) of.refresh_token = reply.body.refresh_token;
    return reply;
  };
  for (const grant of grants) {
    for (let sent = 1; sent < 5; sent++) expect((await token(grant)).status).toBe(200);
    expect((await token(grant)).body.error).toBe("rate_limited");
  }
  // Elsewhere, too: it is the grant that asked too often.
  const form = { grant_type: "refresh_token", client_id: clientId, refresh_token: grants[0]!.refresh_token };
  expect((await post(here, "token", form, from())).body.error).toBe("rate_limited");
});

test("an address that only guesses is slowed down", async () => {
  const here = await world();
  const headers = from("203.0.113.7");
  const guess = (n: number) =>
    post(here, "token", { grant_type: "refresh_token", client_id: `nobody-${n}`, refresh_token: "ort_x" }, headers);
  for (let sent = 0; sent < 30; sent++) expect((await guess(sent)).status).toBe(401);
  const reply = await guess(31);
  expect([reply.status, reply.body.error]).toEqual([429, "rate_limited"]);
});

test("an address can start eight authorization requests a minute", async () => {
  const here = await world();
  const clientId = await newClient(here);
  const ask = () =>
    fetch(here.app.baseUrl + authorizePath({ clientId }), { redirect: "manual", headers: from("203.0.113.9") });
  for (let sent = 0; sent < 8; sent++) expect((await ask()).status).toBe(303);
  const reply = await ask();
  expect(reply.status).toBe(429);
  expect(await reply.text()).toContain("Too many requests");
});
