import type { InIssue } from "../../domain/context.ts";
import { isSame } from "../../domain/difference.ts";
import { refuse } from "../../domain/errors.ts";
import { own } from "../../domain/own.ts";
import type { Body, Call } from "./call.ts";
import { readCurrent } from "./current.ts";
import { fieldsOf } from "./encode.ts";
import { fieldName } from "./normalise.ts";
import type { Operation } from "./operation.ts";
import { isRecord } from "./unknown.ts";

/**
 * Round trips: a client may send a whole object back as it was shown, with one field changed. Such a body has fields that
 * cannot be written. Every field that has its current value is left out of it, so that only the changed ones count.
 * @throws Refusal read_only_field
 */
export async function withoutUnchanged(
  operation: Operation,
  call: Call,
  ctx: InIssue,
  body: Body | undefined,
): Promise<Body | undefined> {
  if (!body || (operation.method !== "PATCH" && operation.method !== "PUT")) return body;
  const sent = membersOf(body);
  const writable = new Set(fieldsOf(operation.body!) ?? []);
  const isWritable = (name: string) => fieldName(writable, name) !== null;
  if (Object.keys(sent).every(isWritable)) return body;

  const current = JSON.parse(JSON.stringify(await readCurrent(operation, call, ctx)));
  const isUnchanged = ([name, value]: [string, unknown]) =>
    Object.hasOwn(current, name) && isSame(value, own(current, name));
  const changed = Object.entries(sent).filter((member) => !isUnchanged(member));
  const fields = changed.map(([name]) => name).filter((name) => Object.hasOwn(current, name) && !isWritable(name));
  if (fields.length > 0) {
    const [first] = fields;
    refuse("read_only_field", {
      message: `${fields.join(", ")} cannot be written. Leave it out, or send ${first} as it was shown.`,
      fields,
      path: `/${first}`,
    });
  }
  const value = Object.fromEntries(changed);
  // Some calls require a field, and take it unchanged.
  const isEnough = operation.body!.safeParse(value).success;
  const unread = () =>
    Object.fromEntries(Object.entries(sent).filter((one) => isWritable(one[0]) || !isUnchanged(one)));
  return { text: body.text, bytes: body.bytes, value: isEnough ? value : unread() };
}

/** What is wrong with a body is told later, once the object was found. */
function membersOf(body: Body): Record<string, unknown> {
  try {
    return isRecord(body.value) ? body.value : {};
  } catch {
    return {};
  }
}
