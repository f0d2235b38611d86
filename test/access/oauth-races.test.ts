import { hash } from "node:crypto";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { revokeGrantsOf } from "../../src/domain/access/oauth/grants.ts";
import { looksLikeSecret } from "../../src/domain/kernel/secrets.ts";
import { systemNow, transact } from "../support/acting.ts";
import { browser } from "../support/browser.ts";
import {
  answerConsent,
  authorizePath,
  connect,
  exchange,
  me,
  newClient,
  newCode,
  openConsent,
  post,
  refresh,
  servePublicly,
  WIDE,
} from "../support/oauth.ts";
import { startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

await servePublicly();

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const live = async (here: World, token: string) => (await me(here, token)).status === 200;

/** Codes and tokens of a world's grants that somebody could still use. */
const usable = ({ sql, workspace }: World) =>
  sql<{ model: string }>(
    `select r.model from oauth_record r join api_key k on k.id = r.grant_id
     where k.workspace_id = $1 and r.consumed_at is null`,
    [workspace.id],
  );

/** Makes what was used a moment ago look as if that were past the quiet time. */
const age = ({ sql }: World, token: string) =>
  sql("update oauth_record set consumed_at = consumed_at - interval '11 seconds' where hash = $1", [
    hash("sha256", token, "buffer"),
  ]);

test("of eight exchanges of one code at once, one succeeds", async () => {
  const here = await world();
  for (let round = 0; round < 5; round++) {
    const code = await newCode(here, here.owner.userId);
    const replies = await times(8, () => exchange(here, code));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    for (const { status, body } of replies) if (status === 400) expect(body.error).toBe("invalid_grant");
  }
});

test("a code that is used again ends its grant", async () => {
  const here = await world();
  const code = await newCode(here, here.owner.userId);
  const first = await exchange(here, code);
  expect(await live(here, first.body.access_token)).toBe(true);
  const second = await exchange(here, code);
  expect([second.status, second.body.error]).toEqual([400, "invalid_grant"]);
  expect(await live(here, first.body.access_token)).toBe(false);
  expect((await refresh(here, code.clientId, first.body.refresh_token)).body.error).toBe("invalid_grant");
  const [row] = await here.sql("select revoke_reason from api_key where client_id = $1", [code.clientId]);
  expect(row).toEqual({ revoke_reason: "leaked" });
});

test("of six concurrent refreshes one succeeds, and its grant stays valid", async () => {
  const here = await world();
  for (let round = 0; round < 5; round++) {
    const { clientId, refresh_token } = await connect(here, here.owner.userId);
    const replies = await times(6, () => refresh(here, clientId, refresh_token));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(400)]);
    const winner = replies.find(({ status }) => status === 200)!.body;
    expect(await live(here, winner.access_token)).toBe(true);
    expect((await refresh(here, clientId, winner.refresh_token)).status).toBe(200);
  }
});

test("a refresh token that is used again is refused at first, and later ends the grant", async () => {
  const here = await world();
  const { clientId, refresh_token: first } = await connect(here, here.owner.userId);
  const next = (await refresh(here, clientId, first)).body;
  expect((await refresh(here, clientId, first)).body.error).toBe("invalid_grant");
  expect(await live(here, next.access_token)).toBe(true);

  await age(here, first);
  expect((await refresh(here, clientId, first)).body.error).toBe("invalid_grant");
  expect(await live(here, next.access_token)).toBe(false);
  expect((await refresh(here, clientId, next.refresh_token)).body.error).toBe("invalid_grant");
  expect(await usable(here)).toEqual([]);
});

test("revoking during refreshes, exchanges and other revocations leaves no valid token", async () => {
  const here = await world();
  const clientId = await newClient(here);
  for (let round = 0; round < 20; round++) {
    const { access_token, refresh_token } = await connect(here, here.owner.userId, { clientId });
    const replies = await Promise.all([
      refresh(here, clientId, refresh_token),
      post(here, "revoke", { token: access_token, client_id: clientId }),
      refresh(here, clientId, refresh_token),
      post(here, "revoke", { token: refresh_token, client_id: clientId }),
    ]);
    for (const { body, status } of replies) {
      expect(status).toBeLessThan(500);
      if (body?.access_token) expect(await live(here, body.access_token)).toBe(false);
    }
    expect(await usable(here)).toEqual([]);
  }
  for (let round = 0; round < 10; round++) {
    const code = await newCode(here, here.owner.userId, { clientId });
    const workspaceId = here.workspace.id;
    const [reply] = await Promise.all([
      exchange(here, code),
      transact(here.app, systemNow(here.app), workspaceId, (tx) => revokeGrantsOf(tx, workspaceId, here.owner.userId)),
    ]);
    expect(reply.status).toBeLessThan(500);
    if (reply.status === 200) expect(await live(here, reply.body.access_token)).toBe(false);
    expect(await usable(here)).toEqual([]);
  }
});

