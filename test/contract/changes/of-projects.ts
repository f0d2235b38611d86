import { blocker, type Case, issue, made } from "./case.ts";

/** What is recorded of changes of projects, their people, views and columns. */
export const projectChanges: Readonly<Record<string, Case[]>> = {
  "projects.create": [{ says: ["project.created"], again: 409 }],
  "projects.patch": [
    { says: ["project.updated"], again: 200 },
    {
      does: "rules and people",
      body: ({ columns, owner }) => ({
        lead_user_id: "me",
        default_assignee_id: owner.email,
        default_status_id: columns.Backlog,
        transition_rules: { [columns.Done!]: [columns["To Do"]] },
        wip_mode: "warn",
        scoped: true,
        description_md: "About",
        target_at: "2030-01-31",
      }),
      says: ["project.updated"],
      again: 200,
    },
  ],
  "projects.delete": [
    { says: ["project.archived"], again: 200 },
    {
      does: "with a blocker of another project's",
      async params(world) {
        await made(world, "W/projects", { name: "Operations", key: "OPS" });
        const target_key = await made(world, "W/projects/OPS/issues", { title: "Waits" });
        const { issueKey } = await issue(world);
        await made(world, `P/issues/${issueKey}/links`, { kind: "blocks", direction: "out", target_key });
        return {};
      },
      says: ["project.archived", "issue.updated"],
      again: 200,
    },
  ],
  "projects.restore": [
    { does: "a live one", says: [], again: 200 },
    {
      async params({ owner }) {
        await owner.delete("P").expect(200);
        return {};
      },
      says: ["project.restored"],
      again: 200,
    },
  ],

  "project-members.create": [
    { says: ["project.member.added"], again: 201 },
    {
      does: "another role",
      body: async ({ as }) => ({
        user_id: (await as({ role: "member", projectRole: "viewer" })).userId,
        role: "admin",
      }),
      says: ["project.member.role_changed"],
      again: 201,
    },
  ],
  "project-members.delete": [
    { does: "nobody on the list", says: [], again: 200 },
    {
      params: async ({ as }) => ({ userId: (await as({ role: "member", projectRole: "viewer" })).userId }),
      says: ["project.member.removed"],
      again: 200,
    },
  ],

  // A view triggers no work for others.
  "saved-views.create": [{ says: [] }],
  "saved-views.patch": [{ says: [], again: 200 }],
  "saved-views.delete": [{ says: [], again: 404 }],

  "statuses.create": [
    { says: ["status.created"], again: 409 },
    {
      does: "the default one",
      body: () => ({ name: "Inbox", category: "backlog", is_default: true }),
      says: ["project.updated", "status.created"],
    },
  ],
  "statuses.patch": [
    { says: ["status.updated"], again: 200 },
    {
      does: "all but its category",
      body: ({ columns }) => ({ color: "#ff0000", wip_limit: 3, description: "x", before: columns.Backlog }),
      says: ["status.updated"],
      again: 200,
    },
    { does: "default", body: () => ({ is_default: true }), says: ["project.updated", "status.updated"], again: 200 },
    {
      does: "category, with a blocker in it",
      async params(world) {
        await blocker(world);
        return { id: world.columns["To Do"]! };
      },
      body: () => ({ category: "done" }),
      says: ["status.updated", ...Array(2).fill(["issue.status_changed", "issue.updated"]).flat(), "issue.updated"],
      lines: ["status_changed", "status_changed"],
      again: 200,
    },
  ],
  "statuses.delete": [
    { says: ["status.deleted"], again: 404 },
    {
      does: "the default one, with a blocker in it",
      async params(world) {
        await blocker(world);
        return { id: world.columns["To Do"]! };
      },
      says: ["project.updated", "status.deleted", "issue.archived", "issue.archived", "issue.updated"],
      lines: ["archived", "archived"],
      again: 404,
    },
  ],
};
