import { beside, crossing, move, patch, post, remove, retitle } from "./crossing.ts";

export const plans = (["sprint", "milestone", "release"] as const).flatMap((kind) => {
  const [path, field] = [`P/${kind}s`, `${kind}_id`];
  const has = (id: string) => ({ [field]: id });
  return [
    crossing(
      `a ${kind} is deleted, and set on an issue`,
      beside(path, { name: "Target" }),
      patch("P/issues/:issueKey", ({ id }) => has(id!)),
      remove(`${path}/:id`),
    ),
    crossing(
      `a ${kind} is deleted, and set on a new issue`,
      beside(path, { name: "Target" }),
      post("P/issues", ({ id }) => ({ title: "New", ...has(id!) })),
      remove(`${path}/:id`),
    ),
    crossing(
      `a ${kind} is deleted, and an issue of it is changed`,
      beside(path, { name: "Target" }, has),
      retitle,
      remove(`${path}/:id`),
    ),
    crossing(
      `a ${kind} is deleted, and an issue is removed from it`,
      beside(path, { name: "Target" }, has),
      patch("P/issues/:issueKey", { [field]: null }),
      remove(`${path}/:id`),
    ),
  ];
});

const labelled = (id: string) => ({ labels: [id] });
export const labels = [
  crossing(
    "a label is deleted, and added to an issue",
    beside("P/labels", { name: "Target" }),
    patch("P/issues/:issueKey", ({ id }) => ({ add_labels: [id] })),
    remove("P/labels/:id"),
  ),
  crossing(
    "a label is deleted, and removed from an issue",
    beside("P/labels", { name: "Target" }, labelled),
    patch("P/issues/:issueKey", { labels: [] }),
    remove("P/labels/:id"),
  ),
  crossing(
    "a label is deleted, and an issue that has it moves",
    beside("P/labels", { name: "Target" }, labelled),
    move("done"),
    remove("P/labels/:id"),
  ),
  crossing(
    "a label is renamed, and an issue that has it is changed",
    beside("P/labels", { name: "Target" }, labelled),
    retitle,
    patch("P/labels/:id", { name: "Renamed" }),
  ),
  crossing(
    "a label is renamed, and added to an issue by its name",
    beside("P/labels", { name: "Target" }),
    patch("P/issues/:issueKey", { add_labels: ["target"] }),
    patch("P/labels/:id", { name: "Renamed" }),
  ),
];
