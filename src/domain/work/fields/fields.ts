import { record, recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse, refuseField } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockLiveProject, lockProject, onBoard } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import { rankAt, requestedRank, type SetRanks } from "../positions.ts";
import { resolveDefinition } from "./definition.ts";
import { clearValues, dropOptions, refuseUnderway } from "./drop-values.ts";
import { customFieldErrors } from "./errors.ts";
import { customFieldCreated, customFieldDeleted, customFieldUpdated } from "./events.ts";
import {
  countFields,
  type Definition,
  fieldNamed,
  insertField,
  listFields,
  lockFields,
  readFields,
  setRanks,
  softDeleteField,
  updateField,
} from "./fields.sql.ts";
import type { CustomFieldDefCreateInput, CustomFieldDefPatchInput } from "./inputs.ts";
import { type FieldRow, hasOptions } from "./rows.ts";
import { CustomFieldDefView } from "./view.ts";

/**
 * A project's custom fields. A change of a field locks the board, the project and then the field, because it may remove
 * values from many issues. Calls that write a value lock the field, too.
 */

/** Returns a page of fields, by rank. */
export async function listPage(ctx: InProject, paging: Paging) {
  const rows = await listFields(ctx, paging.after, paging.limit + 1);
  return pageOf(rows, paging, (row) => [row.rank, row.id]);
}

/** Returns a field. */
export async function read(ctx: InProject, text: string): Promise<FieldRow | null> {
  const id = readId(text);
  const fields = id ? await readFields(ctx, [id]) : [];
  return fields.find((field) => field.id === id) ?? null;
}

/** Locks the board, the project and the field, and returns the field. @throws Refusal archived */
export const byId = (ctx: InProject & Writing, text: string): Promise<FieldRow | null> =>
  onBoard(ctx, async () => {
    await lockProject(ctx);
    return lockById(ctx, text);
  });

/** Locks and returns the field alone, for calls that write a value of it. */
export async function lockById(ctx: InProject & Writing, text: string): Promise<FieldRow | null> {
  const id = readId(text);
  const fields = id ? await lockFields(ctx, [id]) : [];
  return fields.find((field) => field.id === id) ?? null;
}

/** @throws Refusal plan_limit_reached, already_exists, validation_failed, invalid_reference */
export async function create(ctx: InProject & Writing, input: CustomFieldDefCreateInput): Promise<CustomFieldDefView> {
  const settings = await resolveDefinition(ctx, null, input);
  await enforcePlanLimit(ctx, "field_defs_per_project", () => countFields(ctx));
  await lockLiveProject(ctx);
  await checkName(ctx, input.name);

  const others = await all(ctx);
  checkDefaults([...others, settings]);
  const give = giving(ctx, others);
  const rank = (await requestedRank(others, null, input, give)) ?? (await rankAt(others, others.length, give));
  const id = newId();
  await insertField(ctx, id, { ...settings, rank });
  const view = await viewOf(ctx, id);
  record(ctx, customFieldCreated, view);
  return view;
}

/**
 * Changes a field. Dropped options are removed from issues. A call that changes nothing records nothing.
 * @throws Refusal field_in_use, already_exists, validation_failed, invalid_reference
 */
export async function change(
  ctx: InProject & Writing,
  field: FieldRow,
  wanted: CustomFieldDefPatchInput,
): Promise<CustomFieldDefView> {
  const before = CustomFieldDefView.parse(field);
  if (wanted.kind !== undefined && wanted.kind !== field.kind && field.value_count > 0) {
    refuse(customFieldErrors.field_in_use, { value_count: field.value_count, path: "/kind" });
  }
  if (wanted.kind !== undefined && wanted.kind !== field.kind) await refuseUnderway(ctx, field);
  if (wanted.name !== undefined) await checkName(ctx, wanted.name, field.id);
  const next: Definition = {
    ...(await resolveDefinition(ctx, field, wanted)),
    rank: await newRank(ctx, field, wanted),
  };
  const changes = changesTo(before, next);
  if (Object.keys(changes).length === 0) return before;

  if ("default_value" in changes && next.default_value !== null) {
    checkDefaults([...(await all(ctx)).filter(({ id }) => id !== field.id), next]);
  }
  await updateField(ctx, field.id, next);
  if (hasOptions(next.kind)) await dropOptions(ctx, field, next.options);
  const view = await viewOf(ctx, field.id);
  recordChange(ctx, customFieldUpdated, before, view);
  return view;
}

export async function remove(ctx: InProject & Writing, field: FieldRow) {
  await softDeleteField(ctx, field.id);
  const cleared = await clearValues(ctx, field);
  record(ctx, customFieldDeleted, CustomFieldDefView.parse(field));
  return { id: field.id, deleted: true as const, values_deleted: cleared };
}

const all = (ctx: InProject): Promise<FieldRow[]> => listFields(ctx, null, MAX_FIELDS);
// Operators may remove the plan's limit; this limit is far above any real use.
const MAX_FIELDS = 10_000;

/** Maximum length of all defaults as JSON, because every new issue gets them. */
const MAX_DEFAULTS = 16_384;

function checkDefaults(fields: Pick<FieldRow, "default_value">[]) {
  const given = fields.filter(({ default_value: value }) => value !== null);
  const size = given.reduce((sum, { default_value: value }) => sum + JSON.stringify(value).length, 0);
  if (size <= MAX_DEFAULTS) return;
  const message = `would make more than ${MAX_DEFAULTS} characters of defaults in the project`;
  refuseField("/default_value", "too_long", message, { maximum: MAX_DEFAULTS });
}

async function checkName(ctx: InProject, name: string, own?: string) {
  const other = await fieldNamed(ctx, name);
  if (other === null || other === own) return;
  refuse("already_exists", { message: `The project has a field ${name}.`, existing_id: other, path: "/name" });
}

/** Returns the rank that the body requests, or else the present one. */
async function newRank(ctx: InProject & Writing, own: FieldRow, wanted: CustomFieldDefPatchInput): Promise<string> {
  if (wanted.before === undefined && wanted.after === undefined && wanted.rank === undefined) return own.rank;
  const fields = await all(ctx);
  return (await requestedRank(fields, own, wanted, giving(ctx, fields))) ?? own.rank;
}

/** Gives fields new ranks. Clients see other ranks, so each is a change of its field with its event. */
const giving =
  (ctx: InProject & Writing, fields: FieldRow[]): SetRanks =>
  async (ranks) => {
    await setRanks(ctx, ranks);
    for (const { id, rank } of ranks) {
      const before = CustomFieldDefView.parse(fields.find((field) => field.id === id));
      recordChange(ctx, customFieldUpdated, before, { ...before, rank, updated_at: ctx.now });
    }
  };

async function viewOf(ctx: InProject & Writing, id: string): Promise<CustomFieldDefView> {
  const [row] = await lockFields(ctx, [id]);
  return CustomFieldDefView.parse(row);
}
