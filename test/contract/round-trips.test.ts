import { describe, expect, test } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import { configure } from "../support/app.ts";
import { type World, world } from "../support/world.ts";
import { exampleOf, type Params, pathOf } from "./examples.ts";
import { snapshot } from "./snapshot.ts";

/** Every object can be sent back in a PATCH or PUT as it was returned. */

configure({ BAD_CREDENTIALS_PER_MINUTE: "1000000" });

const changes = operations.filter(({ method, body }) => (method === "PATCH" || method === "PUT") && body);

describe.each(changes.map((operation) => ({ id: operation.id, operation })))("$id", ({ operation }) => {
  test("accepts the object as it was returned, and changes nothing", async () => {
    const here = await world();
    const example = exampleOf(operation);
    const params = (await example.params?.(here)) ?? {};
    const path = pathOf(operation, here, params);
    const shown = await shownAt(operation.path, here, params);
    const before = await snapshot(here);
    const { data } = await here.owner.call(operation.method, path, shown).expect(200);
    expect(seen(shown)).toMatchObject(seen(data));
    expect(await snapshot(here)).toEqual(before);
  });

  test("accepts the object with one changed field, and rejects a changed read-only field", async () => {
    const here = await world();
    const example = exampleOf(operation);
    const params = (await example.params?.(here)) ?? {};
    const path = pathOf(operation, here, params);
    const shown = await shownAt(operation.path, here, params);
    const change = example.body!(2, here);
    await here.owner.call(operation.method, path, { ...shown, ...change }).expect(200);

    const now = await shownAt(operation.path, here, params);
    const fixed = ["id", "user_id", "field_id", "issue_key"].find((name) => name in now)!;
    const before = await snapshot(here);
    const refused = await here.owner
      .call(operation.method, path, { ...now, [fixed]: "019a0000-0000-7000-8000-000000000000" })
      .expect(400, "read_only_field");
    expect(refused.body.error.details.fields).toEqual([fixed]);
    expect(await snapshot(here)).toEqual(before);
  });
});

const listed = changes.filter(({ path }) => listFor(path));

describe.each(listed.map((operation) => ({ id: operation.id, operation })))("$id", ({ operation }) => {
  test("accepts the object as its list shows it, and changes nothing", async () => {
    const here = await world();
    const params = (await exampleOf(operation).params?.(here)) ?? {};
    const row = await listedAt(operation.path, here, params);
    const before = await snapshot(here);
    await here.owner.call(operation.method, pathOf(operation, here, params), row).expect(200);
    expect(await snapshot(here)).toEqual(before);
  });
});

/** Every PATCH of an agent session tells that the agent is at work. */
const seen = ({ last_activity_at: _, ...object }: Record<string, unknown>) => object;

/** The object as GET of the path returns it, or else the list that contains it, or the object that the path is a part of. */
async function shownAt(path: string, here: World, params: Params): Promise<Record<string, unknown>> {
  const whole = listFor(path) ? path : path.slice(0, path.lastIndexOf("/"));
  const reading = [path, whole].flatMap(
    (at) => operations.find((one) => one.method === "GET" && one.path === at) ?? [],
  )[0];
  return reading
    ? (await here.owner.get(pathOf(reading, here, params)).expect(200)).data
    : listedAt(path, here, params);
}

/** The list that contains the object of a path. */
function listFor(path: string) {
  const of = path.slice(0, path.lastIndexOf("/"));
  return operations.find(
    (one) => one.method === "GET" && one.path === of && (one.shape === "list" || one.shape === "all"),
  );
}

async function listedAt(path: string, here: World, params: Params): Promise<Record<string, unknown>> {
  const list = listFor(path)!;
  const { data } = await here.owner.get(pathOf(list, here, params)).expect(200);
  const ids = [...Object.values(params), here.project.id, here.workspace.id];
  const row = data.find(({ id, user_id, field_id }: Record<string, string>) =>
    ids.includes((id ?? user_id ?? field_id)!),
  );
  if (!row) throw new Error(`${list.id} does not show the object of ${path}.`);
  return row;
}
