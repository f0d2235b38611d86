import type { Context } from "koa";
import { refuse } from "../../../domain/kernel/errors.ts";
import { readFormBody, readRaw } from "../../http/body.ts";

/** The values of a page's form: one or several per name. */
export type Form = {
  /** The first value, trimmed. Empty if the field was not sent. */
  text(name: string): string;
  all(name: string): string[];
  /** All of it, as it was sent, if it was one of ours. */
  said?: string;
};

export const NO_FORM: Form = { text: () => "", all: () => [] };

const MAX_BYTES = 64 * 1024;
/** For members: most texts may have 65,536 characters, each of which may be three bytes of three letters. */
export const MAX_TEXT_BYTES = 640 * 1024;
/** For those who were signed out meanwhile. Anybody can send such a form, and gets a page that is several times as long. */
export const MAX_KEPT_BYTES = 200 * 1024;
/** Somewhat more than the boxes of the largest public form. Parsing many more fields takes Node seconds. */
const MAX_FIELDS = 12_000;

/** Reads a form of our own pages. @throws Refusal foreign_form if another site's page sent it; body_too_large */
export async function readForm(ctx: Context, baseUrl: string, maxBytes = MAX_BYTES): Promise<Form> {
  refuseForeign(ctx, baseUrl);
  const body = await readFormBody(ctx, maxBytes);
  if (body.split("&", MAX_FIELDS + 1).length > MAX_FIELDS) {
    refuse("body_too_large", { message: `A form may have at most ${MAX_FIELDS} fields.` });
  }
  // A Map, because URLSearchParams takes linear time for each look-up.
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    const values = fields.get(name);
    if (values) values.push(clean(value));
    else fields.set(name, [clean(value)]);
  }
  return {
    text: (name) => (fields.get(name)?.[0] ?? "").trim(),
    all: (name) => fields.get(name) ?? [],
    said: body,
  };
}

/** The form of a page, as far as it is read before its handler. @throws Refusal as `readForm` does */
export async function receiveForm(
  ctx: Context,
  baseUrl: string,
  { ignoresForm, hasFiles, maxBytes }: { ignoresForm?: boolean; hasFiles?: boolean; maxBytes?: number },
): Promise<Form> {
  if (ignoresForm) return skipForm(ctx);
  if (!hasFiles) return readForm(ctx, baseUrl, maxBytes);
  refuseForeign(ctx, baseUrl);
  return NO_FORM;
}

/** Reads a form in any format, of any sender, and ignores its fields. @throws Refusal body_too_large */
export async function skipForm(ctx: Context): Promise<Form> {
  await readRaw(ctx, MAX_BYTES);
  return NO_FORM;
}

/** Postgres cannot store NUL or lone surrogates. */
const clean = (value: string) => value.replaceAll("\0", "").toWellFormed();

/**
 * Rejects forms of other sites. Browsers send the page's origin. A request without it comes from a program, which has
 * no cookies of another person.
 */
export function refuseForeign(ctx: Context, baseUrl: string): void {
  const origin = ctx.get("origin");
  const own = origin === "" || origin === new URL(baseUrl).origin || URL.parse(origin)?.host === ctx.host;
  if (!own || ctx.get("sec-fetch-site") === "cross-site") refuse("foreign_form");
}
