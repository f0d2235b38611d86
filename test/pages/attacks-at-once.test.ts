import { expect, test } from "vitest";
import { type Browser, browser, type Page } from "../support/browser.ts";
import { servePublicly } from "../support/oauth.ts";
import { open, plain } from "../support/page-forms.ts";
import { type World, world } from "../support/world.ts";

/** Forms of several people at the same moment, and deletions of accounts that stop half-way. */

await servePublicly();

const statuses = (pages: readonly Page[]) => pages.map(({ status }) => status).sort();

async function two(here: World): Promise<[Browser, Browser]> {
  const admin = await here.as({ role: "admin" });
  return [await browser(here.app, here.owner.userId), await browser(here.app, admin.userId)];
}

/** A hidden value of the form with this address. */
function hiddenIn(page: Page, action: string, name: string): string {
  const text = plain(page.text);
  const form = text.slice(text.indexOf(`action="${action}"`));
  const found = new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1];
  expect(found, `${name} of ${action}`).toBeDefined();
  return found!;
}

test("of two people who save the same form at once, one is told of the other", async () => {
  const here = await world();
  const [one, other] = await two(here);
  const { data: goal } = await here.owner.post("W/goals", { title: "Win" }).expect(201);
  const page = `/w/${here.workspace.slug}/goals/${goal.id}`;
  const shown = plain((await open(one, `${page}/edit`)).text + (await open(one, page)).text);
  const form = shown.split("<form ").find((text) => text.includes('name="title"') && text.includes('name="revision"'))!;
  const [, action] = /action="([^"]+)"/.exec(form)!;
  const [, revision] = /name="revision" value="(.*?)">/.exec(form)!;
  const values = Object.fromEntries(
    [...form.matchAll(/ name="(\w+)"[^>]* value="([^">]*)">/g)].map(([, name, value]) => [name!, value!]),
  );
  const send = (visitor: Browser, title: string) => visitor.post(action!, { ...values, title, revision: revision! });
  const sent = await Promise.all([send(one, "Mine"), send(other, "Theirs")]);
  expect(statuses(sent), sent.map(({ text }) => text).join()).toEqual([303, 412]);
});

test("a card is dragged while its column is deleted, and ends where somebody sees it", async () => {
  const here = await world();
  const [one, other] = await two(here);
  const board = `/w/${here.workspace.slug}/p/web`;
  for (let round = 0; round < 3; round++) {
    const { data: column } = await here.owner
      .post("P/statuses", { name: `Gone ${round}`, category: "todo" })
      .expect(201);
    const { data: issue } = await here.owner.post("P/issues", { title: "Moves" }).expect(201);
    const [moved, deleted] = await Promise.all([
      one.post(`${board}/board/move`, { issue: issue.key, status_id: column.id }),
      other.post(`${board}/settings/columns/${column.id}/delete`, {}),
    ]);
    expect([303, 400, 409, 422], moved.text).toContain(moved.status);
    expect(deleted.status, deleted.text).toBe(303);
    const after = (await here.owner.get(`P/issues/${issue.key}`).expect(200)).data;
    const columns = (await here.owner.get("P/statuses").expect(200)).data;
    const isShown = columns.some(({ id }: { id: string }) => id === after.status_id);
    expect(isShown || after.archived_at !== null || after.status_id === null).toBe(true);
  }
});

test("a doc that is restored while it is edited loses neither text", async () => {
  const here = await world();
  const [one, other] = await two(here);
  const admin = await here.as({ role: "admin" });
  // What one person writes within minutes is one version.
  const { data: doc } = await here.owner.post("W/docs", { title: "Plan", body_md: "First" }).expect(201);
  await admin.patch(`W/docs/${doc.id}`, { body_md: "Second" }).expect(200);
  const versions = (await here.owner.get(`W/docs/${doc.id}/versions`).expect(200)).data;
  const path = `/w/${here.workspace.slug}/docs/${doc.id}`;
  const shown = await open(one, `${path}/edit`);
  const [, action] = /<form [^>]*action="([^"]+)"[^>]*>(?:(?!<\/form>)[\s\S])*name="body_md"/.exec(plain(shown.text))!;
  const fields = [...plain(shown.text).matchAll(/<input type="hidden" name="([^"]+)" value="((?:[^"]|"[^">]*")*)">/g)];
  const hidden = Object.fromEntries(fields.map(([, name, value]) => [name!, value!]));
  const [edited, restored] = await Promise.all([
    one.post(action!, { ...hidden, title: "Plan", body_md: "Third" }),
    other.post(`${path}/history/${versions.at(-1)!.id}/restore`, {}),
  ]);
  for (const { status, text } of [edited, restored]) expect([303, 404, 409, 412], text).toContain(status);
  const after = (await here.owner.get(`W/docs/${doc.id}/versions`).expect(200)).data;
  const texts = await Promise.all(
    after.map(async ({ id }: { id: string }) => (await here.owner.get(`W/docs/${doc.id}/versions/${id}`)).data.body_md),
  );
  const now = (await here.owner.get(`W/docs/${doc.id}`).expect(200)).data.body_md;
  if (edited.status === 303) expect([...texts, now]).toContain("Third");
  expect([...texts, now]).toEqual(expect.arrayContaining(["First", "Second"]));
});

