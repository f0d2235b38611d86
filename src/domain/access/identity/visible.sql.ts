import type { Principal } from "../../kernel/principal.ts";
import { isAdmin } from "../../kernel/roles.ts";
import type { Project } from "../../kernel/rows.ts";

/** SQL conditions for the visibility of projects. They match `seesProject`. */

/** Whether the project `p` is visible. Its parameters are those of `visibility`, starting at `first`. */
export const visible = (first: number): string => `
  ($${first}::uuid[] is null or p.id = any($${first}))
  and ($${first + 1}::boolean or (not p.scoped and not $${first + 2}::boolean)
       or exists (select from project_member pm where pm.project_id = p.id and pm.user_id = $${first + 3}::uuid))`;

/**
 * What makes an object visible that belongs to the project `p` or, without one, to the members of the workspace. Guests
 * and keys that are limited to projects see no objects of the whole workspace. Parameters as for `visible`.
 */
export const visibleObject = (first: number): string => `
  case when p.id is null then $${first}::uuid[] is null and not $${first + 2}::boolean else ${visible(first)} end`;

/** Whether the doc `d` of the project `p` is visible: a private one only to its owner. Parameters as for `visible`. */
export const visibleDoc = (first: number): string => `
  (d.visibility = 'workspace' or d.owner_id = $${first + 3}::uuid) and ${visibleObject(first)}`;

/** Whom an object is visible to. Nobody in particular is an owner without an id. */
export type Viewer = Pick<Principal, "role" | "project_ids"> & { readonly user_id: string | null };

export const visibility = (principal: Viewer): unknown[] => [
  principal.project_ids,
  isAdmin(principal.role),
  principal.role === "guest",
  principal.user_id,
];

/**
 * Whether a project is visible to the member `m` of its workspace, regardless of their key. Its parameters are those
 * of `opening`, starting at `first`.
 */
export const visibleTo = (first: number): string => `
  (m.role in ('owner', 'admin') or (m.role <> 'guest' and not $${first + 1}::boolean)
   or exists (select from project_member pm where pm.project_id = $${first}::uuid and pm.user_id = m.user_id))`;

export const opening = ({ id, scoped }: Pick<Project, "id" | "scoped">): unknown[] => [id, scoped];

const MEMBER_SEES = `
  (m.role in ('owner', 'admin') or (m.role <> 'guest' and not p.scoped)
   or exists (select from project_member pm where pm.project_id = p.id and pm.user_id = m.user_id))`;

/**
 * Whether an object of the project `p` or, without one, of the whole workspace is visible to the member `m`, regardless of
 * their key.
 */
export const VISIBLE_TO_MEMBER = `case when p.id is null then m.role <> 'guest' else ${MEMBER_SEES} end`;

/** Whether at least one of the projects in parameter `first` is visible to the member `m` of its workspace. */
export const seesOneOf = (first: number): string => `
  exists (select from project p where p.workspace_id = m.workspace_id and p.id = any($${first}::uuid[])
            and ${MEMBER_SEES})`;
