import { z } from "zod";
import { invalid } from "./refusal.ts";

/** Stripe's form encoding of parameters: nested by brackets, every value a string, lists as `0`, `1`, …. */
export type Form = { [name: string]: string | Form };

const DEEPEST = 8;

/**
 * `a[b]=1&c[]=2&c[]=3` becomes `{ a: { b: "1" }, c: { 0: "2", 1: "3" } }`.
 * @throws Refusal for names that do not nest
 */
export function parseForm(text: string): Form {
  const form = group();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
    const steps = path
      ? [path[1] as string, ...[...(path[2] ?? "").matchAll(/\[([^[\]]*)\]/g)].map(([, step = ""]) => step)]
      : [];
    if (steps.length === 0 || steps.length > DEEPEST) throw invalid(`Invalid parameter name: ${name}`);
    put(form, steps, value, name);
  }
  return form;
}

/** Validates parameters strictly: like Stripe, it rejects unknown ones. @throws Refusal */
export function read<Schema extends z.ZodType>(schema: Schema, form: Form): z.output<Schema> {
  const parsed = schema.safeParse(form);
  if (parsed.success) return parsed.data;

  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  if (issue.code === "unrecognized_keys") {
    const param = spell([...issue.path, issue.keys[0] as string]);
    throw invalid(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param });
  }
  const param = spell(issue.path);
  if (at(form, issue.path) === undefined) {
    throw invalid(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  }
  throw invalid(`Invalid ${param}: ${issue.message}`, { param });
}

/** The values of a list. */
export const listed = (form: Form | string | undefined): string[] =>
  typeof form === "object" ? Object.values(form).filter((value) => typeof value === "string") : form ? [form] : [];

export const text = z.string().max(5000);
export const integer = z
  .string()
  .regex(/^\d{1,12}$/, "must be an integer")
  .transform(Number);
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
/** Parameters that Stripe accepts and the emulator ignores. */
export const ignored = z.unknown().optional();
/** Stripe's limits: 50 keys of 40 characters, values of 500. */
export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((entries) => Object.keys(entries).length <= 50, "at most 50 keys")
  .default({});

// Without a prototype, so that a parameter named __proto__ is an ordinary one.
const group = (): Form => Object.create(null);

function put(form: Form, [step = "", ...rest]: string[], value: string, name: string): void {
  const key = step === "" ? String(Object.keys(form).length) : step;
  if (rest.length === 0) {
    form[key] = value;
    return;
  }
  form[key] ??= group();
  const inner = form[key];
  if (typeof inner === "string") throw invalid(`Invalid parameter name: ${name}`);
  put(inner, rest, value, name);
}

const spell = ([first = "", ...rest]: PropertyKey[]) =>
  String(first) + rest.map((step) => `[${String(step)}]`).join("");

function at(form: Form, path: PropertyKey[]): unknown {
  let value: unknown = form;
  for (const step of path) value = typeof value === "object" && value ? (value as Form)[String(step)] : undefined;
  return value;
}
