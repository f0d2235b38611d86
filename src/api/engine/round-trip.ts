import type { z } from "zod";
import { isSame } from "../../domain/kernel/difference.ts";
import { Refusal, refuse } from "../../domain/kernel/errors.ts";
import { own } from "../../domain/kernel/own.ts";
import type { Body, Call, InCall } from "./call.ts";
import { readCurrent } from "./current.ts";
import { decodeBody } from "./decode.ts";
import { fieldsOf } from "./encode.ts";
import { fieldName } from "./normalise.ts";
import type { Operation } from "./operation.ts";
import { isRecord } from "./unknown.ts";

/**
 * Lets a client send back a whole object with one field changed. Such a body contains read-only fields. This removes
 * every field that has its current value, so that only the changed fields remain.
 * @throws Refusal read_only_field
 */
export async function withoutUnchanged(operation: Operation, call: Call, ctx: InCall, body: Body): Promise<Body> {
  if (operation.method !== "PATCH" && operation.method !== "PUT") return body;
  const sent = membersOf(body);
  const writable = fieldsIn(operation.body!);
  const isWritable = (name: string) => fieldName(writable, name) !== null;
  const { textFields = [] } = operation;
  const isText = ([name]: [string, unknown]) => textFields.includes(fieldName(writable, name) ?? "");
  if (Object.keys(sent).every(isWritable)) return body;

  const current = JSON.parse(JSON.stringify(await readCurrent(operation, call, ctx)));
  const isFromList = textFields.some((name) => !Object.hasOwn(sent, name));
  const isUnchanged = (member: [string, unknown]) => {
    const [name, value] = member;
    if (isFromList && value === null && isText(member)) return true;
    return Object.hasOwn(current, name) && isSame(value, own(current, name));
  };
  const hasNewText = Object.entries(sent).some((member) => isText(member) && !isUnchanged(member));
  const changed = Object.entries(sent).filter((member) => !isUnchanged(member) || (hasNewText && isText(member)));
  const fields = changed.map(([name]) => name).filter((name) => Object.hasOwn(current, name) && !isWritable(name));
  if (fields.length > 0) {
    const [first] = fields;
    const overrides = fields.map((name) => `${name}_override`).filter(isWritable);
    const hint = overrides.length > 0 ? ` To set it, send ${overrides.join(", ")}.` : "";
    refuse("read_only_field", {
      message: `${fields.join(", ")} cannot be written. Leave it out, or send ${first} as it was shown.${hint}`,
      fields,
      path: `/${first}`,
    });
  }
  const onlyChanged = Object.fromEntries(changed);
  // If the operation requires a field, all writable fields stay, including unchanged ones.
  const isEnough = isValid(operation.body!, onlyChanged);
  const withWritable = Object.entries(sent).filter((member) => isWritable(member[0]) || !isUnchanged(member));
  const value = isEnough ? onlyChanged : Object.fromEntries(withWritable);
  return { text: body.text, size: body.size, value };
}

const fields = new WeakMap<z.ZodType, ReadonlySet<string>>();

/** The fields of a body. They are collected once. */
function fieldsIn(body: z.ZodType): ReadonlySet<string> {
  const known = fields.get(body) ?? new Set(fieldsOf(body) ?? []);
  fields.set(body, known);
  return known;
}

/** Checks lengths first, as body decoding does. Errors are reported there. */
function isValid(schema: z.ZodType, value: unknown): boolean {
  try {
    decodeBody(schema, value, { lenient: true, creating: false, warnings: [] });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Errors in the body are reported later, after the object has been found. */
function membersOf(body: Body): Record<string, unknown> {
  try {
    return isRecord(body.value) ? body.value : {};
  } catch {
    return {};
  }
}
