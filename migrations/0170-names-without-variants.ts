import { Migration } from "@mikro-orm/migrations";

/** SQL: the name in NFC, with one kind of space, and without marks of direction and blanks without width. */
const clean = (name: string): string => `
  btrim(regexp_replace(
    regexp_replace(normalize(${name}, NFC), '[\\u00ad\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]', '', 'g'),
    '[\\s\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+', ' ', 'g'))`;

/** Tables whose names are looked up, with what makes a name unique. Null: nothing does. */
const NAMED: readonly [table: string, within: string | null][] = [
  ["label", "o.project_id = t.project_id"],
  ["board_status", "o.project_id = t.project_id and o.deleted_at is null"],
  ["custom_field", "o.project_id = t.project_id and o.deleted_at is null"],
  ...["project", "workspace", "sprint", "milestone", "release", "app_user"].map((table): [string, null] => [
    table,
    null,
  ]),
];

/**
 * Names are stored and compared in one form (`flattened` and `nameKey` in domain/kernel/text.ts). Stored names get it, too,
 * except two of one project that would be equal. Only rows that differ are written.
 */
export class NamesWithoutVariants extends Migration {
  override up(): void {
    // As foldCase() in domain/kernel/text.ts.
    this.addSql(`
      create function name_key(name text) returns text language sql immutable strict parallel safe
      return replace(replace(replace(lower(name collate "und-x-icu"), 'ß', 'ss'), 'ς', 'σ'), U&'i\\0307', 'i')`);
    for (const [table, within] of NAMED) {
      const alone = `
        not exists (select from ${table} o
                    where ${within} and o.id <> t.id and name_key(${clean("o.name")}) = name_key(${clean("t.name")}))`;
      this.addSql(`
        update ${table} t set name = ${clean("t.name")}, updated_at = now()
        where t.name <> ${clean("t.name")} and ${clean("t.name")} <> '' ${within === null ? "" : `and ${alone}`}`);
    }
  }
}
