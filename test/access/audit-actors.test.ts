import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { cardProcessorAtWork } from "../support/buyer.ts";
import { stranger } from "../support/invites.ts";
import { answerConsent, authorizePath, newClient, openConsent, servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

/** Changes that do not come over the API are logged with the person who made them, and their network. */

await servePublicly();
await cardProcessorAtWork();

const entriesOf = ({ sql }: World, slug: string) =>
  sql(
    `select e.type, e.actor_id, e.actor_kind, e.actor_name, e.key_id, e.ip, e.cause ->> 'request_id' is not null as named
     from audit_entry e join workspace w on w.id = e.workspace_id where w.slug = $1 order by e.id`,
    [slug],
  );

/** What every such entry says of the owner of a world. */
const byOwner = ({ owner }: World) => ({
  ...{ actor_id: owner.userId, actor_kind: "user", actor_name: "Olive Owner" },
  ...{ key_id: null, ip: "127.0.0.0/24", named: true },
});

test("a workspace that a person creates on its page", async () => {
  const here = await world();
  const { userId } = await stranger(here, "founder");
  const visitor = await browser(here.app, userId);
  const slug = `${here.workspace.slug}-new`;
  expect((await visitor.post("/w/new", { your_name: "Fay Founder", name: "New", slug })).status).toBe(303);
  const person = { actor_id: userId, actor_kind: "user", actor_name: "Fay Founder" };
  expect(await entriesOf(here, slug)).toMatchObject([
    { type: "workspace.created", ...person, key_id: null, ip: "127.0.0.0/24", named: true },
  ]);
});

test("a person who approves a program on the consent page, and then denies it", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const clientId = await newClient(here);
  const { path } = await openConsent(visitor, authorizePath({ clientId, scope: "read" }));
  const approval = { scope: "read", workspace: here.workspace.slug, decision: "approve" };
  expect((await visitor.post(path, approval)).status).toBe(303);
  await answerConsent(visitor, path, here, { decision: "deny" });
  const entries = await entriesOf(here, here.workspace.slug);
  expect(entries.map(({ type }) => type).sort()).toEqual([
    ...["agent.connected", "agent.revoked", "oauth_grant.approved", "oauth_grant.revoked"],
  ]);
  for (const entry of entries) expect(entry).toMatchObject(byOwner(here));
});

test("a person who has a card saved", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  expect((await visitor.post(`/w/${here.workspace.slug}/billing/card`)).status).toBe(303);
  const [entry, ...others] = await entriesOf(here, here.workspace.slug);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ ...byOwner(here), type: "card.setup_started" });
});
