import { z } from "zod";
import { operations } from "../../src/api/operations/index.ts";
import { EVENTS } from "../../src/domain/event-catalogue.ts";

/** The fields of views that hold addresses. */

/** Of one view and all within it, each as the name of the view and of the field: `Issue.url`. */
export function addressFieldsIn(view: unknown, name: string): Set<string> {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const walk = (value: unknown, name: string): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof z.ZodLazy) walk(value.unwrap(), name);
    else if (value instanceof z.ZodType) walkSchema(value, String(value.meta()?.id ?? name));
    else for (const part of Object.values(value)) walk(part, name);
  };
  const walkSchema = (schema: z.ZodType, name: string): void => {
    if (!(schema instanceof z.ZodObject)) {
      for (const part of Object.values(schema._zod.def)) walk(part, name);
      return;
    }
    for (const [field, part] of Object.entries(schema.shape)) {
      if (/(^|_)url$/.test(field)) found.add(`${name}.${field}`);
      walk(part, name);
    }
  };
  walk(view, name);
  return found;
}

/** Of what every operation returns and every event tells. */
export const allAddressFields = (): string[] => [
  ...new Set([
    ...operations.flatMap(({ id, returns }) => [...addressFieldsIn(returns, id)]),
    ...EVENTS.flatMap(({ name, view }) => [...addressFieldsIn(view, name)]),
  ]),
];
