import { refuseField, refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { customFieldsAmong } from "./agents.sql.ts";

/**
 * The names that a field policy may have: the fields of issues that PATCH takes. `status` covers `status_id` and
 * transitions, `assignee` covers `assignee_ids`, `labels` all ways to change labels, `rank` every position on the board,
 * and `custom_fields` all custom fields. A single one is `custom_field:<id>`.
 */
export const FIELD_NAMES = [
  "type",
  "title",
  "description_md",
  "status",
  "priority",
  "assignee",
  "labels",
  "custom_fields",
  "reporter",
  "parent",
  "epic",
  "milestone_id",
  "sprint_id",
  "release_id",
  "estimate_minutes",
  "story_points",
  "spent_minutes",
  "remaining_minutes",
  "completion_pct",
  "start_at",
  "due_at",
  "external_source",
  "external_id",
  "rank",
] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** Begins the name of a single custom field; its id follows. */
export const CUSTOM_FIELD = "custom_field:";

/** Names of input fields, and other spellings → the name in a policy. */
const ALIASES = new Map<string, FieldName>([
  ["status_id", "status"],
  ["transition", "status"],
  ["assignee_id", "assignee"],
  ["assignee_ids", "assignee"],
  ["assignees", "assignee"],
  ["label_ids", "labels"],
  ["add_labels", "labels"],
  ["remove_labels", "labels"],
  ["description", "description_md"],
  ["reporter_id", "reporter"],
  ["parent_id", "parent"],
  ["epic_id", "epic"],
  ["milestone", "milestone_id"],
  ["sprint", "sprint_id"],
  ["release", "release_id"],
  ["start_on", "start_at"],
  ["due_on", "due_at"],
  ["before", "rank"],
  ["after", "rank"],
  ["position", "rank"],
]);

/** The name in a policy of a field that a call sends, or of another spelling of it. Null if there is none. */
export function policyNameOf(field: string): FieldName | null {
  const name = field.trim().toLowerCase().replaceAll("-", "_");
  return FIELD_NAMES.find((known) => known === name) ?? ALIASES.get(name) ?? null;
}

/**
 * Reads the field policy that a body sends: right names, each once, in the order sent.
 * @param present the names of the present policy, which stay valid if a custom field was deleted meanwhile
 * @throws Refusal validation_failed, invalid_reference
 */
export async function readFieldPolicy(
  ctx: { db: Db; workspace: { id: string } },
  sent: readonly string[],
  present: readonly string[] = [],
): Promise<string[]> {
  const names = sent.map((text, n) => nameIn(text) ?? refuseName(n));
  const ids = names.flatMap((name) =>
    name.startsWith(CUSTOM_FIELD) && !present.includes(name) ? name.slice(CUSTOM_FIELD.length) : [],
  );
  const known = new Set(ids.length === 0 ? [] : await customFieldsAmong(ctx.db, ctx.workspace.id, ids));
  for (const id of ids) {
    if (known.has(id)) continue;
    const n = names.indexOf(CUSTOM_FIELD + id);
    refuseReference(`/field_policy/${n}`, sent[n]);
  }
  return [...new Set(names)];
}

function nameIn(text: string): string | null {
  const [, ref] = /^\s*custom_fields?[:.](.*)$/i.exec(text) ?? [];
  if (ref === undefined) return policyNameOf(text);
  const id = readId(ref.trim());
  return id && CUSTOM_FIELD + id;
}

function refuseName(n: number): never {
  refuseField(`/field_policy/${n}`, "not_allowed", "must be the name of a field of issues", {
    allowed: [...FIELD_NAMES, `${CUSTOM_FIELD}<id>`],
  });
}
