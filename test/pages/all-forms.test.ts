import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { DomUtils, parseDocument } from "htmlparser2";
import { expect, test } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import { exampleOf, pathOf } from "../contract/examples.ts";
import { type Browser, browser, type Page } from "../support/browser.ts";
import { servePublicly } from "../support/oauth.ts";
import { plain } from "../support/page-forms.ts";
import { type World, world } from "../support/world.ts";

/** Walks the pages of a workspace that has one of everything, and looks at each form that they show. */

const baseUrl = await servePublicly();

/** What operations make that pages show, by the last part of their path. */
const MADE =
  /\/(saved-views|issues|links|comments|labels|milestones|sprints|releases|custom-field-defs|forms|goals|key-results|portfolios|docs|channels|messages|automations|workflows|agent-sessions|webhooks|entries)$/;

async function filled(): Promise<World> {
  const here = await world();
  for (const [n, operation] of operations.entries()) {
    if (operation.method !== "POST" || !MADE.test(operation.path)) continue;
    const example = exampleOf(operation);
    const path = pathOf(operation, here, (await example.params?.(here)) ?? {});
    await here.owner.call(operation.method, path, example.body?.(n, here));
  }
  return here;
}

/** Pages that differ in ids only are one page. */
const kindOf = (path: string) => {
  const { pathname, searchParams } = new URL(path, baseUrl);
  const parts = pathname.split("/").map((part) => (/^[0-9a-f-]{32,36}$|^[A-Z]+-\d+$/.test(part) ? ":id" : part));
  const query = [...searchParams].map(([name, value]) => `${name}=${/^[a-z_]+$/.test(value) ? value : ""}`);
  return `${parts.join("/")}?${query.sort().join("&")}`;
};

/** All pages below the home, one of each kind. */
async function walk(visitor: Browser, home: string): Promise<Map<string, Page>> {
  const found = new Map<string, Page>();
  const seen = new Set<string>();
  const waiting = [home];
  const from = new Map<string, string>();
  for (let path = waiting.shift(); path !== undefined && found.size < 250; path = waiting.shift()) {
    if (seen.has(kindOf(path))) continue;
    seen.add(kindOf(path));
    const page = await visitor.get(path);
    if (!page.headers.get("content-type")?.startsWith("text/html")) continue;
    // The example's agent is no member.
    if (/\/agents\/[^/]+$/.test(path) && page.status === 404) continue;
    if (page.status >= 400) throw new Error(`${from.get(path)} links to ${path}: ${page.status}`);
    found.set(path, page);
    for (const [, href] of page.text.matchAll(/<a [^>]*href="([^"]+)/g)) {
      const [next = ""] = plain(href!).split("#");
      const to = next.startsWith("?") ? `${path.split("?")[0]}${next}` : next;
      if (!to.startsWith(`${home}/`)) continue;
      if (!from.has(to)) from.set(to, path);
      waiting.push(to);
    }
  }
  return found;
}

type Input = { tag: string; name: string; type: string; value: string; most: number | null };
type Shown = { page: string; action: string; inputs: Input[]; text: string };

