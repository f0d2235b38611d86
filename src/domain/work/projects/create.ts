import { record } from "../../events/record.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuseField, refuseReference } from "../../kernel/errors.ts";
import { newId, referenceKey } from "../../kernel/ids.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import { endsBefore, withDays } from "../../kernel/whole-days.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";
import { insertProject, type NewColumn, type NewProjectMember } from "./create.sql.ts";
import { projectCreated } from "./events.ts";
import type { NewStatus, ProjectCreateInput } from "./inputs.ts";
import { nameProject } from "./keys.ts";
import { CATEGORY_COLORS } from "./palette.ts";
import { countLive, readProject } from "./projects.sql.ts";
import { evenRanks } from "./ranks.ts";
import { type ProjectView, projectView } from "./view.ts";

const DEFAULT_STATUSES: NewStatus[] = [
  { name: "Backlog", category: "backlog" },
  { name: "To Do", category: "todo" },
  { name: "In Progress", category: "in_progress" },
  { name: "In Review", category: "in_review" },
  { name: "Done", category: "done" },
  { name: "Cancelled", category: "cancelled" },
];

/**
 * Creates a project with its board. Projects of a workspace are created one at a time, so that the plan's limit, keys
 * and slugs are checked against committed projects.
 * @throws Refusal plan_limit_reached, already_exists, invalid_reference
 */
export async function createProject(ctx: InWorkspace & Writing, sent: ProjectCreateInput): Promise<ProjectView> {
  const input = withDays(PROJECT_DATES, sent, null);
  checkDates(input);
  await lockWorkspace(ctx, ctx.workspace.id);
  const id = newId();
  const memberIds = await membersNamed(ctx, input.member_ids);
  const members = membersFor(input.scoped ? ctx.principal.user_id : null, memberIds);
  const leadUserId = input.lead_user_id ? await leadNamed(ctx, input.lead_user_id, { id, ...input }, members) : null;

  await enforceProjectLimit(ctx);
  const { key, slug } = await nameProject(ctx, input);
  const columns = columnsFor(input.statuses ?? DEFAULT_STATUSES);
  const entry = columns.find((column) => column.category === "todo") ?? columns[0];
  const project = {
    id,
    key,
    slug,
    name: input.name,
    description_md: input.description_md ?? null,
    lead_user_id: leadUserId,
    scoped: input.scoped,
    estimation_unit: input.estimation_unit,
    icon: input.icon ?? null,
    color: input.color ?? null,
    start_at: input.start_at ?? null,
    start_on: input.start_on ?? null,
    target_at: input.target_at ?? null,
    target_on: input.target_on ?? null,
    default_status_id: entry?.id ?? null,
    created_by: ctx.principal.user_id,
  };
  await insertProject(ctx.db, ctx.workspace.id, { project, columns, members, now: ctx.now });

  const view = projectView(ctx, await readProject(ctx.db, ctx.workspace.id, project.id, ctx.principal.user_id));
  record({ ...ctx, project }, projectCreated, view);
  return view;
}

async function membersNamed(ctx: InWorkspace, refs: string[]): Promise<string[]> {
  const people = await findPeople(ctx.db, ctx.workspace.id, refs, ctx.principal, "workspace");
  return refs.map((ref, n) => (people.get(referenceKey(ref)) ?? refuseReference(`/member_ids/${n}`, ref)).id);
}

/** Looks up the lead. Leading a project gives no access to it, so the lead must be able to see it already. */
async function leadNamed(
  ctx: InWorkspace,
  ref: string,
  project: { id: string; scoped: boolean },
  members: NewProjectMember[],
): Promise<string> {
  const among = { project, besides: members.map(({ user_id }) => user_id) };
  const people = await findPeople(ctx.db, ctx.workspace.id, [ref], ctx.principal, among);
  return (people.get(referenceKey(ref)) ?? refuseReference("/lead_user_id", ref)).id;
}

/** Checks the plan's limit of projects. Archived projects do not count. @throws Refusal plan_limit_reached */
export const enforceProjectLimit = (ctx: InWorkspace & Writing): Promise<void> =>
  enforcePlanLimit(ctx, "projects", () => countLive(ctx.db, ctx.workspace.id));

export const PROJECT_DATES = ["start_at", "target_at"] as const;

type Dates = Partial<Pick<ProjectView, "start_at" | "start_on" | "target_at" | "target_on">>;

/** @throws Refusal validation_failed */
export function checkDates({ start_at = null, start_on = null, target_at = null, target_on = null }: Dates): void {
  if (endsBefore({ at: target_at, on: target_on }, { at: start_at, on: start_on })) {
    refuseField("/target_at", "too_small", "must not be before start_at");
  }
}

function columnsFor(statuses: NewStatus[]): NewColumn[] {
  const ranks = evenRanks(statuses.length);
  return statuses.map((status, index) => ({
    id: newId(),
    name: status.name,
    category: status.category,
    color: status.color ?? CATEGORY_COLORS[status.category],
    rank: ranks[index] as string,
  }));
}

/** The creator of a scoped project becomes its admin, because otherwise they could not see it. */
function membersFor(admin: string | null, memberIds: string[]): NewProjectMember[] {
  const others = [...new Set(memberIds)].filter((id) => id !== admin);
  const members = others.map((id) => ({ user_id: id, role: "member" }));
  return admin === null ? members : [{ user_id: admin, role: "admin" }, ...members];
}
