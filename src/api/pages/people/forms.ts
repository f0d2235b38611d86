import type { Context } from "koa";
import { refuse } from "../../../domain/kernel/errors.ts";
import { readFormBody } from "../../http/body.ts";

/** What a page's form sent: one value a name, or several. */
export type Form = {
  /** The first value, trimmed; empty when the field was not sent. */
  text(name: string): string;
  all(name: string): string[];
};

const MOST_BYTES = 64 * 1024;
/** Some more than the boxes that the largest public form has. Reading many more, without values, takes Node seconds. */
const MOST_FIELDS = 12_000;

/**
 * Reads a form of our own pages.
 * @throws Refusal foreign_form when another site's page sent it; body_too_large
 */
export async function readForm(ctx: Context, baseUrl: string, mostBytes = MOST_BYTES): Promise<Form> {
  refuseForeign(ctx, baseUrl);
  const body = await readFormBody(ctx, mostBytes);
  if (body.split("&", MOST_FIELDS + 1).length > MOST_FIELDS) {
    refuse("body_too_large", { message: `A form may have at most ${MOST_FIELDS} fields.` });
  }
  // Asked for each of many names, a Map answers at once.
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    const values = fields.get(name);
    if (values) values.push(clean(value));
    else fields.set(name, [clean(value)]);
  }
  return {
    text: (name) => (fields.get(name)?.[0] ?? "").trim(),
    all: (name) => fields.get(name) ?? [],
  };
}

/** Postgres stores neither NUL nor half a surrogate pair. */
const clean = (value: string) => value.replaceAll("\0", "").toWellFormed();

/**
 * Browsers say which page a form came from. A request that says nothing comes from a program, which has no cookies of
 * anybody else's to misuse.
 */
export function refuseForeign(ctx: Context, baseUrl: string): void {
  const origin = ctx.get("origin");
  const own = origin === "" || origin === new URL(baseUrl).origin || URL.parse(origin)?.host === ctx.host;
  if (!own || ctx.get("sec-fetch-site") === "cross-site") refuse("foreign_form");
}
