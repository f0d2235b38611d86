import { PRIORITIES } from "../../access/identity/issue-row.ts";
import type { BareIssue } from "../../access/identity/names.ts";

/** The orders of issue lists, of a project and of views across projects. Each has an index of the issues of a project. */

export const VIEW_SORTS = ["updated_desc", "created_desc", "priority_desc", "due_asc"] as const;
export type ViewSort = (typeof VIEW_SORTS)[number];

export const SORTS = ["rank", ...VIEW_SORTS] as const;
export type Sort = (typeof SORTS)[number];

export type Order = {
  /** SQL of the sort key, from `issue i`. The id decides between equal keys. */
  key: string;
  type: "timestamptz" | "int" | `text collate "C"`;
  direction: "asc" | "desc";
  /** The same key of a row that was read, for the cursor. */
  of(row: Pick<BareIssue, "rank" | "number" | "priority" | "due_at" | "created_at" | "updated_at">): string | number;
};

/** When an issue is due. Issues that are never due come last. */
export const DUE = "coalesce(i.due_at, 'infinity'::timestamptz)";

/** The orders of views across projects. */
export const ORDERS: Readonly<Record<ViewSort, Order>> = {
  updated_desc: { key: "i.updated_at", type: "timestamptz", direction: "desc", of: (row) => row.updated_at },
  created_desc: { key: "i.created_at", type: "timestamptz", direction: "desc", of: (row) => row.created_at },
  priority_desc: {
    key: `array_position('{lowest,low,medium,high,highest,critical}'::text[], i.priority)`,
    type: "int",
    direction: "desc",
    of: (row) => PRIORITIES.indexOf(row.priority) + 1,
  },
  due_asc: { key: DUE, type: "timestamptz", direction: "asc", of: (row) => row.due_at ?? "infinity" },
};

/** The orders of a project's list. Numbers of issues go up as issues are created. */
export const LIST_ORDERS: Readonly<Record<Sort, Order>> = {
  ...ORDERS,
  rank: { key: "i.rank", type: `text collate "C"`, direction: "asc", of: (row) => row.rank },
  created_desc: { key: "i.number", type: "int", direction: "desc", of: (row) => row.number },
};
