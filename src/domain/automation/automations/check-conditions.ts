import type { InWorkspace } from "../../kernel/context.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { customFieldOf } from "../conditions/fields.ts";
import { type Condition, type Group, isGroup } from "../conditions/inputs.ts";
import { fieldsAmong } from "./config.sql.ts";

/**
 * Checks that the custom fields that conditions compare exist.
 * @throws Refusal invalid_reference
 */
export async function checkConditions(ctx: InWorkspace, conditions: Group | null, projectId: string | null) {
  const custom = conditions ? [...customFieldsIn(conditions, "/conditions")] : [];
  if (custom.length === 0) return;
  const refs = custom.map(({ ref }) => ref);
  const found = await fieldsAmong(ctx.db, { workspaceId: ctx.workspace.id, projectId }, refs);
  const unknown = custom.find(({ ref }) => !found.has(readId(ref) ?? ""));
  if (unknown) refuseReference(`${unknown.path}/field`, `custom_field:${unknown.ref}`);
}

function* customFieldsIn(condition: Condition, path: string): Generator<{ ref: string; path: string }> {
  if (isGroup(condition)) {
    for (const [n, rule] of condition.rules.entries()) yield* customFieldsIn(rule, `${path}/rules/${n}`);
    return;
  }
  const ref = customFieldOf(condition.field);
  if (ref !== null) yield { ref, path };
}
