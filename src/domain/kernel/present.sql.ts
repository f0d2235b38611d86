import type { Db, Statement } from "./ports/ports.ts";
import type { Workspace } from "./rows.ts";

/**
 * What reads say while issues are about to change in the background (domain/work/mass-changes). The tables still have
 * the old values then; views of the same columns show the new ones: `issue_now`, `issue_planned_now` if no column of a
 * board changes, and `custom_field_value_now`. In workspaces without such a change, which is nearly always, statements
 * stay as they are and keep their plans.
 *
 * A statement that needs the stored row, because it locks it, says so: `from only issue`.
 */
const ISSUE = /\b(from|join)\b(?<!\bdelete\s+from)(\s+\(?)issue\b/g;
const VALUE = /\b(from|join)\b(?<!\bdelete\s+from)(\s+\(?)custom_field_value\b/g;

/** SQL: the kinds of such changes in the workspace `w`. */
export const changesIn = (w: string): string =>
  `array(select distinct mc.kind from mass_change mc where mc.workspace_id = ${w}.id)`;

/** SQL: the workspace `w` as JSON. */
export const workspaceJson = `json_build_object('id', w.id, 'slug', w.slug, 'name', w.name, 'plan', w.plan,
                             'changing', ${changesIn("w")})`;

/** The same reads, as true as the workspace needs them. */
export const present = (db: Db, { changing = [] }: Pick<Workspace, "changing">): Db =>
  changing.length > 0 ? presentDb(db, changing) : db;

/** What changes: the status of issues and whether they are archived, or values of fields. */
type Parts = { columns: boolean; values: boolean };
const partsOf = (kinds: readonly string[]): Parts => ({
  columns: kinds.includes("category") || kinds.includes("column"),
  values: kinds.includes("field") || kinds.includes("options"),
});

const known = new WeakMap<Db, Map<string, Db>>();
const partsShown = new WeakMap<Db, Parts>();

/** Whether these are reads of issues as they are about to be, and whether their status is, too. */
export const shows = (db: Db): { changes: boolean; columns: boolean } => ({
  changes: partsShown.has(db),
  columns: partsShown.get(db)?.columns ?? false,
});

/** Reads that show issues as they are about to be. */
export function presentDb(db: Db, kinds: readonly string[]): Db {
  if (partsShown.has(db)) return db;
  const parts = partsOf(kinds);
  const key = JSON.stringify(parts);
  const found = known.get(db)?.get(key);
  if (found) return found;
  const made: Db = { query: (statement, values) => db.query(presentStatement(statement, parts), values) };
  known.set(db, (known.get(db) ?? new Map()).set(key, made));
  partsShown.set(made, parts);
  return made;
}

/** A prepared statement gets another name, because its text differs. */
export function presentStatement(statement: Statement, { columns, values }: Parts): Statement {
  const { name, text } = statement;
  let changed = text.replace(ISSUE, `$1$2issue_${columns ? "" : "planned_"}now`);
  if (columns) changed = changed.replace(LIVE, "($1.stored_archived_at is null and $1.stored_stays)");
  if (values) changed = changed.replace(VALUE, "$1$2custom_field_value_now");
  if (changed === text) return statement;
  return name
    ? { ...statement, name: `${name}_now${columns ? "_c" : ""}${values ? "_v" : ""}`, text: changed }
    : { text: changed };
}

/**
 * SQL: the issue `i`, which is not a stored row (`from only issue`), is not archived. Indexes have live issues only, and
 * Postgres uses them while columns change, too: an issue that is live by then is live as stored, and its column stays.
 */
export const isLive = (i: string): string => `${i}.archived_at is null /* live */`;
const LIVE = /\b(\w+)\.archived_at is null \/\* live \*\//g;
