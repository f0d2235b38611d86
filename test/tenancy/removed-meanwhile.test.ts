import pg from "pg";
import { expect, test } from "vitest";
import { PersonalTokenInput } from "../../src/domain/access/keys/inputs.ts";
import { createToken } from "../../src/domain/access/keys/personal.ts";
import type { InWorkspace, WithCredential, Writing } from "../../src/domain/kernel/context.ts";
import { actingAs, transact } from "../support/acting.ts";
import { browser } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { waitersFor } from "../support/locks.ts";
import { authorizePath, newClient, openConsent, servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

/** A person who is removed while they wait for a credential gets none, and so has none if they are invited again. */

await servePublicly();

/** Tries to make a credential. Resolves however that ends; called once it is clear who somebody is. */
type Try = () => Promise<unknown>;

async function token(here: World, client: Client): Promise<Try> {
  const person = await actingAs(here, client);
  const make = (ctx: InWorkspace & WithCredential & Writing) =>
    createToken(ctx, PersonalTokenInput.parse({ name: "Laptop" }));
  return () =>
    transact(here.app, person, here.workspace.id, make).catch(({ code }) => expect(code).toBe("insufficient_role"));
}

async function approval(here: World, { userId }: Client): Promise<Try> {
  const visitor = await browser(here.app, userId);
  const { path } = await openConsent(visitor, authorizePath({ clientId: await newClient(here), scope: "read" }));
  return () => visitor.post(path, { decision: "approve", scope: "read", workspace: here.workspace.slug });
}

const key = async (_here: World, leaver: Client): Promise<Try> => {
  return () => leaver.post("W/api-keys", { name: "CI" }).then(({ status }) => expect(status).toBe(403));
};

test.each([
  ["a personal token", token],
  ["an agent's grant", approval],
  ["a key", key],
])("a person who is removed while they create %s keeps nothing that is valid", async (_name, prepare) => {
  const here = await world();
  const leaver = await here.as({ role: "admin" });
  const make = await prepare(here, leaver);
  const holder = new pg.Client({ connectionString: here.app.config.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select 1 from workspace where id = $1 for update", [here.workspace.id]);
    const removing = here.owner
      .delete(`W/members/${leaver.userId}`)
      .expect(200)
      .then((reply) => reply);
    await waitersFor(here, 1);
    const making = make();
    await waitersFor(here, 2);
    await holder.query("commit");
    await Promise.all([removing, making]);
  } finally {
    await holder.end();
  }
  const live = await here.sql(
    "select kind from api_key where workspace_id = $1 and $2 in (user_id, created_by) and revoked_at is null",
    [here.workspace.id, leaver.userId],
  );
  expect(live).toEqual([]);
});
