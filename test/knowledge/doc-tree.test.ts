import { expect, test } from "vitest";
import { world } from "../support/world.ts";

test("a parent is in the same project, no cycle arises, and there are at most ten levels", async () => {
  const { owner, project } = await world();
  const make = async (body: object) => (await owner.post("W/docs", body).expect(201)).data.id as string;
  const chain: string[] = [];
  for (let n = 0; n < 10; n++) chain.push(await make({ parent_id: chain.at(-1) ?? null }));
  await owner.post("W/docs", { parent_id: chain[9] }).expect(400, "depth_limit_reached");
  await owner.post("W/docs", { parent_id: chain[0], project: project.id }).expect(400, "invalid_reference");
  const refused = await owner.patch(`W/docs/${chain[0]}`, { parent_id: chain[2] }).expect(400, "parent_cycle");
  expect(refused.body.error.details.cycle).toEqual([chain[0], chain[1], chain[2]]);
  await owner.patch(`W/docs/${chain[0]}`, { parent_id: chain[0] }).expect(400, "parent_cycle");
  const other = await make({});
  await owner.patch(`W/docs/${chain[0]}`, { parent_id: other }).expect(400, "depth_limit_reached");
  await owner.patch(`W/docs/${chain[5]}`, { parent_id: null }).expect(200);
  await owner.patch(`W/docs/${chain[0]}`, { parent_id: other }).expect(200);
});

test("a doc that moves to another project leaves its children behind, on the top level", async () => {
  const { owner, project } = await world();
  const { data: top } = await owner.post("W/docs", { title: "Top" }).expect(201);
  const { data: below } = await owner.post("W/docs", { title: "Below", parent_id: top.id }).expect(201);
  const { data: moved } = await owner.patch(`W/docs/${top.id}`, { project: project.id }).expect(200);
  expect(moved).toMatchObject({ project_id: project.id, project_key: "WEB", version: 2 });
  expect((await owner.get(`W/docs/${below.id}`).expect(200)).data.parent_id).toBeNull();
  await owner.patch(`W/docs/${top.id}`, { project: null }).expect(200);
  expect((await owner.get(`W/docs/${below.id}`).expect(200)).data.parent_id).toBeNull();
});

test("a doc that moves to another project takes no parent along, and is refused if the body names it", async () => {
  const { owner, project } = await world();
  const { data: parent } = await owner.post("W/docs", { title: "Parent" }).expect(201);
  const { data: doc } = await owner.post("W/docs", { title: "Doc", parent_id: parent.id }).expect(201);
  const named = { project: project.id, parent_id: parent.id };
  await owner.patch(`W/docs/${doc.id}`, named).expect(400, "invalid_reference");
  const moved = await owner.patch(`W/docs/${doc.id}`, { ...doc, project_id: project.id }).expect(200);
  expect(moved.data).toMatchObject({ project_key: "WEB", parent_id: null });
});
