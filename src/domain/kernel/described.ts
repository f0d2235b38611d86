import { z } from "zod";

/** Descriptions and examples of the fields of inputs and views, for the API description. */

/** A field's description, and an example of its value. Ids, times, enums, booleans and objects need no example here. */
export type About = readonly [description: string, example?: unknown];

type Shape = Record<string, z.ZodType>;
/** The compiler requires a description of each field. One object may describe the fields of several schemas. */
type AboutAll<S extends Shape> = { readonly [Name in keyof S]: About };

/** A named object of replies, with a description for each of its fields. */
export const view = <S extends Shape>(name: string, about: AboutAll<S>, shape: S) =>
  part(about, shape).meta({ id: name });

/** A named body. Other fields are rejected. */
export const input = <S extends Shape>(name: string, about: AboutAll<S>, shape: S) =>
  inputPart(about, shape).meta({ id: name });

/** An object inside a view. */
export const part = <S extends Shape>(about: AboutAll<S>, shape: S) => z.object(described(about, shape));

/** An object inside a body, or the parameters of a query. */
export const inputPart = <S extends Shape>(about: AboutAll<S>, shape: S) => z.strictObject(described(about, shape));

/** Objects of several kinds. Each names its kind in the same field, which is a `z.literal()` in its shape. */
export function variants<const Options extends readonly [z.ZodObject, ...z.ZodObject[]]>(
  field: string,
  options: Options,
) {
  const kinds = options.map(({ shape }) => String((shape[field] as z.ZodLiteral).value));
  return z.discriminatedUnion(field, options as Options, { error: () => `must be one of ${kinds.join(", ")}` });
}

/** Fields with their descriptions and examples, e.g. to extend a view. */
export function described<S extends Shape>(about: AboutAll<S>, shape: S): S {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const [description, example] = about[name as keyof S];
    return [name, schema.meta({ description, ...(example === undefined ? {} : { examples: [example] }) })];
  });
  return Object.fromEntries(fields) as S;
}

/** Ids in examples, one for each kind of object, so that readers see which fields have the same id. */
export const SAMPLE = {
  workspace: "0198c2a4-0e10-7c11-8a01-5f1d2b6c7a01",
  project: "0198c2a4-1f20-7c12-9b02-5f1d2b6c7a02",
  issue: "0198c2a4-2a30-7c13-8c03-5f1d2b6c7a03",
  user: "0198c2a4-3b40-7c14-9d04-5f1d2b6c7a04",
  agent: "0198c2a4-4c50-7c15-8e05-5f1d2b6c7a05",
  status: "0198c2a4-5d60-7c16-9f06-5f1d2b6c7a06",
  label: "0198c2a4-6e70-7c17-8a07-5f1d2b6c7a07",
  milestone: "0198c2a4-7f80-7c18-9b08-5f1d2b6c7a08",
  sprint: "0198c2a4-8a90-7c19-8c09-5f1d2b6c7a09",
  release: "0198c2a4-9ba0-7c1a-9d0a-5f1d2b6c7a0a",
  field: "0198c2a4-acb0-7c1b-8e0b-5f1d2b6c7a0b",
  form: "0198c2a4-bdc0-7c1c-9f0c-5f1d2b6c7a0c",
  comment: "0198c2a4-ced0-7c1d-8a0d-5f1d2b6c7a0d",
  key: "0198c2a4-dfe0-7c1e-9b0e-5f1d2b6c7a0e",
  webhook: "0198c2a4-eaf0-7c1f-8c0f-5f1d2b6c7a0f",
  goal: "0198c2a4-0c10-7c21-8e11-5f1d2b6c7a11",
  keyResult: "0198c2a4-1d20-7c22-9f12-5f1d2b6c7a12",
  portfolio: "0198c2a4-2e30-7c23-8a13-5f1d2b6c7a13",
  doc: "0198c2a4-3f40-7c24-9b14-5f1d2b6c7a14",
  channel: "0198c2a4-4a50-7c25-8c15-5f1d2b6c7a15",
  message: "0198c2a4-5b60-7c26-9d16-5f1d2b6c7a16",
  other: "0198c2a4-fb00-7c20-9d10-5f1d2b6c7a10",
} as const;

/** The field `id` of a kind of object. */
export const idOf = (what: string, kind: keyof typeof SAMPLE = "other"): About => [
  `Identifies the ${what} for good. A UUIDv7: later ones sort after earlier ones.`,
  SAMPLE[kind],
];

/** A field that names a person or an agent by id. */
export const userId = (description: string): About => [description, SAMPLE.user];

/** The fields that most objects have. */
export const timesOf = (what: string) =>
  ({
    created_at: [`When the ${what} was created.`, "2026-01-15T09:30:00.000Z"],
    updated_at: [`When the ${what} was last changed.`, "2026-01-16T14:05:12.480Z"],
  }) satisfies Record<string, About>;

export const RANK: About = [
  "Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it.",
  "a1",
];

/** The fields with which an input requests a position in a list. */
export const positionFields = (what: string) =>
  ({
    rank: RANK,
    before: [
      `Id of the ${what} to place this one directly before. Send only one of \`before\`, \`after\` and \`rank\`.`,
      SAMPLE.other,
    ],
    after: [
      `Id of the ${what} to place this one directly after. Send only one of \`before\`, \`after\` and \`rank\`.`,
      SAMPLE.other,
    ],
  }) satisfies Record<string, About>;

/** Whole numbers that count something, in replies. */
export const countOf = (description: string, example = 3): About => [description, example];

/** The field that shows the day of a date, and sets it. */
export const dayOfDate = (field: string, example: string): About => [
  `The day, \`YYYY-MM-DD\`, if \`${field}\` is a whole day. \`null\` if it is an instant, or not set.`,
  example,
];
