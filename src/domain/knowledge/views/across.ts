import { z } from "zod";
import { ISSUE_TYPES, PRIORITIES } from "../../access/identity/issue-row.ts";
import { CATEGORIES } from "../../kernel/categories.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { inputPart } from "../../kernel/described.ts";
import { Refusal, refuse } from "../../kernel/errors.ts";
import { own } from "../../kernel/own.ts";
import type { Paging } from "../../kernel/paging.ts";
import { choice } from "../../kernel/wire.ts";
import { VIEW_SORTS } from "../../work/issues/orders.ts";
import { wrongValue } from "../../work/issues/wrong-value.ts";
import { aboutAcross } from "./descriptions.ts";
import { readFilter } from "./filter.ts";
import { listIssues } from "./issues.ts";
import { ViewFilterInput } from "./view.ts";
import { liveProjects } from "./views.sql.ts";

/** Issues across projects, without a saved view. */

const words = z.string().max(2_000).optional();

export const AcrossQuery = inputPart(aboutAcross, {
  project: words,
  assignee: z.string().max(320).optional(),
  status: words,
  priority: words,
  type: words,
  sort: choice(VIEW_SORTS).default("updated_desc"),
});
export type AcrossQuery = z.output<typeof AcrossQuery>;

const FIELDS = { projectIds: "project", statuses: "status", priorities: "priority", types: "type" } as const;

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  status: CATEGORIES,
  priority: PRIORITIES,
  type: ISSUE_TYPES,
};

/** Returns a page of the issues in the live projects that the caller sees. @throws Refusal invalid_parameter */
export async function listAcross(ctx: InWorkspace, query: AcrossQuery, paging: Paging) {
  const { data, error } = ViewFilterInput.safeParse({
    projectIds: listIn(query.project),
    statuses: listIn(query.status),
    priorities: listIn(query.priority),
    types: listIn(query.type),
    assigneeId: query.assignee?.trim() || null,
    sort: query.sort,
  });
  if (!data) {
    const [field, at] = error.issues[0]!.path;
    const parameter = FIELDS[field as keyof typeof FIELDS] ?? "assignee";
    const value = listIn(query[parameter])[Number(at)];
    const allowed = own(ALLOWED, parameter);
    if (allowed && value !== undefined) wrongValue(parameter, value, `one of ${allowed.join(", ")}`, allowed);
    refuse("invalid_parameter", { message: `${parameter}: ${error.issues[0]!.message}`, parameter, value });
  }
  return listIssues(
    ctx,
    { filter: await readFilter(ctx, null, data).catch((error) => asParameter(ctx, error)) },
    paging,
  );
}

/** Keys that an error lists at most. */
const MAX_KEYS = 100;

/** An unknown project or person, as an error of the parameter that names it. */
async function asParameter(ctx: InWorkspace, error: unknown): Promise<never> {
  if (!(error instanceof Refusal) || !error.is("invalid_reference")) throw error;
  const { path, value } = error.details as { path: string; value: string };
  if (path.startsWith("/filter/projectIds")) {
    const keys = (await liveProjects(ctx, null)).map(({ key }) => key);
    return wrongValue("project", value, "a project that you can see", keys.slice(0, MAX_KEYS));
  }
  return wrongValue("assignee", value, "a user id, me, or the e-mail address of a member whom you can see");
}

const listIn = (text = ""): string[] => text.split(",").flatMap((word) => word.trim() || []);
