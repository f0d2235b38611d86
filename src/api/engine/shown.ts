import { z } from "zod";

/**
 * Makes of an answer what its view shows: the same fields that zod's `parse` returns, in the same order, in a fifth of the
 * time. It checks every value. Where it finds one that it does not know to be right, or a view that it does not
 * understand, zod itself parses the answer, and says what is wrong.
 */
export function shown(view: z.ZodType, answer: unknown): unknown {
  let show = known.get(view);
  if (show === undefined) {
    show = showOf(view);
    known.set(view, show);
  }
  const value = show?.(answer);
  return value === undefined ? view.parse(answer) : value;
}

/** Returns what is shown of a value; undefined if zod has to judge. */
type Show = (value: unknown) => unknown;

/** Null: a view that zod has to parse. */
const known = new WeakMap<z.ZodType, Show | null>();

/** The code of a check of the variable `v`. `uses` collects the values that it refers to as `u[0]` and so on. */
type Code = (uses: unknown[], v: string) => string;

const either = (values: readonly unknown[]): Code => {
  const texts = values.every((value) => typeof value === "string");
  return (uses, v) =>
    texts && values.length <= 8
      ? `(${values.map((value) => `${v} === ${JSON.stringify(value)}`).join(" || ")})`
      : `u[${uses.push(new Set(values)) - 1}].has(${v})`;
};

/** Values of any kind, in a plain object. zod leaves out a member named __proto__. */
const isRecord = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !Object.hasOwn(value, "__proto__");

type Check = { check?: string; format?: string; pattern?: { global: boolean }; maximum?: number };
type Definition = { coerce?: boolean; format?: string; checks?: { _zod: { def: Check } }[] };

/** The check of a value that is shown as it is. Null if there is none. */
function checkOf(view: z.ZodType): Code | null {
  const definition = view.def as Definition;
  if (definition.coerce || definition.format) return null;
  const checks = (definition.checks ?? []).map(({ _zod }) => _zod.def);
  if (view instanceof z.ZodNumber) {
    if (checks.length === 0) return (_, v) => `Number.isFinite(${v})`;
    return checks.every(({ format }) => format === "safeint") ? (_, v) => `Number.isSafeInteger(${v})` : null;
  }
  if (view instanceof z.ZodString) return textCheck(checks);
  if (checks.length > 0) return null;
  if (view instanceof z.ZodBoolean) return (_, v) => `typeof ${v} === "boolean"`;
  if (view instanceof z.ZodEnum) return either(view.options);
  if (view instanceof z.ZodLiteral) return either([...view.values]);
  if (view instanceof z.ZodRecord) {
    const { keyType, valueType } = view.def;
    const isOfAnything = valueType instanceof z.ZodUnknown && keyType instanceof z.ZodString && !keyType.def.checks;
    return isOfAnything ? (uses, v) => `u[${uses.push(isRecord) - 1}](${v})` : null;
  }
  if (view instanceof z.ZodNullable) {
    const inner = checkOf(view.unwrap() as z.ZodType);
    return inner && ((uses, v) => `(${v} === null || ${inner(uses, v)})`);
  }
  return null;
}

function textCheck(checks: Check[]): Code | null {
  const parts = checks.map(({ check, format, pattern, maximum }): Code | null => {
    // A text has at least as many units as characters, which zod counts.
    if (check === "max_length") return (_, v) => `${v}.length <= ${maximum}`;
    return format === "regex" && !pattern?.global ? (uses, v) => `u[${uses.push(pattern) - 1}].test(${v})` : null;
  });
  if (parts.includes(null)) return null;
  return (uses, v) => [`typeof ${v} === "string"`, ...parts.map((part) => part!(uses, v))].join(" && ");
}

function showOf(view: z.ZodType): Show | null {
  const check = checkOf(view);
  if (check) return generate((uses) => `return ${check(uses, "v")} ? v : undefined;`);
  if ((view.def as Definition).checks?.length) return null;
  if (view instanceof z.ZodNullable) {
    const inner = showOf(view.unwrap() as z.ZodType);
    return inner && ((value) => (value === null ? null : inner(value)));
  }
  if (view instanceof z.ZodArray) return listOf(view.element as z.ZodType);
  return view instanceof z.ZodObject && !view.def.catchall ? objectOf(view.shape as Record<string, z.ZodType>) : null;
}

function listOf(element: z.ZodType): Show | null {
  const show = showOf(element);
  if (!show) return null;
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const elements: unknown[] = [];
    for (const one of value) {
      const element = show(one);
      if (element === undefined) return undefined;
      elements.push(element);
    }
    return elements;
  };
}

function objectOf(shape: Record<string, z.ZodType>): Show | null {
  const fields = Object.entries(shape).map(([name, view]) => ({ name, check: checkOf(view), show: showOf(view) }));
  if (fields.some(({ name, show }) => !show || name === "__proto__")) return null;
  return generate((uses) => {
    const read = fields.map(({ name, check, show }, at) => {
      const from = `v[${JSON.stringify(name)}]`;
      if (check) return `const f${at} = ${from}; if (!(${check(uses, `f${at}`)})) return undefined;`;
      return `const f${at} = u[${uses.push(show) - 1}](${from}); if (f${at} === undefined) return undefined;`;
    });
    return `
      if (typeof v !== "object" || v === null || Array.isArray(v)) return undefined;
      ${read.join("\n")}
      return { ${fields.map(({ name }, at) => `${JSON.stringify(name)}: f${at}`).join(", ")} };`;
  });
}

/** The code has the names and words of a view. No part of a request or a reply is in it. */
function generate(code: (uses: unknown[]) => string): Show {
  const uses: unknown[] = [];
  const body = code(uses);
  return new Function("u", `return (v) => { ${body} };`)(uses) as Show;
}
