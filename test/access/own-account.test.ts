import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningWorker, startWorker } from "../../src/start-worker.ts";
import { app } from "../support/app.ts";
import { type Browser, browser } from "../support/browser.ts";
import { codeIn, startMailbox } from "../support/mailbox.ts";
import { world } from "../support/world.ts";

/** People change their e-mail address, and delete their account. */

const mailbox = await startMailbox();
let worker: RunningWorker;
beforeAll(async () => {
  worker = await startWorker((await app()).config);
});
afterAll(() => worker.stop());

let counter = 0;
const newAddress = () => `new${++counter}@own-account.test`;
const sql = async <Row>(text: string, values: unknown[] = []) =>
  (await app()).resources.database.query<Row>({ text }, values);
const emailOf = async (id: string) =>
  (await sql<{ email: string | null }>("select email from app_user where id = $1", [id]))[0]!.email;
const isIn = async (visitor: Browser) => (await visitor.get("/account")).status === 200;

async function ask(visitor: Browser, email: string) {
  expect((await visitor.post("/account/email", { email })).status).toBe(303);
  return codeIn(await mailbox.latest(email));
}

test("an address is changed by the code that is mailed to it; the old one is told", async () => {
  const { app: running, owner } = await world();
  const visitor = await browser(running, owner.userId);
  const elsewhere = await browser(running, owner.userId);
  const old = (await emailOf(owner.userId))!;
  const address = newAddress();
  const code = await ask(visitor, address);
  expect(await emailOf(owner.userId)).toBe(old);
  expect((await visitor.get("/account/email")).text).toContain(address);

  const wrong = await visitor.post("/account/email/code", { code: "x" });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("Tries that are left: 4")]);
  const at = await visitor.post("/account/email/code", { code });
  expect(at.headers.get("location")).toBe("/account");
  expect((await visitor.follow(at)).text).toContain(`Your address is ${address} now`);
  expect(await emailOf(owner.userId)).toBe(address);
  expect([await isIn(visitor), await isIn(elsewhere)]).toEqual([true, false]);
  expect((await mailbox.latest(old)).text).toContain(address);
  const again = await visitor.post("/account/email/code", { code });
  expect([again.status, again.text]).toEqual([400, expect.stringContaining("was used already")]);
});

test("of two codes that are sent at once, one counts; a code is nobody else's", async () => {
  const here = await world();
  const visitor = await browser(here.app, here.owner.userId);
  const code = await ask(visitor, newAddress());
  const stranger = await browser(here.app, (await here.other()).owner.userId);
  expect((await stranger.post("/account/email/code", { code })).text).toContain("is for no address");
  const sent = await Promise.all([1, 2].map(() => visitor.post("/account/email/code", { code })));
  expect(sent.map(({ status }) => status).sort()).toEqual([303, 400]);
});

test("an address of somebody else is refused, but only to who reads its mails", async () => {
  const here = await world();
  const [visitor, rival] = [await browser(here.app, here.owner.userId), await here.other()];
  const taken = (await emailOf(rival.owner.userId))!;
  const code = await ask(visitor, taken.toUpperCase());
  const refused = await visitor.post("/account/email/code", { code });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("belongs to another account")]);
  expect(await emailOf(rival.owner.userId)).toBe(taken);

  // Two who want the same new address.
  const address = newAddress();
  const theirs = await browser(here.app, rival.owner.userId);
  const first = await ask(visitor, address);
  expect((await theirs.post("/account/email", { email: address })).status).toBe(303);
  const second = codeIn(await mailbox.latest(address, { count: 2 }));
  const both = await Promise.all([
    visitor.post("/account/email/code", { code: first }),
    theirs.post("/account/email/code", { code: second }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 400]);
});

test("wrong codes end a request, and mails are limited", async () => {
  const { app: running, owner } = await world();
  const visitor = await browser(running, owner.userId);
  const address = newAddress();
  const code = await ask(visitor, address);
  for (let left = 5; left > 0; left--) await visitor.post("/account/email/code", { code: "000" });
  expect((await visitor.post("/account/email/code", { code })).text).toContain("wrongly too often");
  const soon = await visitor.post("/account/email", { email: address });
  expect([soon.status, Number(soon.headers.get("retry-after")) > 0]).toEqual([429, true]);
  for (const [email, why] of [
    [(await emailOf(owner.userId))!.toUpperCase(), "is your address already"],
    ["<b>nobody", "must look like"],
  ] as const) {
    const refused = await visitor.post("/account/email", { email });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(why)]);
    expect(refused.text).not.toContain("<b>nobody");
  }
});

