import type { Db, Statement } from "./ports/ports.ts";
import type { Workspace } from "./rows.ts";

/**
 * What reads say while issues are about to change in the background (domain/work/mass-changes). The tables still have
 * the old values then; views of the same columns, called `issue_now` and `custom_field_value_now`, show the new ones.
 * In workspaces without such a change, which is nearly always, statements stay as they are and keep their plans.
 *
 * A statement that needs the stored row, because it locks it, says so: `from only issue`.
 */
const STORED = /(?<!\bdelete\s+)\b(from|join)(\s+\(?)(issue|custom_field_value)\b/g;

/** SQL: whether the workspace `w` has such a change. */
export const isChanging = (w: string): string => `exists (select from mass_change mc where mc.workspace_id = ${w}.id)`;

/** SQL: the workspace `w` as JSON. */
export const workspaceJson = `json_build_object('id', w.id, 'slug', w.slug, 'name', w.name, 'plan', w.plan,
                             'changing', ${isChanging("w")})`;

/** The same reads, as true as the workspace needs them. */
export const present = (db: Db, { changing }: Pick<Workspace, "changing">): Db => (changing ? presentDb(db) : db);

const known = new WeakMap<Db, Db>();

/** Reads that show issues as they are about to be. */
export function presentDb(db: Db): Db {
  let found = known.get(db);
  if (!found) {
    found = { query: (statement, values) => db.query(presentStatement(statement), values) };
    known.set(db, found);
    known.set(found, found);
  }
  return found;
}

/** A prepared statement gets another name, because its text differs. */
export function presentStatement({ name, text }: Statement): Statement {
  const changed = text.replace(STORED, "$1$2$3_now");
  if (changed === text) return name ? { name, text } : { text };
  return name ? { name: `${name}_now`, text: changed } : { text: changed };
}
