import type { InWorkspace } from "../../kernel/context.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";
import { type Condition, type Group, isGroup, type Rule } from "./inputs.ts";

/**
 * The people and the planning objects that conditions name. An issue has only their ids, so a rule with another name would
 * never apply.
 */

/** A value that names nothing. `path` is a JSON pointer that begins at the conditions. */
export type Unknown = { path: string; value: unknown; message: string };

const PEOPLE: readonly string[] = ["assignee", "reporter", "actor_id"];
const PLANNING: readonly string[] = ["sprint", "milestone", "release"];

/** Returns conditions with ids in place of e-mails and `me`, and the values for which there is no id. */
export async function readReferences(
  ctx: InWorkspace,
  conditions: Group,
): Promise<{ conditions: Group; unknown: Unknown[] }> {
  const named = [...valuesIn(conditions, "")].filter(({ value }) => readId(String(value)) === null);
  if (named.length === 0) return { conditions, unknown: [] };
  const refs = named.flatMap(({ field, value }) => (PEOPLE.includes(field) ? [String(value)] : []));
  const people = await findPeople(ctx.db, ctx.workspace.id, refs, ctx.principal, "workspace");
  const unknown = named
    .filter(({ field, value }) => !PEOPLE.includes(field) || !people.has(referenceKey(String(value))))
    .map(({ field, value, path }) => ({ path, value, message: messageFor(field) }));
  const idOf = (value: string | number | boolean) => people.get(referenceKey(String(value)))?.id ?? value;
  return { conditions: withIds(conditions, idOf) as Group, unknown };
}

const messageFor = (field: string): string =>
  PEOPLE.includes(field)
    ? "names no active member or agent; send an id, the e-mail of a member, or me"
    : `must be the id of a ${field}`;

type Value = string | number | boolean;

function* valuesIn(condition: Condition, path: string): Generator<{ field: string; value: Value; path: string }> {
  if (isGroup(condition)) {
    for (const [n, rule] of condition.rules.entries()) yield* valuesIn(rule, `${path}/rules/${n}`);
    return;
  }
  const { field, value } = condition;
  if (!namesObjects(condition)) return;
  if (!Array.isArray(value)) yield { field, value: value as Value, path: `${path}/value` };
  else for (const [n, one] of value.entries()) yield { field, value: one, path: `${path}/value/${n}` };
}

const namesObjects = ({ field, op, value }: Rule): boolean =>
  [...PEOPLE, ...PLANNING].includes(field) && op.startsWith("is") && value !== undefined;

function withIds(condition: Condition, idOf: (value: Value) => Value): Condition {
  if (isGroup(condition)) return { ...condition, rules: condition.rules.map((rule) => withIds(rule, idOf)) };
  const { field, value } = condition;
  if (!PEOPLE.includes(field) || !namesObjects(condition)) return condition;
  return { ...condition, value: Array.isArray(value) ? value.map((one) => idOf(one) as string) : idOf(value as Value) };
}
