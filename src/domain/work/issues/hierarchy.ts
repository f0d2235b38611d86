import type { IssueType } from "../../access/identity/issue-row.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { ancestorsOf, heightOf } from "./hierarchy.sql.ts";

/** Maximum number of levels, including the top one. */
export const MAX_DEPTH = 8;

/** An epic, as issues refer to it. */
export type EpicRef = { epic_id: string | null; epic_number: number | null };
export const NO_EPIC: EpicRef = { epic_id: null, epic_number: null };

/** The epic that an issue passes on to the issues below it: itself, or the one to which it belongs. */
export function epicPassedOn(above: (EpicRef & { id: string; number: number; type: IssueType }) | null): EpicRef {
  if (!above) return NO_EPIC;
  if (above.type === "epic") return { epic_id: above.id, epic_number: above.number };
  return { epic_id: above.epic_id, epic_number: above.epic_number };
}

/**
 * Checks the types of a family: an epic has neither parent nor epic, a subtask has a parent, and `epic` names an epic.
 * Parent and epic must not be archived.
 * @throws Refusal invalid_reference, validation_failed
 */
export function checkFamily(
  type: IssueType,
  parent: { archived_at?: string | null } | null,
  epic: { type: IssueType; archived_at?: string | null } | null,
): void {
  if (type === "subtask" && !parent) {
    refuseField("/parent", "required", "is required for a subtask: send the key or id of an issue of the project");
  }
  if (type === "epic" && parent) refuseReference("/parent", null, { message: "An epic has no parent." });
  if (type === "epic" && epic) refuseReference("/epic", null, { message: "An epic has no epic." });
  if (parent?.archived_at) refuseReference("/parent", null, { message: "The parent is archived." });
  if (epic?.archived_at) refuseReference("/epic", null, { message: "The epic is archived." });
  if (epic && epic.type !== "epic") refuseReference("/epic", null, { message: "epic must be an issue of type epic." });
}

/**
 * Checks that an issue with all its descendants fits under a new parent. The caller has locked the board, so that two
 * moves together cannot create a cycle.
 * @throws Refusal parent_cycle with the path, depth_limit_reached
 */
export async function checkParent(
  db: Db,
  workspaceId: string,
  issueId: string,
  parent: { id: string; depth: number },
): Promise<void> {
  const above = await ancestorsOf(db, workspaceId, parent.id);
  if (above.includes(issueId)) {
    refuse("parent_cycle", {
      path: "/parent",
      cycle: [...above.slice(0, above.indexOf(issueId) + 1)].reverse(),
    });
  }
  const height = await heightOf(db, workspaceId, issueId, MAX_DEPTH);
  if (parent.depth + height > MAX_DEPTH) refuse("depth_limit_reached", { path: "/parent", max_depth: MAX_DEPTH });
}
