import { expect, test } from "vitest";
import { unitOfWork } from "../../src/domain/events/unit-of-work.ts";
import { adjustCredits } from "../../src/domain/tenancy/credits/ledger.ts";
import { systemNow } from "../support/acting.ts";
import { browser } from "../support/browser.ts";
import { hookOf } from "../support/commits.ts";
import { drain } from "../support/jobs.ts";
import { connect, post, servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

/** The audit log has changes that people and programs make outside of the REST API, too. */

await servePublicly();

// biome-ignore lint/suspicious/noExplicitAny: tests look into entries freely
type Entry = any;

/** The entries of some types, oldest first. */
const logOf = async ({ owner, workspace }: World, ...types: string[]): Promise<Entry[]> => {
  const { data } = await owner.get(`/v1/workspaces/${workspace.slug}/audit-log?limit=100`).expect(200);
  return data.filter(({ type }: Entry) => types.includes(type)).reverse();
};

/** What an entry says of a person in a browser. */
const byPerson = (id: string) => ({
  actor: { id, kind: "user" },
  key_id: null,
  ip: "127.0.0.0/24",
  user_agent: expect.any(String),
});

test("approving a program, and its revoking of itself", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const { access_token, refresh_token, clientId, agent_id } = await connect(here, admin.userId);
  const revoked = await post(here, "revoke", { token: refresh_token, client_id: clientId });
  expect(revoked.status).toBe(200);
  await drain();
  const log = await logOf(here, "oauth_grant.approved", "oauth_grant.revoked", "agent.connected", "agent.revoked");
  expect(log.map(({ type }) => type).sort()).toEqual([
    "agent.connected",
    "agent.revoked",
    "oauth_grant.approved",
    "oauth_grant.revoked",
  ]);
  const of = (type: string) => log.find((entry) => entry.type === type);
  expect(of("oauth_grant.approved")).toMatchObject({
    ...byPerson(admin.userId),
    changes: { scopes: [null, ["read", "write"]], agent_id: [null, agent_id], client_id: [null, clientId] },
  });
  expect(of("oauth_grant.revoked")).toMatchObject({
    target: of("oauth_grant.approved").target,
    ip: "127.0.0.0/24",
    changes: { revoke_reason: [null, "user"] },
  });
  expect(JSON.stringify(log)).not.toMatch(new RegExp(`${access_token}|${refresh_token}`));
});

test("personal tokens and the commit hook, on the developer page", async () => {
  const here = await world();
  const { owner, workspace } = here;
  const visitor = await browser(here.app, owner.userId);
  const page = `/w/${workspace.slug}/developer`;
  const shown = await visitor.post(`${page}/tokens`, { name: "Laptop", days: "90", bundle: "read" });
  expect(shown.text).toContain("pat_");
  const [created] = await logOf(here, "api_key.created");
  expect(created).toMatchObject({ ...byPerson(owner.userId), target: { name: "Laptop" } });
  expect(created.changes).toMatchObject({ kind: [null, "personal"], scopes: [null, ["read"]] });
  await visitor.post(`${page}/tokens/${created.target.id}/revoke`);
  const { url, secret } = await hookOf(here);
  await visitor.post(`${page}/commit-hook/remove`);
  const log = await logOf(here, "api_key.revoked", "commit_hook.created", "commit_hook.deleted");
  expect(log.map(({ type }) => type)).toEqual(["api_key.revoked", "commit_hook.created", "commit_hook.deleted"]);
  for (const entry of log) expect(entry).toMatchObject(byPerson(owner.userId));
  expect(JSON.stringify(log)).not.toContain(secret);
  expect(JSON.stringify(log)).not.toContain(url.split("/").pop());
});

test("credits that an operator adds", async () => {
  const here = await world();
  const { database, entities } = here.app.resources;
  const work = { database, entities, workspaceId: here.workspace.id };
  const adjustment = { amount: 500, reason: "goodwill" };
  await unitOfWork(systemNow(here.app), work, (ctx) => adjustCredits(ctx, here.workspace.id, adjustment));
  expect(await logOf(here, "credits.adjusted")).toMatchObject([
    {
      ...{ actor: { id: null, kind: "system" }, key_id: null, ip: null, target: { name: "goodwill" } },
      changes: { topup_balance: [0, 500] },
    },
  ]);
});