test("an address is changed only by who has just signed in", async () => {
  const { app: running, owner } = await world();
  const visitor = await browser(running, owner.userId);
  await sql("update session set created_at = now() - interval '1 hour' where user_id = $1", [owner.userId]);
  const address = newAddress();
  const refused = await visitor.post("/account/email", { email: address });
  expect([refused.status, refused.text]).toEqual([200, expect.stringContaining("Sign in again")]);
  expect(await sql("select from sign_in where email = $1", [address])).toEqual([]);
});

test("neither another change nor a deleted account lets a person flood an address; its owner still signs in", async () => {
  const address = newAddress();
  const asks = async (email: string, visitor: Browser) => (await visitor.post("/account/email", { email })).status;
  const unlocked = () =>
    sql("update sign_in set created_at = created_at - interval '2 minutes' where user_id is not null");
  const sent: number[] = [];
  for (let n = 0; n < 3; n++) {
    const { app: running, owner } = await world();
    const visitor = await browser(running, owner.userId);
    for (let again = 0; again < 2; again++) {
      sent.push(await asks(address, visitor));
      await unlocked();
    }
    const code = await ask(visitor, newAddress());
    expect((await visitor.post("/account/email/code", { code })).status).toBe(303);
    const email = (await emailOf(owner.userId))!;
    expect((await visitor.post("/account/delete", { email })).headers.get("location")).toBe("/sign-in");
  }
  expect(sent).toEqual([303, 303, 303, 303, 303, 429]);
  const theirs = await browser((await world()).app);
  expect((await theirs.post("/sign-in", { email: address })).status).toBe(303);
});

test("who deletes their account has no session and joins nothing, even at the same moment", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const visitor = await browser(here.app, member.userId);
  const email = (await emailOf(member.userId))!;
  expect((await visitor.post("/account/delete", { email })).status).toBe(303);
  const late = await browser(here.app, member.userId);
  expect((await late.get("/account")).status).toBe(303);
  const { insertMember } = await import("../../src/domain/tenancy/workspaces/members.sql.ts");
  const joining = { userId: member.userId, role: "member", now: new Date().toISOString() } as const;
  expect(await insertMember((await app()).resources.database, here.workspace.id, joining)).toBe(false);
});

test("an account is deleted: the person leaves, and what they wrote stays without their name", async () => {
  const here = await world();
  const member = await here.as({ role: "member", projectRole: "member", name: "Mia Miller" });
  const issue = (await member.post("P/issues", { title: "By Mia" }).expect(201)).data;
  await here.owner.get(`P/issues/${issue.key}`).expect(200);
  const visitor = await browser(here.app, member.userId);
  const address = (await emailOf(member.userId))!;
  expect((await visitor.get("/account/delete")).text).toContain("Workspaces that you leave");
  const typo = await visitor.post("/account/delete", { email: "other@x.test" });
  expect([typo.status, typo.text]).toEqual([400, expect.stringContaining("is another one")]);

  const done = await visitor.post("/account/delete", { email: address });
  expect(done.headers.get("location"), done.text).toBe("/sign-in");
  expect((await visitor.get("/sign-in")).text).toContain("Your account is deleted");
  await member.get("/v1/me").expect(401);
  const rows = await sql("select email, name, timezone from app_user where id = $1", [member.userId]);
  expect(rows).toEqual([{ email: null, name: "Former member", timezone: null }]);
  const shown = (await here.owner.get(`P/issues/${issue.key}`).expect(200)).body.data;
  expect(JSON.stringify(shown)).not.toContain("Mia Miller");
  expect((await mailbox.latest(address)).subject).toContain("is deleted");
});

test("a last owner hands over first; one who is alone closes the workspace; an old sign-in is not enough", async () => {
  const here = await world();
  const other = await here.as({ role: "member" });
  const visitor = await browser(here.app, here.owner.userId);
  const email = (await emailOf(here.owner.userId))!;
  expect((await visitor.get("/account/delete")).text).toContain("You are the last owner of");
  expect((await visitor.post("/account/delete", { email })).status).toBe(409);
  await here.owner.post("W/transfer-ownership", { user_id: other.userId }).expect(200);

  await sql("update session set created_at = now() - interval '1 hour' where user_id = $1", [here.owner.userId]);
  const stale = await visitor.post("/account/delete", { email });
  expect([stale.status, stale.text]).toEqual([200, expect.stringContaining("Sign in again")]);
  const again = await browser(here.app, here.owner.userId);
  const twice = await Promise.all([1, 2].map(() => again.post("/account/delete", { email })));
  expect(twice.map(({ status }) => status)).toContain(303);
  expect(await emailOf(here.owner.userId)).toBeNull();

  // The other is alone now.
  const last = await browser(here.app, other.userId);
  expect((await last.get("/account/delete")).text).toContain("Workspaces that close");
  expect((await last.post("/account/delete", { email: (await emailOf(other.userId))! })).status).toBe(303);
  expect(await sql("select from member where workspace_id = $1", [here.workspace.id])).toEqual([]);
});
