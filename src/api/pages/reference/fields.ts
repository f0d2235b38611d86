import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { type Description, nameOf, resolved, type Schema } from "./description.ts";
import { inlineMarkdown } from "./markdown.ts";

/** The fields of a schema as a list. Fields of objects inside can be opened. */

/** Objects deeper than this are shown by name only: their own operations describe them. */
const DEPTH = 3;

/** @param within the names of the schemas around this one, which are not repeated inside */
export function fieldList(api: Description, schema: Schema, within: readonly string[] = []): Html {
  const { properties, required } = objectOf(api, schema);
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      html`<li><code>${name}</code> <span class="quiet">${typeOf(api, field)}</span>${
        required.includes(name) ? html` <span class="badge">required</span>` : ""
      } ${inlineMarkdown(resolved(api, field).description ?? "")}${inner(api, field, within)}</li>`,
  );
  return html`<ul class="fields">${rows}</ul>`;
}

/** Whether a schema has fields to list. */
export const hasFields = (api: Description, schema: Schema): boolean =>
  Object.keys(objectOf(api, schema).properties).length > 0;

function inner(api: Description, field: Schema, within: readonly string[]): Html {
  const [object] = objectsIn(api, field);
  const name = object && (nameOf(object) ?? "");
  if (object === undefined || within.length >= DEPTH || (name && within.includes(name))) return html``;
  return html`<details><summary>Fields</summary>${fieldList(api, object, [...within, name ?? ""])}</details>`;
}

/** The objects that a field's value consists of: itself, the items of a list, or one of several kinds. */
function objectsIn(api: Description, field: Schema): Schema[] {
  const schema = resolved<Schema>(api, field);
  if (schema.items) return objectsIn(api, schema.items);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap((one) => objectsIn(api, one));
  return hasFields(api, schema) ? [field] : [];
}

/** The properties of an object, also of one that is put together from several. */
function objectOf(api: Description, schema: Schema): { properties: Record<string, Schema>; required: string[] } {
  const { properties = {}, required = [], allOf = [] } = resolved<Schema>(api, schema);
  const parts = allOf.map((part) => objectOf(api, part));
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), properties),
    required: [...required, ...parts.flatMap((part) => part.required)],
  };
}

/** `text or null, at most 255 characters`, `list of Label`, `one of todo, done`. */
export function typeOf(api: Description, field: Schema): string {
  const name = nameOf(field);
  const schema = resolved<Schema>(api, field);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((one) => typeOf(api, one)))].join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return `one of ${schema.enum.map(String).join(", ")}`;
  if (schema.items) return `list of ${typeOf(api, schema.items)}${orNull(schema)}${boundsOf(schema)}`;
  if (name && schema.properties) return name;
  if (schema.type === "null") return "null";
  const kinds = [schema.type ?? "any"].flat().filter((type) => type !== "null");
  return `${kinds.map((type) => schema.format ?? type).join(" or ")}${orNull(schema)}${boundsOf(schema)}`;
}

const orNull = ({ type }: Schema): string => (Array.isArray(type) && type.includes("null") ? " or null" : "");

function boundsOf({ minimum, maximum, minLength, maxLength, maxItems }: Schema): string {
  const bounds = [
    minimum !== undefined && Math.abs(minimum) < 1e15 && `from ${minimum}`,
    maximum !== undefined && Math.abs(maximum) < 1e15 && `to ${maximum}`,
    minLength !== undefined && minLength > 1 && `at least ${counted(minLength, "character")}`,
    maxLength !== undefined && `at most ${counted(maxLength, "character")}`,
    maxItems !== undefined && `at most ${counted(maxItems, "item")}`,
  ].filter((bound) => bound !== false);
  return bounds.length > 0 ? `, ${bounds.join(" ")}` : "";
}
