import type { ListOptions } from "./list.sql.ts";
import type { ListFilter, Param } from "./list-conditions.sql.ts";

/**
 * Conditions of a list on stored rows, while many issues are about to change (kernel/present.sql.ts). What issues will be
 * is in no index, but what is stored tells which of them could match.
 */

const PLANNING = ["milestone_id", "sprint_id", "release_id"] as const;
type Planning = (typeof PLANNING)[number];
const isPlanning = (column: string): column is Planning => PLANNING.some((one) => one === column);

/** Columns of which no index has the values to come. */
export const CHANGING_COLUMNS: readonly ListFilter["column"][] = PLANNING;

/** Conditions that hold for each issue that matches the filters. */
export function storedOf(
  filters: readonly ListFilter[],
  { archived }: Pick<ListOptions, "archived">,
  shown: { changes: boolean; columns: boolean },
  param: Param,
): string[] {
  if (!shown.changes) return [];
  return filters.flatMap((filter) => {
    const { column } = filter;
    if (column === "label_ids") return [labels(filter, param)];
    // A column that opens or closes takes issues out of sprints and back.
    if (isPlanning(column) && !(column === "sprint_id" && shown.columns)) return [planned(column, filter, param)];
    return column === "status" && shown.columns && !archived ? [ofColumns(filter, param)] : [];
  });
}

const changes = (kinds: string, condition: string) =>
  `array(select m.target_id from mass_change m where m.project_id = $2 and m.kind in (${kinds}) and ${condition})`;
const PLANS = "'milestone', 'sprint', 'release', 'open_of_sprint'";

function planned(column: Planning, { any, none }: ListFilter, param: Param): string {
  const stored = `i.stored_${column}`;
  const parts: string[] = [];
  if (any.length > 0) {
    const wanted = `${param(any)}::uuid[]`;
    // The indexes have only issues with a value, which a comparison with an array does not show.
    parts.push(`${stored} is not null and ${stored} = any(${wanted} || ${changes(PLANS, `m.to_id = any(${wanted})`)})`);
  }
  if (none) parts.push(`${stored} is null or ${stored} = any(${changes(PLANS, "m.to_id is null")})`);
  return `(${parts.join(" or ")})`;
}

function labels({ any, none }: ListFilter, param: Param): string {
  const parts: string[] = [];
  if (any.length > 0) parts.push(`i.stored_label_ids && ${param(any)}::uuid[]`);
  if (none) parts.push(`i.stored_label_ids = '{}' or i.stored_label_ids && ${changes("'label'", "true")}`);
  return `(${parts.join(" or ")})`;
}

/** A live issue has the category of its column. */
const ofColumns = ({ any, orColumns = [] }: ListFilter, param: Param) => `(
  i.status_id is null or i.status_id = any(${param(orColumns)}::uuid[] || array(
    select s.id from board_status s where s.workspace_id = $1 and s.project_id = $2 and s.category = any(${param(any)}::text[]))))`;
