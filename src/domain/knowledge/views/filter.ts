import { readProjectsAccess } from "../../access/identity/project-access.sql.ts";
import { seesProject } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";
import type { ViewFilter } from "./view.ts";
import { projectsAmong } from "./views.sql.ts";

/** The filter of a view as it is stored, and as a caller sees it. */

export const EVERYTHING: ViewFilter = {
  projectIds: [],
  statuses: [],
  priorities: [],
  types: [],
  assigneeId: null,
  sort: "updated_desc",
};

/**
 * The filters of views without the projects that the caller cannot see, in the same order. One statement reads the
 * projects of all of them.
 */
export async function filtersSeen(ctx: InWorkspace, filters: readonly ViewFilter[]): Promise<ViewFilter[]> {
  const named = new Set(filters.flatMap(({ projectIds }) => projectIds));
  const seen = new Set((await projectsAmong(ctx, [...named])).map(({ id }) => id));
  return filters.map((filter) => ({ ...filter, projectIds: filter.projectIds.filter((id) => seen.has(id)) }));
}

/**
 * Reads the filter of a body, with ids for what it names. Projects of the stored filter that the caller cannot see stay
 * in it, because the caller can neither send nor remove them; only an empty list, which means all projects, replaces them.
 * @param before the stored filter; null for a new view
 * @throws Refusal invalid_reference
 */
export async function readFilter(ctx: InWorkspace, before: ViewFilter | null, sent: ViewFilter): Promise<ViewFilter> {
  const [shown] = before ? await filtersSeen(ctx, [before]) : [];
  if (before && isSame(shown, sent)) return before;
  const hidden = before?.projectIds.filter((id) => !shown!.projectIds.includes(id)) ?? [];
  const projectIds = await projectsNamed(ctx, sent.projectIds);
  const isUnlimited = projectIds.length === 0 && shown?.projectIds.length !== 0;
  return {
    projectIds: isUnlimited ? [] : [...projectIds, ...hidden],
    statuses: [...new Set(sent.statuses)],
    priorities: [...new Set(sent.priorities)],
    types: [...new Set(sent.types)],
    assigneeId: await assigneeNamed(ctx, before?.assigneeId ?? null, sent.assigneeId),
    sort: sent.sort,
  };
}

async function projectsNamed(ctx: InWorkspace, refs: readonly string[]): Promise<string[]> {
  const found = await readProjectsAccess(ctx, refs);
  const ids = refs.map((ref, n) => {
    const project = found.get(ref);
    return project && seesProject(ctx.principal, project)
      ? project.id
      : refuseReference(`/filter/projectIds/${n}`, ref);
  });
  return [...new Set(ids)];
}

/**
 * `me` stays as it is: in a shared view it means the person who reads the view. The present assignee is not checked again,
 * because they may have left the workspace.
 */
async function assigneeNamed(ctx: InWorkspace, present: string | null, ref: string | null): Promise<string | null> {
  if (ref === null) return null;
  if (ref.toLowerCase() === "me") return "me";
  const id = readId(ref);
  if (id !== null && id === present) return id;
  const people = await findPeople(ctx.db, ctx.workspace.id, [ref], ctx.principal, "workspace");
  return people.get(referenceKey(ref))?.id ?? refuseReference("/filter/assigneeId", ref);
}
