import { expect, test } from "vitest";
import { z } from "zod";
import { unwrap } from "../../src/api/engine/bounds.ts";
import { decodeBody } from "../../src/api/engine/decode.ts";
import { operations } from "../../src/api/operations/index.ts";
import { Refusal } from "../../src/domain/kernel/errors.ts";
import { world } from "../support/world.ts";

/** Lengths count characters (code points), as `maxLength` of JSON Schema does, and not the units of UTF-16. */

/** A character of two UTF-16 units and four bytes. */
const WIDE = "😀";

type Field = { id: string; schema: z.ZodType; name: string; max: number };

const fields: Field[] = operations.flatMap(({ id, body, item }) =>
  [body, item].flatMap((schema) => {
    const shape = schema && unwrap(schema) instanceof z.ZodObject ? (unwrap(schema) as z.ZodObject).shape : {};
    return Object.entries(shape).flatMap(([name, field]) => {
      const max = (unwrap(field as z.ZodType) as { maxLength?: number | null }).maxLength;
      return schema && typeof max === "number" ? [{ id, schema, name, max }] : [];
    });
  }),
);

const saysTooLong = ({ schema, name }: Field, value: string): boolean => {
  try {
    decodeBody(schema, { [name]: value }, { lenient: false, creating: false, warnings: [] });
    return false;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const errors = (error.details.errors ?? []) as { path: string; code: string }[];
    return errors.some(({ path, code }) => path === `/${name}` && code === "too_long");
  }
};

test("every text of a body may have as many characters as its maximum, of whatever script", () => {
  expect(fields.length).toBeGreaterThan(50);
  for (const field of fields) {
    expect(saysTooLong(field, WIDE.repeat(field.max)), `${field.id} ${field.name}`).toBe(false);
    expect(saysTooLong(field, WIDE.repeat(field.max + 1)), `${field.id} ${field.name}`).toBe(true);
  }
});

test("values of custom fields, docs that grow, answers of forms and filters count characters, too", async () => {
  const { owner } = await world();
  const wide = (length: number) => WIDE.repeat(length);
  const { data: issue } = await owner.post("P/issues", { title: wide(255) }).expect(201);
  expect(issue.title).toBe(wide(255));

  const { data: field } = await owner.post("P/custom-field-defs", { name: wide(60), kind: "text" }).expect(201);
  const value = `P/issues/${issue.key}/custom-fields/${field.id}`;
  expect((await owner.put(value, { value: wide(10_000) }).expect(200)).data.value).toBe(wide(10_000));
  await owner.put(value, { value: wide(10_001) }).expect(400, "validation_failed");

  // A doc has at most 524,288 characters, and a body of a call fewer bytes than these. Each piece begins on a new line.
  const { data: doc } = await owner.post("W/docs", { title: "x", body_md: wide(200_000) }).expect(201);
  await owner.patch(`W/docs/${doc.id}`, { append: wide(200_000) }).expect(200);
  await owner.patch(`W/docs/${doc.id}`, { append: wide(124_286) }).expect(200);
  await owner.patch(`W/docs/${doc.id}`, { append: WIDE }).expect(400, "validation_failed");

  const asked = { kind: "short_text", label: "Say", mapping: "title", max_length: 3 };
  const { data: form } = await owner.post("P/forms", { title: "F", fields: [asked] }).expect(201);
  const answer = (text: string) => ({ answers: { [form.fields[0].id]: text } });
  await owner.post(`P/forms/${form.id}/submissions`, answer(wide(3))).expect(201);
  await owner.post(`P/forms/${form.id}/submissions`, answer(wide(4))).expect(400, "validation_failed");

  await owner.get(`P/issues?q=${encodeURIComponent(wide(200))}`).expect(200);
  await owner.get(`P/issues?q=${encodeURIComponent(wide(201))}`).expect(400, "invalid_parameter");
});
