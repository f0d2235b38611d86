import type { IssueType } from "../../access/identity/issue-row.ts";

export const FIELD_KINDS = [
  "text",
  "number",
  "select",
  "multi_select",
  "date",
  "checkbox",
  "url",
  "user",
  "project",
  "doc",
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

export const hasOptions = (kind: FieldKind): boolean => kind === "select" || kind === "multi_select";

/** A stored value: users, projects and docs as ids, dates as `YYYY-MM-DD`. */
export type StoredValue = string | number | boolean | string[];

export type FieldRow = {
  id: string;
  name: string;
  kind: FieldKind;
  options: string[];
  /** Empty for all types. */
  applies_to: IssueType[];
  required: boolean;
  rank: string;
  description: string | null;
  default_value: StoredValue | null;
  min: number | null;
  max: number | null;
  precision: number | null;
  value_count: number;
  revision: number;
  created_at: string;
  updated_at: string;
};

export const appliesTo = ({ applies_to }: Pick<FieldRow, "applies_to">, type: IssueType): boolean =>
  applies_to.length === 0 || applies_to.includes(type);

/** Whether values are ids of people, projects or docs. */
export const namesSomething = (kind: FieldKind): boolean => kind === "user" || kind === "project" || kind === "doc";
