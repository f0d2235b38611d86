import { beside, crossing, move, patch, post, remove, retitle } from "./crossing.ts";

export const plans = (["sprint", "milestone", "release"] as const).flatMap((kind) => {
  const [path, field] = [`P/${kind}s`, `${kind}_id`];
  const has = (id: string) => ({ [field]: id });
  return [
    crossing(
      `a ${kind} that an issue is given is deleted`,
      beside(path, { name: "Target" }),
      patch("P/issues/:issueKey", ({ id }) => has(id!)),
      remove(`${path}/:id`),
    ),
    crossing(
      `a ${kind} that a new issue is given is deleted`,
      beside(path, { name: "Target" }),
      post("P/issues", ({ id }) => ({ title: "New", ...has(id!) })),
      remove(`${path}/:id`),
    ),
    crossing(
      `a ${kind} is deleted, and an issue of it changed`,
      beside(path, { name: "Target" }, has),
      retitle,
      remove(`${path}/:id`),
    ),
    crossing(
      `a ${kind} is deleted, and an issue taken off it`,
      beside(path, { name: "Target" }, has),
      patch("P/issues/:issueKey", { [field]: null }),
      remove(`${path}/:id`),
    ),
  ];
});

const labelled = (id: string) => ({ labels: [id] });
export const labels = [
  crossing(
    "a label that an issue is given is deleted",
    beside("P/labels", { name: "Target" }),
    patch("P/issues/:issueKey", ({ id }) => ({ add_labels: [id] })),
    remove("P/labels/:id"),
  ),
  crossing(
    "a label is deleted, and taken off an issue",
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
    "a label is renamed, and an issue given it by its name",
    beside("P/labels", { name: "Target" }),
    patch("P/issues/:issueKey", { add_labels: ["target"] }),
    patch("P/labels/:id", { name: "Renamed" }),
  ),
];
