import { z } from "zod";
import { ISSUE_TYPES } from "../../access/identity/issue-row.ts";
import { inputPart, part } from "../../kernel/described.ts";
import { choice, id, idInput, reference } from "../../kernel/wire.ts";
import { aboutScope } from "./descriptions.ts";

/** Which issues an automatic key result measures. */

export const KEY_RESULT_KINDS = ["manual", "auto"] as const;
export const MEASURES = ["issues", "points"] as const;

const MAX_IDS = 100;

/** Ids in one list are alternatives, and an issue must match all lists. An empty list matches every issue. */
export const ScopeView = part(aboutScope, {
  project_ids: z.array(id),
  issue_types: z.array(z.enum(ISSUE_TYPES)),
  label_ids: z.array(id),
  assignee_id: id.nullable(),
  milestone_ids: z.array(id),
  sprint_ids: z.array(id),
  release_ids: z.array(id),
  parent_ids: z.array(id),
});
export type Scope = z.output<typeof ScopeView>;

const ids = z.array(idInput).max(MAX_IDS).optional();

export const ScopeInput = inputPart(aboutScope, {
  project_ids: z.array(reference).max(MAX_IDS).optional(),
  issue_types: z.array(choice(ISSUE_TYPES)).max(ISSUE_TYPES.length).optional(),
  label_ids: ids,
  assignee_id: reference.nullable().optional(),
  milestone_ids: ids,
  sprint_ids: ids,
  release_ids: ids,
  parent_ids: ids,
});
export type ScopeInput = z.output<typeof ScopeInput>;
