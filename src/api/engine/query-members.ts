import { z } from "zod";
import { refuse } from "../../domain/kernel/errors.ts";
import { flattened } from "../../domain/kernel/text.ts";
import { maxMembers, unwrap } from "./bounds.ts";
import { isRecord, shownName } from "./unknown.ts";

/**
 * Parameters with members that the client names, such as `customFields`. Each of these says the same:
 * `customFields.Budget=10`, `customFields[Budget]=10` (the style `deepObject` of OpenAPI), and JSON as in
 * `customFields={"Budget":10}`, which generated clients and tools send that know no other style.
 */

type Query = Record<string, string>;

/** Returns the query with one record for each such parameter. @throws Refusal invalid_parameter, mutually_exclusive */
export function gatherMembers(schema: z.ZodObject | undefined, query: Query): Record<string, string | Query> {
  const records = withMembers(schema);
  if (records.length === 0) return query;
  // Without a prototype, so that a parameter named __proto__ is an ordinary one.
  const gathered: Record<string, string | Query> = Object.create(null);
  const members = new Map(records.map(([name]) => [name, new Map<string, string>()]));
  const add = (name: string, given: string, sent: string) => {
    const [member, value] = [flattenedParameter(given), flattenedParameter(sent)];
    const all = members.get(name)!;
    if (!isStorable(member) || !isStorable(value)) {
      refuseMember(name, "must not contain NUL or half a surrogate pair");
    }
    if (member === "__proto__") refuseMember(name, `has no member ${member}`);
    if (all.has(member)) refuseMember(name, `${shownName(member)} came twice. Send all its values in one`);
    if (value !== "") all.set(member, value);
  };
  for (const [given, value] of Object.entries(query)) {
    const { name, member } = read(given);
    if (!members.has(name)) gathered[given] = value;
    else if (member !== undefined) add(name, member, value);
    else if (value !== "") for (const [inner, text] of membersOf(name, value)) add(name, inner, text);
  }
  for (const [name, field] of records) {
    const all = members.get(name)!;
    const max = maxMembers(unwrap(field) as z.ZodRecord) ?? Number.POSITIVE_INFINITY;
    if (all.size > max) refuseMember(name, `must have at most ${max} members`);
    if (all.size > 0) gathered[name] = Object.fromEntries(all);
  }
  return gathered;
}

/** Longer texts name nothing, and are checked as they are. */
const MAX_FLATTENED = 10_000;

/** A parameter in the form of names, because filters compare it with names. */
export const flattenedParameter = (text: string): string =>
  text.length > MAX_FLATTENED ? text : flattened(text).trim();

const withMembers = (schema: z.ZodObject | undefined) =>
  Object.entries(schema?.shape ?? {}).filter(([, field]) => unwrap(field) instanceof z.ZodRecord);

function read(given: string): { name: string; member: string | undefined } {
  const [, name = given, dotted, bracketed] = /^(\w+)(?:\.(.+)|\[(.+)\])$/s.exec(given) ?? [];
  return { name, member: dotted ?? bracketed };
}

/** What a name that is not known could have meant: `customFields.Budget` for `custom_fields.Budget`. */
export function membersLike(schema: z.ZodObject | undefined, given: string): string[] {
  const { member } = read(given);
  return member === undefined ? [] : withMembers(schema).map(([name]) => `${name}.${member}`);
}

/** Names, and the escapes of JSON, may contain what Postgres cannot read. */
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

function membersOf(name: string, text: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {}
  const expected = `needs the name of a member: send ${name}.<name>=<value>`;
  if (!isRecord(value)) refuseMember(name, expected);
  return Object.entries(value).flatMap(([member, content]) => {
    if (content === null) return [];
    const parts = Array.isArray(content) ? content : [content];
    if (!parts.every((part) => ["string", "number", "boolean"].includes(typeof part))) refuseMember(name, expected);
    // The parts of a list are whole values; a text may be a list itself.
    const isList = Array.isArray(content);
    return [[member, parts.map((part) => (isList ? String(part).replaceAll(",", "\\,") : String(part))).join(",")]];
  });
}

function refuseMember(parameter: string, problem: string): never {
  refuse("invalid_parameter", { message: `${parameter}: ${problem}.`, parameter });
}
