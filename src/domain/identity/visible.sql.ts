import type { Caller } from "../rows.ts";
import { isAdmin } from "./scopes.ts";

/** Which projects a caller sees, as a condition of SQL. It says what `seesProject` says in the engine. */

/** What makes the project `p` visible; its parameters are those of `visibility`, from `first` on. */
export const visible = (first: number): string => `
  ($${first}::uuid[] is null or p.id = any($${first}))
  and ($${first + 1}::boolean or (not p.scoped and not $${first + 2}::boolean)
       or exists (select from project_member pm where pm.project_id = p.id and pm.user_id = $${first + 3}::uuid))`;

export const visibility = (caller: Caller): unknown[] => [
  caller.project_ids,
  isAdmin(caller.role),
  caller.role === "guest",
  caller.user_id,
];
