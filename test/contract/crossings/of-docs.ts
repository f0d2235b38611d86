import type { World } from "../../support/world.ts";
import { made } from "../changes/case.ts";
import { crossing, patch, post, remove } from "./crossing.ts";

const two = async (world: World) => ({
  one: await made(world, "W/docs", { title: "One" }),
  two: await made(world, "W/docs", { title: "Two" }),
});

const below = patch("W/docs/:two", ({ one }) => ({ parent_id: one }));

export const docs = [
  crossing(
    "two docs are placed below each other",
    two,
    below,
    patch("W/docs/:one", ({ two }) => ({ parent_id: two })),
  ),
  crossing("a doc is archived, and another one is placed below it", two, below, remove("W/docs/:one")),
  crossing(
    "a doc moves to a project, and another one is placed below it",
    two,
    below,
    patch("W/docs/:one", (_, { project }) => ({ project: project.id })),
  ),
  crossing(
    "a comment on a doc that is replied to is deleted",
    async (world) => {
      const one = await made(world, "W/docs", { title: "One" });
      return { one, id: await made(world, `W/docs/${one}/comments`, { body_md: "Hello" }) };
    },
    post("W/docs/:one/comments", ({ id }) => ({ body_md: "Reply", parent_id: id })),
    remove("W/docs/:one/comments/:id"),
  ),
  crossing(
    "a doc is archived, and commented on",
    two,
    post("W/docs/:one/comments", { body_md: "Hello" }),
    remove("W/docs/:one"),
  ),
];
