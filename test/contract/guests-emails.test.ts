import { describe, expect, test } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import { configure } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { world } from "../support/world.ts";
import { exampleOf, pathOf } from "./examples.ts";
import { fill } from "./fill.ts";

/** Whatever a guest calls, the reply contains no e-mail address except their own. */

configure({ BAD_CREDENTIALS_PER_MINUTE: "1000000" });

/** A world in which nobody has a display name, so that an address could be shown instead. */
async function nameless() {
  const here = await world();
  const guest = await here.as({ role: "guest", projectRole: "admin" });
  const member = await here.as({ role: "member", projectRole: "member" });
  await here.owner
    .post("P/issues", { title: "x", assignee_ids: [member.userId, here.owner.userId], reporter: member.userId })
    .expect(201);
  const forget = () =>
    here.sql(`update app_user set name = null where email like $1`, [`%@${here.workspace.slug}.test`]);
  const othersIn = (text: string) =>
    (text.match(/[\w.+-]+@[\w-]+\.test/g) ?? []).filter((email) => email !== guest.email);
  return { here, guest, forget, othersIn };
}

describe.each(operations.map((operation) => ({ id: operation.id, operation })))("$id", ({ operation }) => {
  test("shows a guest no e-mail address but their own", async () => {
    const { here, guest, forget, othersIn } = await nameless();
    const example = exampleOf(operation);
    const params = (await example.params?.(here)) ?? {};
    if (operation.shape === "list") await fill(operation, here, params, 0, Math.min(3, example.most ?? 3));
    await forget();
    const path = pathOf(operation, here, params) + (example.query ? `?${example.query}` : "");
    const { text } = await guest.call(operation.method, path, example.body?.(1, here));
    expect(othersIn(text)).toEqual([]);
  });
});

test("no page of the workspace shows a guest an e-mail address but their own", async () => {
  const { here, guest, forget, othersIn } = await nameless();
  await here.owner.post("W/invites", { email: `invited@${here.workspace.slug}.test` }).expect(201);
  await forget();
  const visitor = await browser(here.app, guest.userId);
  const base = `/w/${here.workspace.slug}`;
  for (const path of ["/w", "/account", base, `${base}/members`, `${base}/developer`, `${base}/billing`]) {
    const page = await visitor.get(path);
    expect([200, 303], path).toContain(page.status);
    expect(othersIn(page.text.replaceAll("&#64;", "@")), path).toEqual([]);
  }
});
