import type { World } from "../../support/world.ts";
import { made } from "../changes/case.ts";
import type { Params } from "../examples.ts";
import { crossing, patch, post, remove } from "./crossing.ts";

const goal = (world: World, body: Record<string, unknown> = {}) => made(world, "W/goals", { title: "Goal", ...body });
const portfolio = (world: World, body: Record<string, unknown> = {}) =>
  made(world, "W/portfolios", { name: "Portfolio", ...body });

/** A measured goal below another, and a third one. */
const tree = async (world: World): Promise<Params> => {
  const above = await goal(world);
  const id = await goal(world, { parent_goal_id: above, progress_override: 50 });
  return { above, id, other: await goal(world, { progress_override: 100 }) };
};

/** A portfolio with a goal, and a goal of the company. */
const grouped = async (world: World): Promise<Params> => {
  const id = await portfolio(world);
  return { id, within: await goal(world, { portfolio_id: id }), other: await goal(world) };
};

/** A member who owns a goal, and a goal of another person. */
const owned = async (world: World): Promise<Params> => {
  const { userId } = await world.as({ role: "member" });
  return { userId, id: await goal(world, { owner_user_id: userId }), other: await goal(world) };
};

export const goals = [
  crossing(
    "each of two goals becomes the other's parent",
    tree,
    patch("W/goals/:above", ({ other }) => ({ parent_goal_id: other })),
    patch("W/goals/:other", ({ above }) => ({ parent_goal_id: above })),
  ),
  crossing(
    "two goals below one goal change their progress",
    async (world) => {
      const above = await goal(world);
      const below = () => goal(world, { parent_goal_id: above, progress_override: 50 });
      return { one: await below(), two: await below(), above };
    },
    patch("W/goals/:one", { progress_override: 100 }),
    patch("W/goals/:two", { weight: 3, progress_override: 0 }),
  ),
  crossing(
    "a goal gets a parent that is deleted",
    tree,
    patch("W/goals/:other", ({ id }) => ({ parent_goal_id: id })),
    remove("W/goals/:id"),
  ),
  crossing(
    "a goal is deleted, and one below it gets a key result",
    tree,
    post("W/goals/:id/key-results", { title: "KR", kind: "manual", target_value: 1, current_value: 1 }),
    remove("W/goals/:above"),
  ),
  crossing(
    "a portfolio is deleted, and a goal gets into it",
    grouped,
    patch("W/goals/:other", ({ id }) => ({ portfolio_id: id })),
    remove("W/portfolios/:id"),
  ),
  crossing(
    "a portfolio is deleted, and a goal is created in it",
    grouped,
    post("W/goals", ({ id }) => ({ title: "New", portfolio_id: id })),
    remove("W/portfolios/:id"),
  ),
  crossing(
    "a portfolio is deleted, and a goal of it is deleted",
    grouped,
    remove("W/goals/:within"),
    remove("W/portfolios/:id"),
  ),
  crossing(
    "a portfolio gets a project that becomes scoped",
    grouped,
    post("W/portfolios/:id/projects", { project_id: "WEB" }),
    patch("P", { scoped: true }),
  ),
  crossing(
    "a portfolio gets a project that is archived",
    grouped,
    post("W/portfolios/:id/projects", { project_id: "WEB" }),
    remove("P"),
  ),
  crossing(
    "the owner of a goal is removed, and becomes the owner of another",
    owned,
    patch("W/goals/:other", ({ userId }) => ({ owner_user_id: userId })),
    remove("W/members/:userId"),
  ),
  crossing(
    "the owner of a goal is removed, and the goal is changed",
    owned,
    patch("W/goals/:id", { title: "Other" }),
    remove("W/members/:userId"),
  ),
  crossing(
    "a person is removed, and becomes the lead of a portfolio",
    async (world) => ({ ...(await owned(world)), id: await portfolio(world) }),
    patch("W/portfolios/:id", ({ userId }) => ({ lead_user_id: userId })),
    remove("W/members/:userId"),
  ),
  crossing(
    "a person is removed, and becomes the owner of a key result",
    owned,
    post("W/goals/:other/key-results", ({ userId }) => ({ title: "KR", kind: "manual", owner_user_id: userId })),
    remove("W/members/:userId"),
  ),
];
