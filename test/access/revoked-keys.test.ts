import { expect, test } from "vitest";
import { revokeGrant } from "../../src/domain/access/oauth/grants.ts";
import { actingAs, transact } from "../support/acting.ts";
import type { Client } from "../support/client.ts";
import { lettersTo } from "../support/invites.ts";
import { drain } from "../support/jobs.ts";
import { startMailbox } from "../support/mailbox.ts";
import { connect, exchange, newCode, post, servePublicly } from "../support/oauth.ts";
import { type World, world } from "../support/world.ts";

/** The creator of a key gets a mail if someone else revokes it. */

const mailbox = await startMailbox();
const baseUrl = await servePublicly();

const make = async (maker: Client, name: string) =>
  (await maker.post("W/api-keys", { name, scopes: ["read"] }).expect(201)).data;

test("the creator of a key gets one mail that says who revoked it", async () => {
  const here = await world();
  const { owner, workspace } = here;
  const admin = await here.as({ role: "admin", name: "Ada Admin" });
  const [ci, own] = [await make(owner, "CI"), await make(owner, "Mine")];
  await owner.delete(`W/api-keys/${own.id}`).expect(200);
  await admin.delete(`W/api-keys/${ci.id}?reason=found%20in%20a%20log`).expect(200);
  await admin.delete(`W/api-keys/${ci.id}`).expect(200);
  const letters = await lettersTo(here, owner.email);
  expect(letters).toMatchObject([
    {
      kind: "key_revoked",
      subject: "Your key CI was revoked",
      lines: [
        `In the workspace Workspace ${workspace.slug}, a key that you created was revoked by Ada Admin:`,
        `CI (${ci.prefix}…${ci.last_four})`,
        "Reason:\n> found in a log",
        "Programs can no longer use it.",
      ],
      action: { url: `${baseUrl}/w/${workspace.slug}/developer` },
    },
  ]);
  await drain();
  const { subject, text } = await mailbox.latest(owner.email);
  expect(subject).toBe("Your key CI was revoked");
  expect(text).not.toContain(ci.plaintext);
  expect(await lettersTo(here, admin.email)).toEqual([]);
});

test("keys that people revoke themselves do not use up their mails about keys that others revoke", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const shared = await make(here.owner, "Shared");
  for (let n = 0; n < 20; n++) {
    await here.owner.delete(`W/api-keys/${(await make(here.owner, "Short-lived")).id}`).expect(200);
  }
  await admin.delete(`W/api-keys/${shared.id}`).expect(200);
  const letters = await lettersTo(here, here.owner.email);
  expect(letters.map(({ subject }) => subject)).toEqual(["Your key Shared was revoked"]);
});

test("for an agent's key its creator gets the mail, and for a personal token its owner", async () => {
  const here = await world();
  const [admin, member] = [await here.as({ role: "admin" }), await here.as({ role: "member" })];
  const body = { name: "Coder", agent_name: "Claude", scopes: ["write"] };
  const { id } = (await admin.post("W/api-keys", body).expect(201)).data;
  await here.keyFor(member, { kind: "personal" });
  const [token] = await here.sql<{ id: string }>(`select id from api_key where kind = 'personal' and user_id = $1`, [
    member.userId,
  ]);
  for (const key of [id, token!.id]) await here.owner.delete(`W/api-keys/${key}`).expect(200);
  expect((await lettersTo(here, admin.email)).map(({ subject }) => subject)).toEqual(["Your key Coder was revoked"]);
  expect((await lettersTo(here, member.email)).map(({ subject }) => subject)).toEqual([
    "Your key test key was revoked",
  ]);
});

test("a removed person gets one mail about all their keys and agents; a person who leaves gets none", async () => {
  const here = await world();
  const [removed, leaver] = [await here.as({ role: "admin" }), await here.as({ role: "admin" })];
  for (const who of [removed, leaver]) {
    await make(who, "CI");
    await connect(here, who.userId);
  }
  await here.owner.delete(`W/members/${removed.userId}`).expect(200);
  await leaver.delete(`W/members/${leaver.userId}`).expect(200);
  const [letter, ...more] = await lettersTo(here, removed.email);
  expect(more).toEqual([]);
  // The key that the test calls with, the one made above, and the agent.
  expect(letter).toMatchObject({ subject: "3 of your keys were revoked" });
  expect(letter!.lines).toEqual(
    expect.arrayContaining([expect.stringMatching(/^CI \(wk_/), "the connected agent Robot"]),
  );
  expect(letter!.lines.join()).toContain("leaves the workspace");
  // They cannot open a page there.
  expect(letter!.action).toBeUndefined();
  expect(await lettersTo(here, leaver.email)).toEqual([]);
});

test("the approver of an agent gets a mail if others disconnect it or its secret was used twice, but not if it leaves itself", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const grants = async () =>
    (await here.owner.get("W/api-keys").expect(200)).data.filter(
      ({ kind, state }: { kind: string; state: string }) => kind === "oauth" && state === "active",
    );
  const disconnect = async (here: World, userId: string) => {
    const [{ id }] = await grants();
    await transact(here.app, await actingAs(here, { userId }), here.workspace.id, (ctx) => revokeGrant(ctx, id));
  };
  const subjects = async () => (await lettersTo(here, member.email)).map(({ subject }) => subject);

  await connect(here, member.userId);
  await disconnect(here, member.userId);
  const own = await connect(here, member.userId);
  await post(here, "revoke", { token: own.refresh_token, client_id: own.clientId });
  expect(await subjects()).toEqual([]);

  await connect(here, member.userId);
  await disconnect(here, here.owner.userId);
  expect(await subjects()).toEqual(["Robot was disconnected"]);

  const code = await newCode(here, member.userId);
  expect((await exchange(here, code)).status).toBe(200);
  expect((await exchange(here, code)).body.error).toBe("invalid_grant");
  expect(await grants()).toEqual([]);
  const letters = await lettersTo(here, member.email);
  expect(letters).toHaveLength(2);
  expect(letters[0]!.lines.join(" ")).toContain("someone else may have it");
});

test("revoking keys cannot flood a mailbox", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  for (let n = 0; n < 23; n++) {
    const { id } = await make(here.owner, `Key ${n}`);
    await admin.delete(`W/api-keys/${id}`).expect(200);
  }
  expect(await lettersTo(here, here.owner.email)).toHaveLength(20);
});
