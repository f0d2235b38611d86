import type { World } from "../../support/world.ts";
import type { Params } from "../examples.ts";
import { blocker, type Case, issue, made, valued } from "./case.ts";

/** What is recorded of changes of issues themselves. */

const archived =
  (make: (world: World) => Promise<Params>) =>
  async (world: World): Promise<Params> => {
    const params = await make(world);
    await world.owner.delete(`P/issues/${params.issueKey}`).expect(200);
    return params;
  };

const updated = (does: string, body: Case["body"], ...lines: string[]): Case => ({
  does,
  ...(body ? { body } : {}),
  says: ["issue.updated"],
  lines,
  again: 200,
});

export const issueChanges: Readonly<Record<string, Case[]>> = {
  "issues.create": [
    { says: ["issue.created", "issue.assigned"], lines: ["created"] },
    {
      does: "with everything",
      async body(world) {
        const [milestone_id, sprint_id, release_id] = [
          await made(world, "P/milestones", { name: "M" }),
          await made(world, "P/sprints", { name: "S" }),
          await made(world, "P/releases", { name: "R" }),
        ];
        const [label, { issueKey: parent }] = [await made(world, "P/labels", { name: "L" }), await issue(world)];
        const { fieldId } = await valued(world);
        return {
          ...{ title: "All", status: "in_progress", priority: "high", parent, labels: [label], due_at: "2030-01-31" },
          ...{ milestone_id, sprint_id, release_id, estimate_minutes: 90, story_points: 3, completion_pct: 10 },
          ...{ custom_fields: { [fieldId!]: "Small" }, external_source: "x", external_id: "1", after: parent },
        };
      },
      says: ["issue.created"],
      lines: ["created"],
      again: 409,
    },
  ],
  "issues.bulk-create": [{ says: ["issue.created", "issue.created"], lines: ["created", "created"] }],
  "issues.patch": [
    updated("title", undefined, "updated"),
    updated(
      "texts and numbers",
      () => ({ description_md: "x", story_points: 3, due_at: "2030-01-31" }),
      ...Array(3).fill("updated"),
    ),
    updated("time", () => ({ spent_minutes: 30 }), "time_logged"),
    updated("parent", async (world) => ({ parent: (await issue(world)).issueKey }), "parent_changed"),
    updated("epic", async (world) => ({ epic: (await issue(world, { type: "epic" })).issueKey }), "parent_changed"),
    updated("place", async (world) => ({ after: (await issue(world)).issueKey }), "moved"),
    updated(
      "sprint",
      async (world) => ({ sprint_id: await made(world, "P/sprints", { name: "S" }) }),
      "sprint_changed",
    ),
    updated(
      "milestone",
      async (world) => ({ milestone_id: await made(world, "P/milestones", { name: "M" }) }),
      "milestone_changed",
    ),
    updated(
      "release",
      async (world) => ({ release_id: await made(world, "P/releases", { name: "R" }) }),
      "release_changed",
    ),
    updated("labels", async (world) => ({ labels: [await made(world, "P/labels", { name: "L" })] }), "labelled"),
    updated(
      "custom field",
      async (world) => ({ custom_fields: { [(await valued(world)).fieldId!]: "Small" } }),
      "field_set",
    ),
    updated("reporter", async ({ as }) => ({ reporter: (await as({ role: "member" })).userId }), "updated"),
    {
      does: "priority",
      body: () => ({ priority: "high" }),
      says: ["issue.priority_changed", "issue.updated"],
      lines: ["updated"],
      again: 200,
    },
    {
      does: "assignee",
      body: () => ({ assignee: "me" }),
      says: ["issue.assigned", "issue.updated"],
      lines: ["assigned"],
      again: 200,
    },
    {
      does: "no assignee",
      params: (world) => issue(world, { assignee: "me" }),
      body: () => ({ assignee: null }),
      says: ["issue.unassigned", "issue.updated"],
      lines: ["unassigned"],
      again: 200,
    },
    {
      does: "everything at once",
      params: blocker,
      body: () => ({ status: "done", priority: "low", assignee: "me", title: "Other" }),
      says: ["issue.status_changed", "issue.priority_changed", "issue.assigned", "issue.updated", "issue.updated"],
      lines: ["status_changed", "updated", "updated", "assigned"],
      again: 200,
    },
  ],
  "issues.delete": [
    { says: ["issue.archived"], lines: ["archived"], again: 200 },
    { does: "a blocker", params: blocker, says: ["issue.archived", "issue.updated"], lines: ["archived"], again: 200 },
  ],
  "issues.restore": [
    { says: ["issue.restored"], lines: ["restored"], again: 200 },
    {
      does: "a blocker",
      params: archived(blocker),
      says: ["issue.restored", "issue.updated"],
      lines: ["restored"],
      again: 200,
    },
  ],
  "issues.transition": [
    { says: ["issue.status_changed", "issue.updated"], lines: ["status_changed"], again: 200 },
    {
      does: "with a comment",
      body: () => ({ status: "in_review", comment_md: "Ready", position: "top" }),
      says: ["comment.created", "issue.status_changed", "issue.updated"],
      lines: ["commented", "status_changed"],
    },
  ],
};
