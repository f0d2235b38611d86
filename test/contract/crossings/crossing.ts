import type { World } from "../../support/world.ts";
import { issue, made } from "../changes/case.ts";
import type { Params } from "../examples.ts";
import type { Pair, Request } from "../pairs.ts";

/** Helpers to define crossings. */

type Sent = (params: Params, world: World) => Request;

const call =
  (method: string) =>
  (path: string, body?: Record<string, unknown> | ((params: Params, world: World) => Record<string, unknown>)): Sent =>
  (params, world) => ({
    method,
    path: path.replace(/:(\w+)/g, (_, name) => params[name]!),
    body: typeof body === "function" ? body(params, world) : body,
  });
export const [post, patch, put, remove] = [call("POST"), call("PATCH"), call("PUT"), call("DELETE")];

export const crossing = (name: string, stage: Pair["stage"], one: Sent, two: Sent): Pair => ({
  name,
  stage,
  calls: [
    Object.assign((world: World, params: Params) => one(params, world), { called: `${name}, 1` }),
    Object.assign((world: World, params: Params) => two(params, world), { called: `${name}, 2` }),
  ],
});

export const retitle = patch("P/issues/:issueKey", { title: "Other" });
export const move = (status: string) => post("P/issues/:issueKey/transition", { status });

/** An issue, and an object of the project that it may reference or references. */
export const beside =
  (path: string, body: Record<string, unknown>, has?: (id: string) => Record<string, unknown>) =>
  async (world: World): Promise<Params> => {
    const id = await made(world, path, body);
    return { id, ...(await issue(world, has?.(id))) };
  };

/** A member of the workspace, and an issue that may be assigned to them. */
export const member = async (world: World, { assigned = false } = {}): Promise<Params> => {
  const { userId } = await world.as({ role: "member" });
  return { userId, ...(await issue(world, assigned ? { assignee: userId } : {})) };
};

export const two = async (world: World): Promise<Params> => ({
  ...(await issue(world)),
  other: (await issue(world)).issueKey!,
});

/** Replaces "To Do", the default column. */
export const column = async (world: World): Promise<Params> => ({
  ...(await two(world)),
  id: await made(world, "P/statuses", { name: "Next", category: "in_progress", wip_limit: 1 }),
});
