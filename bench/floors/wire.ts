import { z } from "zod";

/** What the careful floor accepts and shows. */

const projectKey = z.string().regex(/^[A-Z][A-Z0-9]{0,9}$/);
const priority = z.enum(["low", "medium", "high"]);
const oneOf = z.string().max(200).optional();

export const ProjectPath = z.object({ slug: z.string().min(1).max(64), key: projectKey });
export const IssuePath = ProjectPath.extend({ issue: z.string().regex(/^[A-Z][A-Z0-9]{0,9}-\d{1,9}$/) });

export const ListQuery = z.object({
  status: oneOf,
  assignee: oneOf,
  reporter: oneOf,
  label: oneOf,
  priority: oneOf,
  type: oneOf,
  sprint: oneOf,
  milestone: oneOf,
  parent: oneOf,
  q: oneOf,
  cursor: oneOf,
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const NewIssueBody = z.object({
  title: z.string().min(1).max(500),
  description: z.string().max(50_000).default(""),
  type: z.enum(["task", "bug", "story"]).default("task"),
  priority: priority.default("medium"),
  assignee_id: z.int().nullable().default(null),
});

export const ChangeBody = z.object({ title: z.string().min(1).max(500).optional(), priority: priority.optional() });
export const MoveBody = z.object({ status: z.enum(["todo", "in_progress", "in_review", "done"]) });

const id = z.number();
export const IssueShown = z.object({
  key: z.string(),
  id,
  project_id: id,
  number: z.number(),
  title: z.string(),
  description: z.string(),
  type: z.string(),
  priority: z.string(),
  status_id: id,
  assignee_id: id.nullable(),
  reporter_id: id,
  sprint_id: id.nullable(),
  milestone_id: id.nullable(),
  parent_id: id.nullable(),
  estimate: z.number().nullable(),
  due_on: z.date().nullable(),
  version: z.number(),
  created_at: z.date(),
  updated_at: z.date(),
  archived_at: z.date().nullable(),
});
export const PageShown = z.object({ data: z.array(IssueShown), next_cursor: z.string().nullable() });
