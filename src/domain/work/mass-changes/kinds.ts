import type { CUSTOM_FIELD, FieldName } from "../../access/agents/field-policy.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import type { Changes, FullIssue } from "../issues/change.sql.ts";
import { category, column } from "./kinds/columns.ts";
import { field, options } from "./kinds/fields.ts";
import { label } from "./kinds/label.ts";
import { openOfSprint, planned, wholeSprint } from "./kinds/planned.ts";
import type { Item, MassChange } from "./rows.ts";

/**
 * The kinds of mass changes. To add one:
 * 1. Write its file in kinds/ and list it below.
 * 2. In a migration, add it to the function `has_to_come`, and to the views `issue_now` and `custom_field_value_now` as far
 *    as it changes what they show. The views, `toCome` and `changesOf` must agree; test/work/mass-changes.test.ts compares
 *    them for each kind.
 * 3. Mark the object as deleted or changed and call `changeIssues` (change-issues.ts), with the board locked.
 * 4. If its object's own event starts the worker, list the event in src/workers/work/make-mass-changes.ts.
 */
export type MassKind = ComparedKind | OwnKind;
type AnyKind = {
  /** SQL condition over `mass_change m` and `issue i` that an index serves: the change is still to come for the issue. */
  toCome: string;
  /** The field's name in the field policies of agents. */
  fieldOf(change: Pick<MassChange, "target_id">): FieldName | `${typeof CUSTOM_FIELD}${string}`;
};
/** Issues are compared before and after. */
export type ComparedKind = AnyKind & {
  make?: never;
  lockBoards?: never;
  /** What changes in an issue; null if nothing does, or no longer. */
  changesOf(issue: FullIssue, change: MassChange): Changes | null;
  /** Writes the changes, increases versions by `steps`, and sets `updated_at` to the later of itself and the change. */
  write(ctx: SettlingCtx, change: MassChange, items: readonly Item[]): Promise<void>;
  /** Ids whose names the lines of history show, besides those of the change's own objects. */
  named?(issue: FullIssue, change: MassChange): string[];
};
/** A change that concerns other issues, too: it makes and records itself. */
export type OwnKind = AnyKind & {
  /** Changes and records locked issues which have it to come. The context reads what is stored. */
  make(ctx: InProject & Writing, change: MassChange, ids: string[]): Promise<void>;
  /** Locks the boards of all issues that it concerns, before issues are locked. */
  lockBoards(ctx: InProject & Writing): Promise<unknown>;
};
export type SettlingCtx = Writing & { readonly workspace: { readonly id: string } };

const KINDS = new Map<string, MassKind>(
  Object.entries({
    label,
    milestone: planned("milestone_id"),
    release: planned("release_id"),
    sprint: wholeSprint,
    open_of_sprint: openOfSprint,
    field,
    options,
    category,
    column,
  }),
);

export function kindOf(name: string): MassKind {
  const kind = KINDS.get(name);
  if (!kind) throw new Error(`There is no kind of mass changes called ${name}.`);
  return kind;
}
