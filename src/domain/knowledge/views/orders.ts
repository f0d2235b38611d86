import { type IssueRow, PRIORITIES } from "../../access/identity/issue-row.ts";

/** The orders of views. Each has an index of the issues of a project (migration 0048). */

export const VIEW_SORTS = ["updated_desc", "created_desc", "priority_desc", "due_asc"] as const;
export type ViewSort = (typeof VIEW_SORTS)[number];

export type Order = {
  /** SQL of the sort key, from `issue i`. The id decides between equal keys. */
  key: string;
  type: "timestamptz" | "int";
  direction: "asc" | "desc";
  /** The same key of a row that was read, for the cursor. */
  of(row: IssueRow): string | number;
};

export const ORDERS: Readonly<Record<ViewSort, Order>> = {
  updated_desc: { key: "i.updated_at", type: "timestamptz", direction: "desc", of: (row) => row.updated_at },
  created_desc: { key: "i.created_at", type: "timestamptz", direction: "desc", of: (row) => row.created_at },
  priority_desc: {
    key: `array_position('{lowest,low,medium,high,highest,critical}'::text[], i.priority)`,
    type: "int",
    direction: "desc",
    of: (row) => PRIORITIES.indexOf(row.priority) + 1,
  },
  // Issues that are never due come last.
  due_asc: {
    key: "coalesce(i.due_at, 'infinity'::timestamptz)",
    type: "timestamptz",
    direction: "asc",
    of: (row) => row.due_at ?? "infinity",
  },
};