function formsOn(path: string, { text }: Page): Shown[] {
  const main = text.slice(text.indexOf("<main"));
  return [...main.matchAll(/<form ([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, head, body]) => {
    if (!/method="post"/.test(head!)) return [];
    const inputs = [...body!.matchAll(/<(input|textarea|select|button) ([^>]*)>/g)].flatMap(([, tag, attributes]) => {
      const of = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes!)?.[1];
      const name = of("name");
      if (name === undefined || tag === "button") return [];
      const most = of("maxlength");
      const value = plain(of("value") ?? "");
      return [{ tag: tag!, name, type: of("type") ?? "text", value, most: most ? Number(most) : null }];
    });
    return [{ page: path, action: plain(/action="([^"]*)"/.exec(head!)?.[1] ?? path), inputs, text: body! }];
  });
}

const isWritten = ({ tag, type }: Input) => tag === "textarea" || (tag === "input" && type === "text");

/** What a person types who fills in every text, one of them too long. */
function typedInto({ inputs }: Shown): { values: Record<string, string>; typed: string[] } {
  const values: Record<string, string> = {};
  const typed: string[] = [];
  const long = inputs.find((input) => isWritten(input) && input.most !== null && input.most < 60_000);
  for (const input of inputs) {
    if (isWritten(input)) {
      const text = `typed ${input.name}`;
      values[input.name] = input === long ? text.padEnd(input.most! + 1, ".") : text;
      typed.push(text);
    } else if (input.type === "hidden" || (input.type !== "checkbox" && input.type !== "radio")) {
      values[input.name] ??= input.value;
    }
  }
  return { values, typed };
}

let walked: Promise<{ here: World; visitor: Browser; forms: Shown[] }> | undefined;

/** Each form once, by its address and inputs. */
async function allForms() {
  const here = await filled();
  const visitor = await browser(here.app, here.owner.userId);
  const forms = new Map<string, Shown>();
  for (const [path, page] of await walk(visitor, `/w/${here.workspace.slug}`)) {
    for (const form of formsOn(path, page)) {
      const key = `${kindOf(form.action)} ${form.inputs.map(({ name }) => name).sort()}`;
      if (!forms.has(key)) forms.set(key, form);
    }
  }
  return { here, visitor, forms: [...forms.values()] };
}

/** Forms with texts that do the same if they are sent again. */
const SAME_AGAIN = /\/(invites|link|try|billing\/buy)$/;

test("a form that is sent twice does its work once", { timeout: 120_000 }, async () => {
  walked ??= allForms();
  const { forms } = await walked;
  expect(forms.length).toBeGreaterThan(100);
  const repeating = forms.filter(
    ({ inputs, action }) =>
      inputs.some(isWritten) &&
      !inputs.some(({ name }) => /^(once|revision|mark|version)$/.test(name)) &&
      !SAME_AGAIN.test(action),
  );
  expect(repeating.map(({ action }) => action)).toEqual([]);
});

test("a refused form shows what was typed, says why, and puts the focus there", { timeout: 120_000 }, async () => {
  walked ??= allForms();
  const { visitor, forms } = await walked;
  const wrong: string[] = [];
  let tried = 0;
  for (const form of forms) {
    const { values, typed } = typedInto(form);
    if (typed.length === 0) continue;
    const page = await visitor.post(form.action, values);
    if (page.status < 400) continue;
    tried += 1;
    const what = `${form.page} -> ${form.action} (${page.status})`;
    const lost = typed.filter((text) => !page.text.includes(text));
    if (lost.length > 0) wrong.push(`${what} loses ${lost}`);
    if (!page.text.includes('id="problem"')) wrong.push(`${what} does not say why`);
    if (!page.text.includes(" autofocus")) wrong.push(`${what} has no focus`);
  }
  expect(tried).toBeGreaterThan(40);
  expect(wrong).toEqual([]);
});

/** Texts that may be anything. */
const FREE = /^(title|name|label|goal|topic|description|description_md)$/;

/** The form's values as they are stored, and with other texts. */
function changedIn({ text }: Shown): { values: Record<string, string>; stored: string[]; typed: string[] } {
  const [values, stored, typed]: [Record<string, string>, string[], string[]] = [{}, [], []];
  const root = parseDocument(text);
  for (const { name: tag, attribs, children } of DomUtils.findAll(({ attribs }) => "name" in attribs, root.children)) {
    const { name = "", type = "text" } = attribs;
    if (tag === "button" || (/^(checkbox|radio)$/.test(type) && !("checked" in attribs))) continue;
    const option =
      DomUtils.findOne(({ attribs }) => "selected" in attribs, children) ?? DomUtils.findOne(() => true, children);
    const text = tag === "textarea" ? DomUtils.textContent(children).trim() : "";
    const value = option ? (option.attribs.value ?? DomUtils.textContent(option)) : (attribs.value ?? text);
    values[name] = FREE.test(name) ? `typed ${name}` : value;
    if (!FREE.test(name)) continue;
    typed.push(`typed ${name}`);
    stored.push(value);
  }
  return { values, stored, typed };
}

test("a form about what somebody else has changed shows theirs and what was typed", { timeout: 120_000 }, async () => {
  walked ??= allForms();
  const { visitor, forms } = await walked;
  const wrong: string[] = [];
  let tried = 0;
  for (const form of forms) {
    const { values, stored, typed } = changedIn(form);
    if (!("revision" in values) || typed.length === 0) continue;
    tried += 1;
    const page = await visitor.post(form.action, { ...values, revision: '"old"' });
    const text = plain(page.text.slice(page.text.indexOf("<main")));
    const what = `${form.page} -> ${form.action} (${page.status})`;
    if (page.status !== 412) wrong.push(`${what} replaces theirs`);
    const lost = [...typed, ...stored].filter((one) => !text.includes(one));
    if (lost.length > 0) wrong.push(`${what} does not show ${lost}`);
  }
  expect(tried).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

test("no link leads a guest to a page that they may not see", { timeout: 120_000 }, async () => {
  walked ??= allForms();
  const { here } = await walked;
  const guest = await here.as({ role: "guest" });
  await here.owner.post("P/members", { user_id: guest.userId, role: "member" });
  const pages = await walk(await browser(here.app, guest.userId), `/w/${here.workspace.slug}`);
  expect(pages.size).toBeGreaterThan(20);
});

/**
 * Creating these twice is what was asked for, makes no second one, or costs nothing: they are refused or the same if
 * they are sent again.
 */
const SAME_TWICE =
  /^(chat-channels\.(open-dm|read)|notifications\.|watchers\.|links\.create|portfolio-projects\.add|invites\.create|project-members\.|purchases\.|automations\.test|chat-reactions\.|doc-versions\.restore)/;

test("each form that creates something says which sending it is", { timeout: 120_000 }, async () => {
  walked ??= allForms();
  const { visitor, forms } = await walked;
  const creating = new Set(
    operations
      .filter(({ method, status }) => method === "POST" && (status === 201 || status === 202))
      .map(({ id }) => id),
  );
  const called = new Set<string>();
  const hear = (call: unknown) => void called.add((call as { operation: string }).operation);
  subscribe("muster.page-call", hear);
  const careless: string[] = [];
  for (const form of forms) {
    if (form.inputs.some(({ name }) => name === "once")) continue;
    called.clear();
    await visitor.post(form.action, typedInto(form).values);
    const made = [...called].filter((id) => creating.has(id) && !SAME_TWICE.test(id));
    if (made.length > 0) careless.push(`${form.page} -> ${form.action}: ${made}`);
  }
  unsubscribe("muster.page-call", hear);
  expect(careless).toEqual([]);
});

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Values that the form may send, by field: hidden ones, and those to choose from. */
function choicesOf({ text }: Shown): Map<string, string[]> {
  const all = new Map<string, string[]>();
  const add = (name: string, value: string) => value !== "" && all.set(name, [...(all.get(name) ?? []), plain(value)]);
  for (const { name: tag, attribs, children } of DomUtils.findAll(
    ({ attribs }) => "name" in attribs,
    parseDocument(text).children,
  )) {
    if (tag === "select") {
      const options = DomUtils.findAll(({ name }) => name === "option", children);
      for (const option of options) add(attribs.name!, option.attribs.value ?? DomUtils.textContent(option));
    } else if (tag !== "textarea") add(attribs.name!, attribs.value ?? "");
  }
  return all;
}

/** The ids of a workspace's rows, by table, and of its people. */
async function idsOf({ sql, workspace }: World): Promise<Map<string, string[]>> {
  const tables = await sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute i on i.attrelid = c.oid and i.attname = 'id'
     join pg_attribute w on w.attrelid = c.oid and w.attname = 'workspace_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const ids = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows = await sql<{ id: string }>(`select id::text from "${name}" where workspace_id = $1 limit 200`, [
      workspace.id,
    ]);
    ids.set(
      name,
      rows.map(({ id }) => id),
    );
  }
  const people = await sql<{ id: string }>("select user_id::text as id from member where workspace_id = $1", [
    workspace.id,
  ]);
  return ids.set(
    "member",
    people.map(({ id }) => id),
  );
}

