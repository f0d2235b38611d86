import type { World } from "../../support/world.ts";
import type { Params } from "../examples.ts";
import { type Case, issue, made } from "./case.ts";

/** What is recorded of changes of labels, milestones, sprints and releases. */

/** One of them that an issue has. */
const used =
  (path: string, field: string, body: Record<string, unknown> = {}) =>
  async (world: World): Promise<Params> => {
    const id = await made(world, path, { name: "Used", ...body });
    await issue(world, { [field]: field === "labels" ? [id] : id });
    return { id };
  };

const deletes = (kind: string, params: Case["params"], line: string): Case[] => [
  { says: [`${kind}.deleted`], again: 404 },
  { does: "of an issue", params: params!, says: [`${kind}.deleted`, "issue.updated"], lines: [line], again: 404 },
];

export const planningChanges: Readonly<Record<string, Case[]>> = {
  "labels.create": [{ says: ["label.created"], again: 409 }],
  "labels.patch": [
    { says: ["label.updated"], again: 200 },
    {
      does: "of an issue",
      params: used("P/labels", "labels"),
      body: () => ({ name: "Renamed", color: "#ff0000", description: "x" }),
      says: ["label.updated"],
      again: 200,
    },
  ],
  "labels.delete": deletes("label", used("P/labels", "labels"), "unlabelled"),

  "milestones.create": [
    { says: ["milestone.created"] },
    {
      does: "completed",
      body: () => ({ name: "M", status: "completed" }),
      says: ["milestone.created", "milestone.completed"],
    },
  ],
  "milestones.patch": [
    { says: ["milestone.updated"], again: 200 },
    {
      does: "completes",
      body: () => ({ status: "completed", description_md: "x" }),
      says: ["milestone.completed"],
      again: 200,
    },
    {
      does: "opens",
      params: async (world) => ({ id: await made(world, "P/milestones", { name: "M", status: "completed" }) }),
      body: () => ({ status: "active" }),
      says: ["milestone.updated"],
      again: 200,
    },
  ],
  "milestones.delete": deletes("milestone", used("P/milestones", "milestone_id"), "milestone_changed"),

  "sprints.create": [
    { says: ["sprint.created"] },
    {
      does: "active, in place of another",
      async body(world) {
        await made(world, "P/sprints", { name: "Earlier", status: "active" });
        return { name: "S", status: "active" };
      },
      says: ["sprint.updated", "sprint.created", "sprint.started"],
    },
  ],
  "sprints.patch": [
    { says: ["sprint.updated"], again: 200 },
    {
      does: "starts, in place of another",
      async params(world) {
        await made(world, "P/sprints", { name: "Earlier", status: "active" });
        return used("P/sprints", "sprint_id")(world);
      },
      body: () => ({ status: "active", goal: "All", after: undefined }),
      says: ["sprint.updated", "sprint.started"],
      again: 200,
    },
    {
      does: "completes, and its open issues go on",
      params: used("P/sprints", "sprint_id", { status: "active" }),
      body: async (world) => ({
        status: "completed",
        move_open_issues_to: await made(world, "P/sprints", { name: "Next" }),
      }),
      says: ["issue.updated", "sprint.completed"],
      lines: ["sprint_changed"],
      again: 200,
    },
  ],
  "sprints.delete": deletes("sprint", used("P/sprints", "sprint_id"), "sprint_changed"),

  "releases.create": [
    { says: ["release.created"] },
    {
      does: "released",
      body: () => ({ name: "R", status: "released" }),
      says: ["release.created", "release.released"],
    },
  ],
  "releases.patch": [
    { says: ["release.updated"], again: 200 },
    { does: "releases", body: () => ({ status: "released", version: "1.0" }), says: ["release.released"], again: 200 },
    {
      does: "takes back",
      params: async (world) => ({ id: await made(world, "P/releases", { name: "R", status: "released" }) }),
      body: () => ({ status: "planned" }),
      says: ["release.updated"],
      again: 200,
    },
  ],
  "releases.delete": deletes("release", used("P/releases", "release_id"), "release_changed"),
};
