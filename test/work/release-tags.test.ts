import { expect, test } from "vitest";
import { github, gitlab, hookOf, push, sha } from "../support/commits.ts";
import { world } from "../support/world.ts";

const tagged = (tag: string, more: object = {}) => ({
  ref: `refs/tags/${tag}`,
  repository: { full_name: "acme/web" },
  commits: [],
  ...more,
});

test("a pushed tag marks the release of that version as released, once", async () => {
  const here = await world();
  const { owner, sql, workspace } = here;
  const hook = await hookOf(here);
  const make = async (body: object, path = "P") => (await owner.post(`${path}/releases`, body).expect(201)).data.id;
  const one = await make({ name: "One", version: "v1.0" });
  const off = await make({ name: "Off", version: "v1.0", status: "cancelled" });
  const two = await make({ name: "Two", version: "2.0" });
  const replies = await Promise.all([1, 2, 3].map(() => github(hook, tagged("v1.0"))));
  expect(replies.map(({ body }) => body.data.released).sort()).toEqual([0, 0, 1]);
  expect((await github(hook, tagged("v1.0"))).body.data).toEqual({ linked: 0, released: 0 });
  const { data } = await owner.get(`P/releases/${one}`).expect(200);
  expect(data).toMatchObject({ status: "released", released_at: expect.any(String) });
  expect((await owner.get(`P/releases/${off}`)).data.status).toBe("cancelled");
  const told = await sql(
    `select data, changed, actor_kind, actor_name from event where workspace_id = $1 and type = 'release.released'`,
    [workspace.id],
  );
  const by = { actor_kind: "integration", actor_name: "github" };
  expect(told).toEqual([{ data, changed: ["status", "released_at"], ...by }]);

  // No tag, another one, one that goes.
  await github(hook, tagged("2.0", { deleted: true }));
  await github(hook, tagged("2.0"), "create");
  await github(hook, { ...tagged("2.0"), ref: "refs/heads/2.0" });
  await gitlab(hook, tagged("2.0", { after: "0".repeat(40) }), "Tag Push Hook");
  await github(hook, tagged("v2.0"));
  expect((await owner.get(`P/releases/${two}`)).data.status).toBe("planned");
  expect((await gitlab(hook, tagged("2.0", { after: sha(1) }), "Tag Push Hook")).body.data.released).toBe(1);
});

test("a tag applies to projects with commits of its repository, or to the only project with that version", async () => {
  const here = await world();
  const { owner } = here;
  const hook = await hookOf(here);
  await owner.post("W/projects", { name: "Operations", key: "OPS" }).expect(201);
  const make = async (place: string, version: string) =>
    owner.post(`${place}/releases`, { name: version, version }).expect(201);
  const released = async (tag: string) => (await github(hook, tagged(tag))).body.data.released;
  const out = async (place: string) =>
    (await owner.get(`${place}/releases`)).data
      .filter(({ status }: { status: string }) => status === "released")
      .map(({ version }: { version: string }) => version);
  const OPS = "W/projects/OPS";
  await make("P", "1");
  await make(OPS, "1");
  expect(await released("1")).toBe(0);
  await make(OPS, "2");
  expect(await released("2")).toBe(1);

  await owner.post("P/issues", { title: "x" }).expect(201);
  await github(hook, push("WEB-1"));
  expect(await released("1")).toBe(1);
  await make(OPS, "3");
  expect(await released("3")).toBe(0);
  await make("P", "4");
  await owner.delete("P").expect(200);
  expect(await released("4")).toBe(0);
  expect([await out("P"), await out(OPS)]).toEqual([["1"], ["2"]]);
});
