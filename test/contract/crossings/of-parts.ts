import { attach } from "../../support/files.ts";
import { issue, made, valued } from "../changes/case.ts";
import { beside, column, crossing, move, patch, post, put, remove } from "./crossing.ts";

export const parts = [
  crossing(
    "a field is deleted, and a value of it is set",
    valued,
    put("P/issues/:issueKey/custom-fields/:id", { value: "Small" }),
    remove("P/custom-field-defs/:id"),
  ),
  crossing(
    "an option is removed, and set as a value",
    valued,
    put("P/issues/:issueKey/custom-fields/:id", { value: "Small" }),
    patch("P/custom-field-defs/:id", { options: ["Large"] }),
  ),
  crossing(
    "a field is deleted, and an issue that has a value moves",
    valued,
    move("done"),
    remove("P/custom-field-defs/:id"),
  ),
  crossing(
    "a comment that is replied to is deleted",
    async (world) => {
      const params = await issue(world);
      return { ...params, id: await made(world, `P/issues/${params.issueKey}/comments`, { body_md: "Hello" }) };
    },
    post("P/issues/:issueKey/comments", ({ id }) => ({ body_md: "Reply", parent_id: id })),
    remove("P/issues/:issueKey/comments/:id"),
  ),
  crossing(
    "a comment is deleted with its file, and the issue moves",
    async (world) => {
      const params = await issue(world);
      const id = await made(world, `P/issues/${params.issueKey}/comments`, { body_md: "Hello" });
      await attach(world.owner, params.issueKey!, Buffer.from("File"), { comment_id: id });
      return { ...params, id };
    },
    move("done"),
    remove("P/issues/:issueKey/comments/:id"),
  ),
  crossing(
    "a sprint is completed, and an open issue of it is closed",
    beside("P/sprints", { name: "Target", status: "active" }, (id) => ({ sprint_id: id })),
    move("done"),
    patch("P/sprints/:id", { status: "completed", move_open_issues_to: "backlog" }),
  ),
  crossing(
    "two sprints are started",
    async (world) => ({
      one: await made(world, "P/sprints", { name: "One" }),
      two: await made(world, "P/sprints", { name: "Two" }),
    }),
    patch("P/sprints/:one", { status: "active" }),
    patch("P/sprints/:two", { status: "active" }),
  ),
  crossing(
    "two answers to a form that accepts one more",
    async (world) => ({
      id: await made(world, "P/forms", { title: "Target", status: "published", response_limit: 1 }),
    }),
    post("P/forms/:id/submissions", { answers: {} }),
    post("P/forms/:id/submissions", { answers: {} }),
  ),
];

export const names = [
  crossing(
    "two issues with one external id",
    async () => ({}),
    post("P/issues", { title: "One", external_source: "x", external_id: "1" }),
    post("P/issues", { title: "Two", external_source: "x", external_id: "1" }),
  ),
  crossing(
    "two labels get the same name",
    beside("P/labels", { name: "Target" }),
    patch("P/labels/:id", { name: "Same" }),
    post("P/labels", { name: "same" }),
  ),
  crossing(
    "two columns get the same name",
    column,
    patch("P/statuses/:id", { name: "Same" }),
    post("P/statuses", { name: "same", category: "todo" }),
  ),
];
