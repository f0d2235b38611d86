import { CUSTOM_FIELD } from "../../access/agents/field-policy.ts";
import { writeRecorded } from "../../events/events.sql.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { checkFieldOfMany } from "../issues/allowed-fields.ts";
import { namesOf } from "../issues/history.sql.ts";
import { recordComparedIssue } from "../issues/history.ts";
import { readIssues } from "../issues/unassign.sql.ts";
import { keptOptions } from "./definition.ts";
import { clearBatch, type Dropped, issuesWith, replaceValues } from "./drop-values.sql.ts";
import { type FieldRow, namesSomething, type StoredValue } from "./rows.ts";

/** Changes that a changed or deleted field makes to issues with a value of it. Each issue gets its own event. */

/** Number of issues that are changed and recorded at a time. One may contain 64 kB of text. */
const BATCH_SIZE = 200;

/** Removes a field's values from all issues, also archived ones. Returns the number of issues. */
export async function clearValues(ctx: InProject & Writing, field: FieldRow): Promise<number> {
  let cleared = 0;
  for (;;) {
    const dropped = await clearBatch(ctx, field.id, BATCH_SIZE);
    if (dropped.length === 0) return cleared;
    cleared += dropped.length;
    await recordBatch(ctx, field, dropped);
  }
}

/** Removes dropped options from all issues that have them. An option that only changes its spelling stays. */
export async function dropOptions(ctx: InProject & Writing, field: FieldRow, options: string[]): Promise<void> {
  const dropped = field.options.filter((option) => !options.includes(option));
  if (dropped.length === 0) return;
  for (let after: string | null = null; ; ) {
    const part: Dropped[] = await issuesWith(ctx, field.id, dropped, after, BATCH_SIZE);
    if (part.length === 0) return;
    const left = ({ value }: Dropped): StoredValue | null => {
      const kept = keptOptions(value, options);
      return field.kind === "multi_select" ? kept : (kept?.[0] ?? null);
    };
    await replaceValues(
      ctx,
      field.id,
      part.map((issue) => ({ id: issue.id, value: left(issue) })),
    );
    await recordBatch(ctx, field, part);
    after = part.at(-1)!.id;
  }
}

/** Each batch is stored at once, so that memory never contains more than one. */
async function recordBatch(ctx: InProject & Writing, field: FieldRow, dropped: Dropped[]): Promise<void> {
  checkFieldOfMany(ctx.principal, `${CUSTOM_FIELD}${field.id}`);
  const earlier = ctx.recorded.length;
  const values = new Map(dropped.map(({ id, value }) => [id, value]));
  const ids = namesSomething(field.kind) ? [...new Set(values.values())].map(String) : [];
  const names = await namesOf(ctx.db, ctx.workspace.id, ids);
  names.set(field.id, field.name);
  for (const { project_key: _key, project_slug: _slug, ...issue } of await readIssues(ctx, [...values.keys()])) {
    const before = { ...issue, custom_fields: { ...issue.custom_fields, [field.id]: values.get(issue.id) } };
    recordComparedIssue(ctx, before, issue, names);
  }
  await writeRecorded(ctx, ctx.recorded.splice(earlier));
}