test("tokens, codes and client secrets are never in the databases or the log", async () => {
  const here = await world();
  const web = await startProcess("web", here.app.config, { ...WIDE, LOG_LEVEL: "trace" });
  try {
    const there = { ...here, app: { ...here.app, baseUrl: web.url } };
    const registered = await fetch(`${web.url}/api/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: "Secretive",
        redirect_uris: ["http://127.0.0.1:7777/callback"],
        token_endpoint_auth_method: "client_secret_post",
      }),
    }).then((reply) => reply.json());
    const { client_id, client_secret } = registered as { client_id: string; client_secret: string };
    const withSecret = await newCode(there, here.owner.userId, { clientId: client_id, scope: "read" });
    const secretly = (await exchange(there, withSecret, { client_secret })).body;

    const clientId = await newClient(there);
    const code = await newCode(there, here.owner.userId, { clientId });
    const tokens = (await exchange(there, code)).body;
    const next = (await refresh(there, clientId, tokens.refresh_token)).body;
    expect((await refresh(there, clientId, tokens.refresh_token)).status).toBe(400);
    expect((await me(there, next.access_token)).status).toBe(200);
    const unused = await newCode(there, here.owner.userId, { clientId });
    // The id of an authorization request, in its addresses, also where they are spelled otherwise or nothing answers.
    const visitor = await browser(there.app, here.owner.userId);
    const { path } = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
    const uid = path.split("/").at(-1)!;
    for (const at of [path.toUpperCase().replace(uid.toUpperCase(), uid), `${path}/`, `${path}/more`])
      await visitor.get(at);
    await visitor.post(`/api/oauth/authorize/${uid}`);
    expect((await answerConsent(visitor, path, there, { scope: ["read"] })).searchParams.get("code")).toBeTruthy();
    const secrets = [uid, client_secret, code.code, unused.code, withSecret.code, unused.verifier].concat(
      [secretly, tokens, next].flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]),
    );
    expect(secrets.every((secret) => typeof secret === "string" && secret.length > 40)).toBe(true);
    for (const token of [tokens, next]) {
      expect(looksLikeSecret(token.access_token) && looksLikeSecret(token.refresh_token)).toBe(true);
    }

    const everything = { postgres: await dumpPostgres(here), redis: await dumpRedis(here), log: web.output() };
    // The dumps hold what they should, or finding nothing in them would prove nothing.
    expect(everything.postgres).toContain(clientId);
    expect(everything.redis).toContain(clientId);
    expect(everything.log).toContain("oauth.token");
    expect(everything.log).toContain("/oauth/consent/…");
    expect(everything.log).toContain("/api/oauth/authorize/…");
    for (const [place, text] of Object.entries(everything)) {
      for (const secret of secrets) expect(text.includes(secret), `${secret} is in ${place}`).toBe(false);
    }
  } finally {
    await web.kill();
  }
});

/** Every row of every table, as text; bytes in all the ways they could be read. */
async function dumpPostgres({ sql }: World): Promise<string> {
  const tables = await sql<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  );
  const rows = await Promise.all(
    tables.map(({ name }) => sql<{ row: string }>(`select t::text as row from ${name} t`)),
  );
  const text = rows.flat().map(({ row }) => row);
  const bytes = text
    .flatMap((row) => row.match(/\\x[0-9a-f]+/g) ?? [])
    .map((hex) => Buffer.from(hex.slice(2), "hex").toString("latin1"));
  return [...text, ...bytes].join("\n");
}

async function dumpRedis({ app }: World): Promise<string> {
  const redis = new Redis(app.config.REDIS_URL);
  try {
    const keys = await redis.keys("*");
    const values = await Promise.all(
      keys.map(async (key) => `${key} ${(await redis.dump(key).catch(() => "")) ?? ""}`),
    );
    const strings = await Promise.all(keys.map((key) => redis.get(key).catch(() => "")));
    return [...values, ...strings].join("\n");
  } finally {
    redis.disconnect();
  }
}
