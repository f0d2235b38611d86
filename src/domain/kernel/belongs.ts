import type { Principal } from "./principal.ts";
import { isAdmin } from "./roles.ts";
import type { Project } from "./rows.ts";

/** The project and the audience of an object. The engine checks both for every object that a loader returns. */

/** What access to a project depends on: the project, and the caller's role in it. */
export type ProjectAccess = Pick<Project, "id" | "scoped" | "archived_at" | "role">;

/** Who can see an object, among the people who can see its project or workspace. `members`: everyone but guests. */
export type Audience = "everyone" | "members" | { readonly people: readonly string[] };

export type Belongs = {
  /**
   * The project that the object belongs to; `null` if it belongs to the workspace as a whole. `{ within }` is for keys and
   * webhooks, which may be limited to some projects; `null` in it means all projects.
   */
  readonly project: ProjectAccess | { readonly within: readonly string[] | null } | null;
  readonly audience: Audience;
};

/** What a loader returns for a route below the workspace. */
export type Found<T> = Belongs & { readonly object: T };

/** An object with its project and audience. */
export const found = <T>(object: T, project: ProjectAccess | null, audience: Audience): Found<T> => ({
  object,
  project,
  audience,
});

/** An object of the workspace that every member may see, as far as the operation's scope and role allow. */
export const ofWorkspace = <T>(object: T | null | ""): Found<T> | null =>
  object ? { object, project: null, audience: "everyone" } : null;

/** An object of the workspace that guests do not see, because they see only the projects that they are members of. */
export const ofMembers = <T>(object: T | null | ""): Found<T> | null =>
  object ? { object, project: null, audience: "members" } : null;

/** A key or a webhook, which may be limited to some projects. */
export const limitedTo = <T extends { project_ids?: readonly string[] | null | undefined }>(
  object: T | null | "",
): Found<T> | null =>
  object ? { object, project: { within: object.project_ids ?? null }, audience: "everyone" } : null;

/** The project of an object, if it belongs to one. */
export const projectOf = ({ project }: Belongs): ProjectAccess | null => (project && "id" in project ? project : null);

/** Whether the caller may see an object. Every other object is 404. */
export function sees(principal: Principal, { project, audience }: Belongs): boolean {
  if (audience === "members" && principal.role === "guest") return false;
  if (typeof audience === "object" && !audience.people.includes(principal.user_id)) return false;
  if (project === null) return principal.project_ids === null;
  return "id" in project ? seesProject(principal, project) : reaches(principal, project.within);
}

/**
 * Whether the caller may see a project. A scoped project is visible to its members only, and other projects are hidden
 * from guests who are not members. A key that is limited to projects sees only these.
 */
export function seesProject(
  principal: Pick<Principal, "role" | "project_ids">,
  project: Pick<Project, "id" | "scoped" | "role">,
): boolean {
  if (!reaches(principal, [project.id])) return false;
  if (isAdmin(principal.role)) return true;
  return project.role !== null || (!project.scoped && principal.role !== "guest");
}

/** Whether the caller's key may be used for all of these projects. */
function reaches({ project_ids: own }: Pick<Principal, "project_ids">, projects: readonly string[] | null): boolean {
  if (own === null) return true;
  return projects?.every((id) => own.includes(id)) ?? false;
}
