import type { World } from "../../support/world.ts";
import type { Params } from "../examples.ts";
import { column, crossing, patch, post, remove, retitle, two } from "./crossing.ts";

export const board = [
  crossing(
    "an issue moves into a column that is deleted",
    column,
    post("P/issues/:issueKey/transition", ({ id }) => ({ status_id: id })),
    remove("P/statuses/:id"),
  ),
  crossing(
    "an issue moves into a column whose category changes",
    column,
    post("P/issues/:issueKey/transition", ({ id }) => ({ status_id: id })),
    patch("P/statuses/:id", { category: "done" }),
  ),
  crossing("an issue is changed while its column is deleted", column, retitle, (params, world) =>
    remove(`P/statuses/${world.columns["To Do"]}`)(params, world),
  ),
  crossing("an issue is changed while its column gets another category", column, retitle, (params, world) =>
    patch(`P/statuses/${world.columns["To Do"]}`, { category: "done" })(params, world),
  ),
  crossing(
    "an issue is created while the default column is deleted",
    column,
    post("P/issues", { title: "New" }),
    (params, world) => remove(`P/statuses/${world.columns["To Do"]}`)(params, world),
  ),
  crossing(
    "two issues move into a column with room for one",
    async (world) => {
      await world.owner.patch("P", { wip_mode: "enforce" }).expect(200);
      return column(world);
    },
    post("P/issues/:issueKey/transition", ({ id }) => ({ status_id: id })),
    post("P/issues/:other/transition", ({ id }) => ({ status_id: id })),
  ),
  crossing("the last two columns are deleted", lastColumns, remove("P/statuses/:one"), remove("P/statuses/:two")),
];

async function lastColumns({ owner, columns }: World): Promise<Params> {
  const [one, two, ...others] = Object.values(columns);
  for (const id of others) await owner.delete(`P/statuses/${id}`).expect(200);
  return { one: one!, two: two! };
}

export const families = [
  crossing(
    "each of two issues becomes the other's parent",
    two,
    patch("P/issues/:issueKey", ({ other }) => ({ parent: other })),
    patch("P/issues/:other", ({ issueKey }) => ({ parent: issueKey })),
  ),
  crossing(
    "an issue gets a parent that is archived",
    two,
    patch("P/issues/:issueKey", ({ other }) => ({ parent: other })),
    remove("P/issues/:other"),
  ),
  crossing(
    "each of two issues is linked as blocking the other",
    two,
    post("P/issues/:issueKey/links", ({ other }) => ({ kind: "blocks", direction: "out", target_key: other })),
    post("P/issues/:other/links", ({ issueKey }) => ({ kind: "blocks", direction: "out", target_key: issueKey })),
  ),
  crossing(
    "a blocker is closed",
    two,
    post("P/issues/:issueKey/links", ({ other }) => ({ kind: "blocks", direction: "in", target_key: other })),
    post("P/issues/:other/transition", { status: "done" }),
  ),
  crossing(
    "an issue is linked to one that is archived",
    two,
    post("P/issues/:issueKey/links", ({ other }) => ({ kind: "relates_to", direction: "out", target_key: other })),
    remove("P/issues/:other"),
  ),
];
