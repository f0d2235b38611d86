import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect, test } from "vitest";
import type { Operation } from "../../src/api/engine/operation.ts";
import type { PerformInput } from "../../src/api/pages/site/perform.ts";
import { pathOf } from "../contract/examples.ts";
import { app, configure } from "../support/app.ts";
import { type Browser, browser } from "../support/browser.ts";
import { counting } from "../support/statements.ts";
import { type World, world } from "../support/world.ts";
import { everyPage } from "./every-page.ts";

/** What pages cost Postgres: little more than the calls of the API that they make, however much they show. */

configure({ RATE_LIMIT_PER_MINUTE: "1000000" });

/** Who the visitor is, their place in the workspace, and invitations that wait for them. */
const MORE = 3;
/** Pages about what the API does not return: the saved card and the ledger; personal tokens, agents' grants and the commit hook. */
const BESIDE: Record<string, number> = { "/w/:slug/billing": 2, "/w/:slug/developer": 3 };
const FEW = 2;
const MANY = 8;

const pages = everyPage();
const worlds = new Map<string, Promise<World>>();
/** One world for all pages. */
const shared = () => worlds.get("") ?? worlds.set("", world()).get("")!;

test.each(pages)("$pattern runs few statements, as many for few rows as for many", async ({ pattern, open, grow }) => {
  const here = await shared();
  const path = await open(here);
  const visitor = await browser(here.app, here.owner.userId);
  await grow(here, FEW);
  const few = await opened(visitor, path);
  const calls = few.called.map(({ operation, input }) => `${operation.id} ${JSON.stringify(input)}`);
  expect(calls.filter((call, at) => calls.indexOf(call) !== at)).toEqual([]);
  const { statements } = await counting(() => callAll(here, few.called));
  expect(few.statements.length, few.statements.join("\n")).toBeLessThanOrEqual(
    statements.length + MORE + (BESIDE[pattern] ?? 0),
  );

  await grow(here, MANY);
  const many = await opened(visitor, path);
  expect(many.called.map(({ operation }) => operation.id)).toEqual(few.called.map(({ operation }) => operation.id));
  expect(many.statements).toEqual(few.statements);
});

type Called = { operation: Operation; input: PerformInput };

/** The second opening of a page, which finds what is remembered of the first one. */
async function opened(visitor: Browser, path: string): Promise<{ called: Called[]; statements: string[] }> {
  await visitor.get(path);
  const called: Called[] = [];
  const listener = (call: unknown) => void called.push(call as Called);
  subscribe("muster.page-call", listener);
  const { result, statements } = await counting(() => visitor.get(path));
  unsubscribe("muster.page-call", listener);
  expect([200, 303], result.text).toContain(result.status);
  // Statements that have the number of rows in their text are the same for any number.
  return { called, statements: statements.map((text) => text.replaceAll(/\d+/g, "n")).sort() };
}

/** The same calls of the API. */
async function callAll(here: World, called: Called[]): Promise<void> {
  for (const { operation, input } of called) {
    const query = new URLSearchParams(Object.entries(input.query ?? {}).filter(([, value]) => value !== ""));
    const path = `${pathOf(operation, here, input.params)}${query.size > 0 ? `?${query}` : ""}`;
    await here.owner.call(operation.method, path, undefined, input.headers ? { headers: input.headers } : {});
  }
}

test("a page that nobody may see runs two statements", async () => {
  const here = await shared();
  const stranger = await browser(await app(), (await here.other()).owner.userId);
  const { result, statements } = await counting(() => stranger.get(`/w/${here.workspace.slug}/p/web`));
  expect(result.status).toBe(404);
  expect(statements.length).toBeLessThanOrEqual(2);
});
