import type { InProject } from "../../kernel/context.ts";
import { refuseField, refuseReference } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { nameKey } from "../../kernel/text.ts";
import { findNamed } from "../fields/named.ts";
import { type FieldKind, namesSomething } from "../fields/rows.ts";
import { docsNamed, type NamedRow, peopleNamed, projectsNamed } from "./choices.sql.ts";
import type { FormField } from "./rows.ts";

/**
 * Options of form fields that set a custom field of people, projects or docs. Only the form's maker says which there are,
 * so a form tells nobody who is a member, and nobody can send another one.
 */

/**
 * Returns the ids of what the options name: by id, e-mail address or key, or else by a name that only one object has.
 * Null for other kinds of custom fields.
 * @param before the field as it was; its options keep what they named
 * @throws Refusal invalid_reference, validation_failed
 */
export async function choicesOf(
  ctx: InProject,
  { options }: FormField,
  kind: FieldKind,
  before: FormField | undefined,
  path: string,
): Promise<string[] | null> {
  if (!namesSomething(kind)) return null;
  const kept = new Map(before?.option_ids?.map((id, n): [string, string] => [before.options[n]!, id]));
  const open = options.filter((option) => !kept.has(option));
  const byName = Map.groupBy(await named(ctx, kind, open), ({ name }) => name);
  const known = await findAll(ctx, kind, [...open, ...[...byName.values()].flat().map(({ id }) => id)]);
  return options.map((option, n) => {
    const own = kept.get(option) ?? known(option);
    if (own) return own;
    const found = (byName.get(nameKey(option)) ?? []).filter(({ id }) => known(id));
    if (found.length > 1) {
      const by = { user: "their e-mail address or id", project: "its key or id", doc: "its id" }[kind as Naming];
      refuseField(`${path}/options/${n}`, "not_allowed", `names more than one ${kind}: write ${by}`);
    }
    return found[0]?.id ?? refuseReference(`${path}/options/${n}`, option);
  });
}

type Naming = "user" | "project" | "doc";
const BY_NAME: Record<Naming, (ctx: InProject, names: string[]) => Promise<NamedRow[]>> = {
  user: peopleNamed,
  project: projectsNamed,
  doc: docsNamed,
};

async function named(ctx: InProject, kind: FieldKind, options: string[]): Promise<NamedRow[]> {
  const names = options.map(nameKey);
  return names.length === 0 ? [] : BY_NAME[kind as Naming](ctx, names);
}

/** Returns a function that finds the id of what a text refers to, if the caller can see it. */
async function findAll(ctx: InProject, kind: FieldKind, refs: string[]): Promise<(ref: string) => string | undefined> {
  // `me` would be somebody else for everybody who sends the form.
  const values = refs.filter((ref) => ref.trim().toLowerCase() !== "me").map((value) => ({ kind, value }));
  const { people, projects, docs } = await findNamed(ctx, values);
  return (ref) => {
    const key = referenceKey(ref.trim());
    const id = readId(ref.trim());
    return people.get(key)?.id ?? projects.get(key) ?? (id && docs.has(id) ? id : undefined);
  };
}
