import type { z } from "zod";
import { accessChanged } from "../../access/identity/access-changed.ts";
import { recordChange } from "../../events/record.ts";
import type { InProject, InWorkspace, Writing } from "../../kernel/context.ts";
import { inputPart } from "../../kernel/described.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { lockBoard, lockProject, lockWorkspace } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { withDays } from "../../kernel/whole-days.ts";
import { flag } from "../../kernel/wire.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";
import { columnsOf } from "../issues/board.sql.ts";
import { checkDates, PROJECT_DATES } from "./create.ts";
import { aboutProjectList } from "./descriptions.ts";
import { ProjectEntity } from "./entities.ts";
import { projectUpdated } from "./events.ts";
import type { ProjectPatchInput } from "./inputs.ts";
import { listProjects, readProject } from "./projects.sql.ts";
import { type ProjectView, projectView } from "./view.ts";

export const ProjectListQuery = inputPart(aboutProjectList, { archived: flag.optional() });
type ProjectListQuery = z.output<typeof ProjectListQuery>;

/** Returns a page of the projects that the caller can see, by name. */
export async function listPage(ctx: InWorkspace, { archived, paging }: ProjectListQuery & { paging: Paging }) {
  const rows = await listProjects(ctx.db, ctx.workspace.id, ctx.principal, {
    archived: archived === "true",
    after: paging.after,
    limit: paging.limit + 1,
  });
  const page = pageOf(rows, paging, (row) => [row.name, row.id]);
  return { rows: page.rows.map((row) => projectView(ctx, row)), next_cursor: page.next_cursor };
}

/** Returns the project as the caller sees it. */
export async function read(ctx: InProject): Promise<ProjectView> {
  return projectView(ctx, await readProject(ctx.db, ctx.workspace.id, ctx.project.id, ctx.principal.user_id));
}

/**
 * Changes a project. A call that changes nothing records nothing.
 * @throws Refusal immutable_field, invalid_reference, validation_failed, archived, insufficient_role
 */
export async function change(ctx: InProject & Writing, wanted: ProjectPatchInput): Promise<ProjectView> {
  for (const field of ["key", "slug"] as const) {
    if (wanted[field] !== undefined)
      refuse("immutable_field", { message: `The ${field} of a project cannot be changed.`, path: `/${field}` });
  }
  // The people and columns that the body names must not be removed meanwhile.
  if (wanted.lead_user_id || wanted.default_assignee_id) await lockWorkspace(ctx, ctx.workspace.id);
  if (wanted.default_status_id !== undefined || wanted.transition_rules) await lockBoard(ctx);
  const { project, before } = await lock(ctx);
  if (project.archived_at && !isAccess(wanted)) refuse("archived", { archived_at: project.archived_at });

  const changes = changesTo(before, await changesFor(ctx, before, withDays(PROJECT_DATES, wanted, before)));
  if (Object.keys(changes).length === 0) return before;
  if ("scoped" in changes) {
    checkMayChangeAccess(ctx, before);
    accessChanged(ctx, ctx.workspace.id, null);
  }
  Object.assign(project, changes);
  checkDates(project);
  const view = await store(ctx, project);
  recordChange(ctx, projectUpdated, before, view);
  return view;
}

/**
 * Refuses a change of who can see the project, unless the caller is an admin of the project or the workspace. Admins
 * can still see it afterwards.
 */
const isAccess = (wanted: ProjectPatchInput) => Object.keys(wanted).join() === "scoped";

/** Locks the project and returns it with its view. */
export async function lock(ctx: InProject & Writing): Promise<{ project: ProjectEntity; before: ProjectView }> {
  await lockProject(ctx);
  return { project: await ctx.em.findOneOrFail(ProjectEntity, { id: ctx.project.id }), before: await read(ctx) };
}

/** Stores a changed project, and returns its new view. */
export async function store(ctx: InProject & Writing, project: ProjectEntity): Promise<ProjectView> {
  project.updated_at = ctx.now;
  await ctx.em.flush();
  return read(ctx);
}

/** Returns the changed fields, with ids for the objects that the body names. */
async function changesFor(ctx: InProject, before: ProjectView, wanted: ProjectPatchInput) {
  const {
    key: _key,
    slug: _slug,
    lead_user_id,
    default_assignee_id,
    default_status_id,
    transition_rules,
    ...plain
  } = wanted;
  const people = await peopleOf(ctx, before, { lead_user_id, default_assignee_id, scoped: wanted.scoped });
  const columns = { default_status_id, transition_rules };
  return { ...plain, ...people, ...(await columnsNamed(ctx, columns)) };
}

/**
 * Looks up the lead and the default assignee. They must be able to see the project after the change. Present ones may
 * stay in any case, so that a client can send back what it has read.
 */
async function peopleOf(
  ctx: InProject,
  before: ProjectView,
  wanted: Pick<ProjectPatchInput, "lead_user_id" | "default_assignee_id" | "scoped">,
) {
  const { scoped = before.scoped, lead_user_id, default_assignee_id } = wanted;
  const refs = [lead_user_id, default_assignee_id].filter((ref) => typeof ref === "string");
  const project = { id: ctx.project.id, scoped };
  const found = await findPeople(ctx.db, ctx.workspace.id, refs, ctx.principal, { project });
  const idOf = (field: "lead_user_id" | "default_assignee_id") => {
    const ref = wanted[field];
    if (typeof ref !== "string") return ref;
    if (before[field] !== null && readId(ref) === before[field]) return before[field];
    return found.get(referenceKey(ref))?.id ?? refuseReference(`/${field}`, ref);
  };
  return { lead_user_id: idOf("lead_user_id"), default_assignee_id: idOf("default_assignee_id") };
}

async function columnsNamed(
  ctx: InProject,
  { default_status_id, transition_rules }: Pick<ProjectPatchInput, "default_status_id" | "transition_rules">,
) {
  if (default_status_id === undefined && !transition_rules) return { transition_rules };
  const live = new Set((await columnsOf(ctx.db, ctx.workspace.id, ctx.project.id)).map((column) => column.id));
  const check = (path: string, id: string) => (live.has(id) ? id : refuseReference(path, id));
  if (default_status_id !== undefined) check("/default_status_id", default_status_id);
  for (const [from, targets] of Object.entries(transition_rules ?? {})) {
    check("/transition_rules", from);
    for (const to of targets) check(`/transition_rules/${from}`, to);
  }
  return { default_status_id, transition_rules };
}

/**
 * Refuses a change of who can see the project, unless the caller is an admin of the project or the workspace. Admins
 * can still see it afterwards.
 */
function checkMayChangeAccess({ principal }: InProject, { my_role }: ProjectView) {
  if (isAdmin(principal.role) || my_role === "admin") return;
  refuse("insufficient_role", {
    message: "Only admins of the project or the workspace can change who sees it.",
    role: principal.role,
    required_role: "project admin",
    path: "/scoped",
  });
}
