import { crossing, member, move, patch, post, remove } from "./crossing.ts";

export const people = [
  crossing(
    "an assignee is removed",
    member,
    patch("P/issues/:issueKey", ({ userId }) => ({ assignee: userId })),
    remove("W/members/:userId"),
  ),
  crossing(
    "an assignee of a new issue is removed",
    member,
    post("P/issues", ({ userId }) => ({ title: "New", assignee: userId })),
    remove("W/members/:userId"),
  ),
  crossing(
    "a member is removed, and an issue of theirs moves",
    (world) => member(world, { assigned: true }),
    move("in_progress"),
    remove("W/members/:userId"),
  ),
  crossing(
    "a member is removed, and an issue of theirs is closed",
    (world) => member(world, { assigned: true }),
    move("done"),
    remove("W/members/:userId"),
  ),
  crossing(
    "a member is removed, and an issue of theirs is restored",
    async (world) => {
      const params = await member(world, { assigned: true });
      await world.owner.delete(`P/issues/${params.issueKey}`).expect(200);
      return params;
    },
    post("P/issues/:issueKey/restore"),
    remove("W/members/:userId"),
  ),
  crossing(
    "the lead of a project is removed",
    member,
    patch("P", ({ userId }) => ({ lead_user_id: userId })),
    remove("W/members/:userId"),
  ),
  crossing(
    "the lead of a new project is removed",
    member,
    post("W/projects", ({ userId }) => ({ name: "New", key: "NEW", lead_user_id: userId, member_ids: [userId] })),
    remove("W/members/:userId"),
  ),
  crossing(
    "a member is removed, and added to a project",
    member,
    post("P/members", ({ userId }) => ({ user_id: userId, role: "admin" })),
    remove("W/members/:userId"),
  ),
  crossing(
    "the last two owners make each other members",
    async ({ owner, sql, workspace }) => {
      const [other] = await sql<{ user_id: string }>(
        "select user_id from member where workspace_id = $1 and role = 'owner' and user_id <> $2",
        [workspace.id, owner.userId],
      );
      return { one: owner.userId, two: other!.user_id };
    },
    patch("W/members/:two", { role: "member" }),
    patch("W/members/:one", { role: "member" }),
  ),
];