test("the answer to an agent's question is sent once, and accepting and cancelling do not both happen", async () => {
  const here = await world();
  const [one, other] = await two(here);
  await here.owner.post("P/issues", { title: "First" }).expect(201);
  const bot = await here.as({ role: "member", isAgent: true, kind: "agent" });
  const { data: session } = await bot.post("W/agent-sessions", { title: "Fix", issue_key: "WEB-1" }).expect(201);
  const report = (body: object) => bot.patch(`W/agent-sessions/${session.id}`, body).expect(200);
  await report({ state: "needs_input", question: { text: "Which?" } });
  const path = `/w/${here.workspace.slug}/agents/sessions/${session.id}`;
  const once = hiddenIn(await open(one, path), `${path}/answer`, "once");
  const answer = () => one.post(`${path}/answer`, { once, issue: "WEB-1", body_md: "All" });
  const sent = [...(await Promise.all([answer(), answer()])), await answer()];
  for (const { status } of sent) expect([303, 409]).toContain(status);
  expect((await here.owner.get("P/issues/WEB-1/comments").expect(200)).data).toHaveLength(1);

  await report({ state: "review" });
  const ended = await Promise.all([one.post(`${path}/accept`), other.post(`${path}/cancel`)]);
  expect(ended.filter(({ status }) => status === 303).length).toBeGreaterThan(0);
  for (const { status } of ended) expect([303, 400, 409]).toContain(status);
});

/**
 * A process that is killed within a transaction leaves what one does whose transaction fails. So each step of a deletion
 * fails once: after it the person is whole, and the same form goes on.
 */
test("the deletion of an account that stops at any step is repeated by the same form", async () => {
  const here = await world();
  const [second, third] = [await here.other(), await here.other()];
  const person = await here.as({ role: "member", name: "Mia Miller", projectRole: "member" });
  const { sql } = here;
  for (const { workspace } of [second, third])
    await sql(
      `insert into member (workspace_id, user_id, role, status, joined_at)
       select $1, $2, role, status, joined_at from member where user_id = $2 limit 1`,
      [workspace.id, person.userId],
    );
  const [{ email } = { email: "" }] = await sql<{ email: string }>("select email from app_user where id = $1", [
    person.userId,
  ]);
  const count = async (table: string) =>
    (await sql<{ n: number }>(`select count(*)::int as n from ${table} where user_id = $1`, [person.userId]))[0]!.n;
  await here.owner.post("P/issues", { title: "Theirs", assignee_ids: [person.userId] }).expect(201);
  await sql("create schema fails");
  await sql(`create function fails.now() returns trigger language plpgsql as $$
    begin raise exception 'killed'; end $$`);
  const visitor = await browser(here.app, person.userId);
  const steps = [
    ...[here, second, third].map(({ workspace }) => [
      "delete on member",
      `old.user_id = '${person.userId}' and old.workspace_id = '${workspace.id}'`,
    ]),
    ["update on app_user", `new.id = '${person.userId}' and new.email is null`],
  ] as [string, string][];
  for (const [when, which] of steps) {
    await sql(`create trigger killed before ${when} for each row when (${which}) execute function fails.now()`);
    expect((await visitor.post("/account/delete", { email })).status).toBe(500);
    await sql(`drop trigger killed on ${when.split(" ").at(-1)}`);
    expect((await sql("select from app_user where id = $1 and email = $2", [person.userId, email])).length).toBe(1);
    expect((await visitor.get("/account")).status).toBe(200);
  }
  // Whatever was left before, is left.
  expect(await count("member")).toBe(0);
  const twice = await Promise.all([1, 2].map(() => visitor.post("/account/delete", { email })));
  expect(statuses(twice), twice.map(({ text }) => text).join()).toEqual([303, 303]);
  expect([await count("member"), await count("session"), await count("notification")]).toEqual([0, 0, 0]);
  expect(await sql("select name, email from app_user where id = $1", [person.userId])).toEqual([
    { name: "Former member", email: null },
  ]);
  expect(JSON.stringify((await here.owner.get("P/issues/WEB-1").expect(200)).body)).not.toContain("Mia Miller");
  expect((await visitor.get("/account")).status).toBe(303);
});
