import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { locate, openAccessMemory } from "../../src/domain/access/identity/access.sql.ts";
import { lookupOfVisitor } from "../../src/domain/access/sign-in/sessions.ts";
import { browser } from "../support/browser.ts";
import { world } from "../support/world.ts";

/** What a process remembers of people in browsers holds for their very next call. */

test("a remembered visitor has the role of now, in the workspace that has the name now", async () => {
  const [here, there] = await Promise.all([world(), world()]);
  const { app, sql, workspace } = here;
  const { database } = app.resources;
  const member = await here.as({ role: "admin" });
  const { cookies } = await browser(app, member.userId);
  const [cookie] = cookies.values();
  const memory = openAccessMemory();
  const visitor = { hash: hash("sha256", cookie!, "buffer") };
  const call = (slug: string) => locate(database, memory, lookupOfVisitor(visitor, slug), {}, new Date().toISOString());

  const { slug } = workspace;
  for (let round = 0; round < 2; round++) expect(await call(slug)).toMatchObject({ principal: { role: "admin" } });
  expect((await call(slug.toUpperCase()))?.workspace.id).toBe(workspace.id);
  expect(await call(there.workspace.slug)).toBeNull();
  await sql("update member set role = 'guest' where user_id = $1", [member.userId]);
  for (let round = 0; round < 2; round++) expect(await call(slug)).toMatchObject({ principal: { role: "guest" } });

  await sql("update workspace set slug = $2 where id = $1", [workspace.id, `${slug}-old`]);
  expect(await call(slug)).toBeNull();
  expect((await call(`${slug}-old`))?.workspace.id).toBe(workspace.id);
  await sql("update workspace set slug = $2 where id = $1", [there.workspace.id, slug]);
  await sql(
    `update access_version set version = (select version - 2 from access_version where workspace_id = $1)
     where workspace_id = $2`,
    [workspace.id, there.workspace.id],
  );
  // Each version was that of the remembered workspace once.
  for (let round = 0; round < 4; round++) {
    expect(await call(slug), "a stranger there").toBeNull();
    await sql("update access_version set version = version + 1 where workspace_id = $1", [there.workspace.id]);
  }
  await sql("delete from session where user_id = $1", [member.userId]);
  expect(await call(`${slug}-old`)).toBeNull();
});
