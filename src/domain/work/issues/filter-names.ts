import { timezoneOf } from "../../access/identity/timezones.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { startOfDayIn } from "../../kernel/locale.ts";
import { nameKey } from "../../kernel/text.ts";
import { midnight } from "../../kernel/whole-days.ts";
import { isDay } from "../../kernel/wire.ts";
import { idsByName, namesIn } from "./filter-names.sql.ts";
import type { ForFilters } from "./list.ts";
import type { ListFilter } from "./list-conditions.sql.ts";
import type { Wanted } from "./list-filter.ts";
import type { Found } from "./references.sql.ts";
import { wrongValue } from "./wrong-value.ts";

/** The names in filters: which of them nothing here has, and the ids of the others. */

/**
 * Refuses names, e-mail addresses and keys that nothing here has. An id may be of an object that was deleted, so an
 * unknown one matches nothing.
 * @throws Refusal invalid_parameter
 */
export async function refuseUnknown(ctx: ForFilters, query: Wanted, found: Found | null): Promise<void> {
  const unknown = (values: string[] | undefined, known: (ref: string) => boolean) =>
    values?.find((ref) => ref !== "none" && !readId(ref) && !known(referenceKey(ref)));
  const label = unknown(query.label, (ref) => found?.labels.has(ref) ?? false);
  if (label !== undefined) wrongValue("label", label, "a label of this project", await namesIn(ctx, "label"));
  for (const [parameter, refs] of Object.entries({ assignee: query.assignee, reporter: query.reporter })) {
    const person = unknown(refs, (ref) => found?.people.has(ref) ?? false);
    if (person !== undefined) wrongValue(parameter, person, "the e-mail address of a member whom you can see");
  }
  for (const [parameter, refs] of Object.entries({ parent: query.parent, epic: query.epic })) {
    const issue = unknown(refs, (ref) => found?.issues.has(ref) ?? false);
    if (issue !== undefined) wrongValue(parameter, issue, `an issue of the project ${ctx.project.key}`);
  }
}

/** The ids of sprints, milestones or releases that are named by id or name. @throws Refusal invalid_parameter */
export async function planned(
  ctx: ForFilters,
  kind: "sprint" | "milestone" | "release",
  values: string[] = [],
  words: string[],
): Promise<string[]> {
  const names = values.filter((value) => !words.includes(value) && !readId(value));
  const ids = names.length === 0 ? new Map<string, string[]>() : await idsByName(ctx, kind, names);
  const idsOf = (value: string): string[] | null => {
    const id = words.includes(value) ? value : readId(value);
    return id === null ? (ids.get(nameKey(value)) ?? null) : [id];
  };
  const unknown = names.find((value) => idsOf(value) === null);
  if (unknown === undefined) return values.flatMap((value) => idsOf(value) ?? []);
  const expected = `a ${kind} of this project, by id or name, or ${words.join(" or ")}`;
  return wrongValue(kind, unknown, expected, [...words, ...(await namesIn(ctx, kind))]);
}

/** Before a day means before its midnight in UTC for whole days, and before its beginning in the workspace for instants. */
export async function dueBefore({ db, workspace }: InWorkspace, at: string): Promise<ListFilter> {
  if (!isDay(at)) return { column: "due_at", any: [at], none: false };
  const begins = startOfDayIn(at, await timezoneOf(db, workspace.id));
  return { column: "due_at", any: [...new Set([midnight(at), begins])], none: false };
}
