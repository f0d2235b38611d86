import { z } from "zod";
import type { Ctx } from "../../domain/kernel/context.ts";
import { refuse } from "../../domain/kernel/errors.ts";
import { own } from "../../domain/kernel/own.ts";
import { Written } from "../../domain/kernel/written.ts";
import type { LongReply, Reply } from "./call.ts";
import { etagOf, hasEtag } from "./etag.ts";
import { hasJsonText, JsonRows, jsonTexts } from "./json-text.ts";
import type { BulkRow, Operation, Page } from "./operation.ts";
import { bytesInParts, joinInParts, jsonInParts } from "./parts.ts";
import { shown } from "./shown.ts";
import { unknownName } from "./unknown.ts";

/** Adds the envelope, keeps only the fields of the view, and serialises the reply once. */

export function encode(operation: Operation, answer: unknown, ctx: Ctx, fields: string | undefined): Reply {
  if (answer instanceof Written) return encodeWritten(operation, answer, ctx);
  const envelope = envelopeOf(operation, answer, pick(operation, fields));
  const warnings = ctx.warnings.length > 0 ? { warnings: ctx.warnings } : {};
  const body = JSON.stringify({ ...envelope, ...warnings });
  const reply = { status: statusOf(operation, answer), body };
  if (!hasEtag(operation)) return reply;
  // Warnings are not part of the object.
  return {
    ...reply,
    headers: { ETag: etagOf(answer as object, ctx.warnings.length > 0 ? JSON.stringify(envelope) : body) },
  };
}

/** As `encode`, for an object whose JSON exists already. */
function encodeWritten(operation: Operation, { view, json }: Written<object>, { warnings }: Ctx): Reply {
  const object = `{"data":${json}}`;
  const body = warnings.length > 0 ? `{"data":${json},"warnings":${JSON.stringify(warnings)}}` : object;
  const reply = { status: operation.status, body };
  return hasEtag(operation) ? { ...reply, headers: { ETag: etagOf(view, object) } } : reply;
}

/** As `encode`, for lists and for objects that contain long lists. It yields to other calls between parts. */
export async function encodeInParts(
  operation: Operation,
  answer: unknown,
  ctx: Ctx,
  fields: string | undefined,
): Promise<LongReply> {
  const body = await bytesInParts(partsOf(operation, answer, ctx, fields));
  const reply = { status: statusOf(operation, answer), body };
  return hasEtag(operation) ? { ...reply, headers: { ETag: etagOf(answer as object, body) } } : reply;
}

/** As `encode`, for bulk calls. Their replies may have megabytes, and are stored with an Idempotency-Key. */
export async function encodeBulk(operation: Operation, answer: unknown, ctx: Ctx): Promise<Reply> {
  const body = await joinInParts(partsOf(operation, answer, ctx, undefined));
  return { status: statusOf(operation, answer), body: String(body) };
}

function partsOf(operation: Operation, answer: unknown, ctx: Ctx, fields: string | undefined) {
  const envelope = envelopeOf(operation, answer, pick(operation, fields));
  const warnings = ctx.warnings.length > 0 ? { warnings: ctx.warnings } : {};
  return jsonInParts({ ...envelope, ...warnings });
}

function envelopeOf({ shape, returns }: Operation, answer: unknown, picked: (row: unknown) => unknown) {
  if (shape === "one") return { data: picked(parseOne(returns, answer)) };
  if (shape === "list" || shape === "all") {
    const { rows, next_cursor } = shape === "all" ? { rows: answer, next_cursor: null } : (answer as Page<unknown>);
    if ((rows as unknown) instanceof JsonRows) return { data: rows, pagination: { next_cursor } };
    return { data: rowsOf(returns, rows).map(picked), pagination: { next_cursor } };
  }
  const rows = answer as BulkRow[];
  return {
    data: rows.map((row) => (row.ok ? { ...row, data: shown(returns, row.data), status: 201 } : row)),
    pagination: { next_cursor: null },
  };
}

/** Checks an object. A JsonText stands for a text. */
function parseOne(view: z.ZodType, answer: unknown): unknown {
  if (!hasJsonText(answer)) return shown(view, answer);
  const texts = jsonTexts(answer);
  const names = Object.keys(texts);
  const empty = Object.fromEntries(names.map((name) => [name, ""]));
  return { ...(view.parse({ ...(answer as object), ...empty }) as object), ...texts };
}

function statusOf({ shape, status }: Operation, answer: unknown): number {
  if (shape !== "bulk") return status;
  return (answer as BulkRow[]).every((row) => row.ok) ? 201 : 207;
}

/** Lists that operations return are arrays. Anything else is a fault, which zod names. */
const rowsOf = (view: z.ZodType, rows: unknown): unknown[] =>
  Array.isArray(rows) ? rows.map((row) => shown(view, row)) : (z.array(view).parse(rows) as unknown[]);

/** The names in `fields=id,title`. */
export const fieldsAsked = (fields: string | undefined): string[] =>
  fields ? fields.split(",").map((name) => name.trim()) : [];

/** `fields=id,title`: only these top-level fields of each object. */
function pick({ returns }: Operation, fields: string | undefined): (row: unknown) => unknown {
  if (!fields) return (row) => row;
  const wanted = fieldsAsked(fields);
  const known = fieldsOf(returns) ?? wanted;
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const { shown, meant } = unknownName(unknown, known, "field");
    const hint = meant.did_you_mean ? ` Did you mean ${meant.did_you_mean}?` : "";
    const message = `fields: there is no field ${shown}.${hint}`;
    refuse("invalid_parameter", { message, parameter: "fields", allowed: known, ...meant });
  }
  return (row) => Object.fromEntries(wanted.map((name) => [name, own(row as Record<string, unknown>, name)]));
}

/** The fields of a view. Null if the view is not an object. */
export function fieldsOf(view: z.core.$ZodType): string[] | null {
  if (view instanceof z.ZodObject) return Object.keys(view.shape);
  if (!(view instanceof z.ZodUnion)) return null;
  return [...new Set(view.options.flatMap((option) => fieldsOf(option) ?? []))];
}
