import type { InWorkspace } from "../../kernel/context.ts";
import { firstErrors, refuse, refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { customFieldOf } from "../conditions/fields.ts";
import { type Condition, type Group, isGroup } from "../conditions/inputs.ts";
import { readReferences } from "../conditions/references.ts";
import { fieldsAmong } from "./config.sql.ts";

/**
 * Returns conditions with the ids of the people whom they name by e-mail.
 * @throws Refusal invalid_reference
 */
export async function readConditions<Given extends Group | null | undefined>(
  ctx: InWorkspace,
  given: Given,
): Promise<Given> {
  if (!given) return given;
  const { conditions, unknown } = await readReferences(ctx, given);
  const [first] = unknown;
  if (!first) return conditions as Given;
  const errors = unknown.map(({ path, message }) => ({
    path: `/conditions${path}`,
    code: "invalid_reference",
    message,
  }));
  const named = firstErrors(errors.map(({ path, message }) => `${path.slice(1)} ${message}.`));
  return refuse("invalid_reference", { message: named, path: errors[0]!.path, value: first.value, errors });
}

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