test("no form stores or shows what belongs to another tenant", { timeout: 120_000 }, async () => {
  walked ??= allForms();
  const { here, visitor, forms } = await walked;
  const other = await filled();
  const secret = "Theirs alone";
  await other.sql("update issue set title = $2 where workspace_id = $1", [other.workspace.id, secret]);
  const [own, theirs] = [await idsOf(here), await idsOf(other)];
  const tableOf = new Map([...own].flatMap(([table, ids]) => ids.map((id) => [id, table] as const)));
  const foreign = [...theirs.values()].flat();
  const wrong: string[] = [];
  let tried = 0;
  for (const form of forms) {
    // These end what the walk needs.
    if (/\/(leave|delete|remove|revoke|archive)$/.test(form.action)) continue;
    for (const [name, values] of choicesOf(form)) {
      const mine = values.find((value) => UUID.test(value) && tableOf.has(value));
      const theirId = mine && theirs.get(tableOf.get(mine)!)?.[0];
      if (!theirId) continue;
      tried++;
      const page = await visitor.post(form.action, { ...typedInto(form).values, [name]: theirId });
      if (page.status >= 500 || page.text.includes(secret)) wrong.push(`${page.status} ${form.action} ${name}`);
    }
  }
  expect(tried).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
  const kept: string[] = [];
  for (const table of own.keys()) {
    const [{ n } = { n: 0 }] = await here.sql<{ n: number }>(
      `select count(*)::int as n from "${table}" t, unnest($2::text[]) f
       where t.workspace_id = $1 and position(f in to_jsonb(t)::text) > 0`,
      [here.workspace.id, foreign],
    );
    if (n > 0) kept.push(`${table}: ${n}`);
  }
  expect(kept).toEqual([]);
});
