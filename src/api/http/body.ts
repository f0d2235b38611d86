import type { Context } from "koa";
import { koaBody } from "koa-body";
import { refuse } from "../../domain/kernel/errors.ts";
import { needsExact, parseSpelled } from "../../domain/kernel/exact-json.ts";
import { type JsonShape, shapeOf } from "../../domain/kernel/json-shape.ts";
import { openPauses } from "../../domain/kernel/let-others-run.ts";
import type { Body } from "../engine/call.ts";
import { refuseIfRejected, reserveBody, reserveMemory } from "./memory.ts";

/**
 * Reads JSON bodies. It runs only after the caller is admitted, so that unknown callers cannot make the server read
 * anything.
 */

const parsers = new Map<number, ReturnType<typeof koaBody>>();
const next = async () => {};
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * @param anyJson as in `operation`
 * @throws Refusal unsupported_media_type, body_too_large, invalid_json, validation_failed
 */
export async function readJson(ctx: Context, maxBytes: number, anyJson?: string): Promise<Body> {
  const type = ctx.get("content-type");
  const length = ctx.get("content-length");
  if (length === "0" || (length === "" && ctx.get("transfer-encoding") === "")) return NO_BODY;
  if (!/^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type) || /charset\s*=\s*"?(?!utf-?8)/i.test(type)) {
    const cause = type
      ? `This call does not accept a body of type ${type.slice(0, 200)}.`
      : "The body has no Content-Type.";
    const message = `${cause} Send JSON in UTF-8, with the header Content-Type: application/json.`;
    refuse("unsupported_media_type", { message, content_type: type || null });
  }
  if (Number(length) > maxBytes) tooLarge(maxBytes);

  const bytes = await readRaw(ctx, maxBytes);
  // Each of these steps takes up to 30 ms for the longest bodies.
  const pause = openPauses();
  const text = decode(bytes);
  if (text.trim() === "") return NO_BODY;
  await pause();
  const shape = shapeOf(bytes);
  await pause();
  let value: unknown;
  return {
    text,
    size: bytes.length + shape.members * BYTES_A_MEMBER,
    get value() {
      value ??= parse(ctx, text, shape, anyJson);
      return value;
    },
  };
}

const NO_BODY: Body = { text: "", size: 0, value: undefined };

/** Reading an object's member takes as long as reading this many bytes of a long text. */
export const BYTES_A_MEMBER = 64;

/** The raw bytes of a JSON body, for signatures. @throws Refusal body_too_large, invalid_json */
export async function readRaw(ctx: Context, maxBytes: number): Promise<Buffer> {
  reserveBody(ctx, maxBytes);
  await parserFor(maxBytes)(ctx, next);
  const bytes = Buffer.from((ctx.request.body as string | undefined) ?? "", "latin1");
  ctx.request.body = undefined;
  return bytes;
}

/** The fields of a form, still encoded. @throws Refusal body_too_large, unsupported_media_type, invalid_json */
export async function readFormBody(ctx: Context, maxBytes: number): Promise<string> {
  if (ctx.get("content-length") === "0") return "";
  if (!ctx.is("urlencoded"))
    refuse("unsupported_media_type", {
      message: "Send the form as application/x-www-form-urlencoded or multipart/form-data.",
    });
  if (Number(ctx.get("content-length")) > maxBytes) tooLarge(maxBytes);
  return (await readRaw(ctx, maxBytes)).toString("latin1");
}

/** koa-body reads, inflates and limits the bytes, one character per byte. Their content is checked here. */
function parserFor(maxBytes: number) {
  let parser = parsers.get(maxBytes);
  if (!parser) {
    parser = koaBody({
      json: false,
      urlencoded: false,
      multipart: false,
      textTypes: ["json", "+json", "urlencoded"],
      textLimit: maxBytes,
      encoding: "binary",
      parsedMethods: ["POST", "PUT", "PATCH", "DELETE"] as never,
      onError: (error, ctx) => {
        drain(ctx);
        refuseIfRejected(ctx);
        if ((error as { status?: number }).status === 413) tooLarge(maxBytes);
        refuse("invalid_json", { message: `The body could not be read: ${error.message}` });
      },
    });
    parsers.set(maxBytes, parser);
  }
  return parser;
}

/**
 * Reads and discards the rest of a rejected body, so that it does not block the next request on the connection. The
 * time limit of the request ends this.
 */
function drain({ req }: Context): void {
  req.unpipe();
  req.resume();
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return refuse("invalid_json", { message: "The body is not valid UTF-8." });
  }
}

