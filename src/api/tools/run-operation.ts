import { needsExact, parseSpelled } from "../../domain/kernel/exact-json.ts";
import { shapeOf } from "../../domain/kernel/json-shape.ts";
import { letOthersRun } from "../../domain/kernel/let-others-run.ts";
import { own } from "../../domain/kernel/own.ts";
import type { Body, Call, LongReply } from "../engine/call.ts";
import { execute } from "../engine/execute.ts";
import { readIdempotencyKey } from "../engine/idempotency.ts";
import { BYTES_A_MEMBER, copyField } from "../http/body.ts";
import { TOOL_SERVER } from "../oauth/resources.ts";
import { type Answer, cutToSize } from "./budget.ts";
import type { Callable } from "./callable.ts";
import type { Exchange } from "./exchange.ts";
import { partOf } from "./more.ts";

/** What a tool sends to an operation. */
export type Sent = {
  params: Record<string, string>;
  query: Record<string, string>;
  body: Record<string, unknown> | undefined;
  idempotencyKey?: string | undefined;
  headers?: Record<string, string>;
  /** It belongs to a call that was counted already. */
  unmetered?: boolean;
  /** Reads on in a part of the answer that was cut. */
  more?: string | undefined;
  /** Fields of the object, or of each object, that are shown of the reply to a change. Absent: all. */
  shows?: readonly string[] | undefined;
};

/** Characters. Parsing a longer reply, and cutting it, are turns of their own: each takes up to 30 ms. */
const LONG = 256 * 1024;

/**
 * Runs an operation for a tool, on the same path as a REST call, and makes its reply fit.
 * @throws Refusal as the REST call; invalid_cursor, cursor_mismatch
 */
export async function answerOf(exchange: Exchange, callable: Callable, sent: Sent): Promise<Answer> {
  const { operation } = callable;
  const reply = await execute(operation, exchange.runtime, callOf(exchange, callable, sent));
  const text = await textOf(reply);
  const isLong = text.length > LONG;
  if (isLong) await letOthersRun();
  const whole = JSON.parse(text) as Answer;
  if (isLong) await letOthersRun();
  const answer = sent.shows ? { ...whole, data: shown(whole.data, sent.shows) } : whole;
  return sent.more === undefined ? cutToSize(answer, !operation.writes) : partOf(answer, sent.more);
}

/** Only some fields of an object, or of each object in the rows of a bulk call. */
function shown(data: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(data)) return data.map((row) => (row.ok ? { ...row, data: shown(row.data, fields) } : row));
  const object = data as Record<string, unknown>;
  return Object.fromEntries(fields.filter((name) => Object.hasOwn(object, name)).map((name) => [name, object[name]]));
}

function callOf(exchange: Exchange, { operation, reading }: Callable, sent: Sent): Call {
  const { requestId, secret, address, userAgent, closed, onRate, onCaller } = exchange;
  return {
    requestId,
    secret,
    address,
    userAgent,
    closed,
    onRate,
    onCaller,
    path: TOOL_SERVER + operation.path,
    params: sent.params,
    ownWorkspace: true,
    onlyJson: true,
    ...(sent.unmetered ? { unmetered: true } : {}),
    query: sent.query,
    get idempotencyKey() {
      return operation.writes ? readIdempotencyKey(sent.idempotencyKey) : null;
    },
    reading,
    ifMatch: "",
    ifNoneMatch: "",
    headers(name) {
      const value = own(sent.headers ?? {}, name);
      return value === undefined ? [] : [value];
    },
    lenient: false,
    readBody: async (_, anyJson) => bodyOf(withExactNumbers(sent.body, anyJson, exchange.text)),
  };
}

/** Gives a field that may be any JSON the numbers as they were spelled in the request. */
function withExactNumbers(body: Sent["body"], anyJson: string | undefined, text: string): Sent["body"] {
  if (body === undefined || anyJson === undefined || !needsExact(text)) return body;
  const { params } = parseSpelled(text) as { params: { arguments: { body?: unknown } } };
  const { arguments: given } = params;
  copyField(anyJson, typeof given.body === "object" ? given.body : given, body);
  return body;
}

/** The body as a REST call would send it. The request that it came in was limited and checked as a whole. */
function bodyOf(value: Record<string, unknown> | undefined): Body {
  if (value === undefined) return { text: "", size: 0, value: undefined };
  const text = JSON.stringify(value);
  const bytes = Buffer.from(text);
  return { text, size: bytes.length + shapeOf(bytes).members * BYTES_A_MEMBER, value };
}

async function textOf({ body }: LongReply): Promise<string> {
  if (typeof body === "string") return body;
  if (Buffer.isBuffer(body)) return body.toString();
  if ("start" in body) {
    body.abandon();
    throw new Error("Operations that stream are not called as tools.");
  }
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}