const tooLarge = (maxBytes: number) =>
  refuse("body_too_large", { message: `The body may have at most ${maxBytes} bytes.`, max_bytes: maxBytes });

function parse(ctx: Context, text: string, shape: JsonShape, anyJson: string | undefined): unknown {
  checkShape(shape, LIMITS);
  reserveMemory(ctx, shape.values * BYTES_A_VALUE);
  const value = parseChecked(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    refuse("validation_failed", {
      message: "The body must be a JSON object.",
      errors: [{ path: "", code: "type", message: "must be an object", expected: "object" }],
    });
  }
  if (/\\u(0000|d[89a-f])/i.test(text)) refuseUnstorable(value, "", anyJson);
  const hasAnyJson = anyJson !== undefined && contains(value, anyJson);
  if (hasAnyJson && needsExact(text)) copyField(anyJson, parseSpelled(text), value);
  return value;
}

/** Whether a body, or an item of a bulk call, has a field. */
function contains(body: object, field: string): boolean {
  if (Object.hasOwn(body, field)) return true;
  const { items } = body as { items?: unknown };
  return (
    Array.isArray(items) && items.some((item) => typeof item === "object" && item !== null && contains(item, field))
  );
}

/** Copies a field of a body, or of each item of a bulk call, from the same body with exact numbers. */
export function copyField(field: string, exact: unknown, body: unknown): void {
  if (typeof exact !== "object" || exact === null || typeof body !== "object" || body === null) return;
  const [from, to] = [exact as Record<string, unknown>, body as Record<string, unknown>];
  if (Object.hasOwn(from, field)) to[field] = from[field];
  if (!Array.isArray(from.items) || !Array.isArray(to.items)) return;
  for (const [index, item] of from.items.entries()) copyField(field, item, to.items[index]);
}

/** More than any valid input. Later code may walk a body recursively. */
const MAX_DEPTH = 64;
/** More than any valid input. A member's name takes a microsecond to read, because names may all differ. */
const LIMITS: JsonLimits = { values: 50_000, members: 20_000 };

/** Memory that an empty object takes, in bytes. */
const BYTES_A_VALUE = 64;

export type JsonLimits = Pick<JsonShape, "values" | "members">;

/**
 * Parses JSON. Before it creates any value, it rejects texts that are nested too deep or have too many parts.
 * @throws Refusal invalid_json, body_too_large
 */
export function parseJson(text: string, limits: JsonLimits): unknown {
  checkShape(shapeOf(Buffer.from(text)), limits);
  return parseChecked(text);
}

/**
 * Parses JSON of a form like that of a body.
 * @throws Refusal invalid_json, body_too_large, validation_failed
 */
export function parseStorable(text: string): unknown {
  const value = parseJson(text, LIMITS);
  refuseUnstorable(value, "");
  return value;
}

function checkShape({ values, members, depth }: JsonShape, limits: JsonLimits): void {
  if (depth > MAX_DEPTH) {
    refuse("invalid_json", { message: `The body may be nested at most ${MAX_DEPTH} levels deep.` });
  }
  if (values > limits.values || members > limits.members) {
    const message = `The body may have at most ${limits.values} values, and ${limits.members} members of objects.`;
    refuse("body_too_large", { message, max_values: limits.values, max_members: limits.members });
  }
}

function parseChecked(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuse("invalid_json", { message: `The body is not valid JSON: ${(error as Error).message.slice(0, 200)}` });
  }
}

/**
 * Rejects NUL and lone surrogates. They are valid JSON, but Postgres cannot store them.
 * @param except a field of the body that is stored as JSON text, which can contain them
 */
function refuseUnstorable(value: unknown, path: string, except?: string): void {
  if (typeof value === "string" && !isStorable(value)) {
    const message = "must not contain NUL or half a surrogate pair";
    refuse("validation_failed", {
      message: `${path.slice(1)} ${message}`,
      errors: [{ path, code: "pattern", message }],
    });
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, content] of Object.entries(value)) {
    if (name === except && /^(\/items\/\d+)?$/.test(path)) continue;
    // Paths of long lists take time, so they are only made where they are needed.
    if (!isStorable(name)) refuseUnstorable(name, `${path}/${name.replaceAll("\u0000", "")}`);
    if (typeof content === "object" || (typeof content === "string" && !isStorable(content)))
      refuseUnstorable(content, `${path}/${name}`, except);
  }
}

/** Raw NUL bytes are not valid JSON, and UTF-8 has no surrogates, so these can come only from escapes. */
const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed();
