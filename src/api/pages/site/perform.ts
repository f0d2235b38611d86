import { channel } from "node:diagnostics_channel";
import type { Warning } from "../../../domain/kernel/context.ts";
import { own } from "../../../domain/kernel/own.ts";
import type { LongReply, Runtime } from "../../engine/call.ts";
import { execute } from "../../engine/execute.ts";
import type { Operation } from "../../engine/operation.ts";
import { callerOf } from "../../http/caller.ts";
import { refuseRepeat } from "./once.ts";
import type { WorkspaceCall } from "./site.ts";

/** Pages read and change data through the operations of the API only. */

export type PerformInput = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
  /** The tag of the object that the form showed (engine/etag.ts). If the object has changed since, the change is refused. */
  ifMatch?: string;
  /** Identifies this sending of a form. Repeats are rejected, because the reply has a secret that is shown once. */
  once?: string | null;
  /** Identifies this sending of a form. Repeats change nothing and return the same. */
  repeatable?: string | null;
};

/**
 * Runs an operation as the visitor: with the same checks, limits and errors as a call of the API. Its warnings are added
 * to `call.warnings`.
 * @returns the reply's `data`
 * @throws Refusal as the operation does
 */
export type Perform = <T>(call: WorkspaceCall, operation: string, input?: PerformInput) => Promise<T>;

/** As `Perform`, for one page of a list. */
export type PerformList = <T>(call: WorkspaceCall, operation: string, input?: PerformInput) => Promise<List<T>>;
/** As `Perform`, for an operation that draws: the picture as SVG. */
export type PerformPicture = (call: WorkspaceCall, operation: string, input?: PerformInput) => Promise<string>;
/** As `Perform`, for a file or a picture that `input` asks for. */
export type PerformFile = (call: WorkspaceCall, operation: string, input: PerformInput) => Promise<Buffer>;
export type List<T> = { data: T[] /** The cursor of the next page. Null on the last one. */; next: string | null };

type Parsed = { data: unknown; pagination?: { next_cursor: string | null }; warnings?: Warning[] };

/** Tells what pages call, to whoever listens: `{ operation, input }`. */
const told = channel("muster.page-call");

/** Pages wait for their operations, so this signal never aborts. */
const NEVER = new AbortController().signal;

/**
 * A page makes many small calls: people could not look at forty pages a minute if each of these cost as much as a
 * request. So one of four is paid for.
 */
const CALLS_A_UNIT = 4;
const made = new WeakMap<object, number>();

function paysFor(request: object): boolean {
  const before = made.get(request) ?? 0;
  made.set(request, before + 1);
  return before % CALLS_A_UNIT === 0;
}

export function performing(
  runtime: Runtime,
  operations: readonly Operation[],
): { perform: Perform; list: PerformList; picture: PerformPicture; file: PerformFile } {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const readings = new Map(operations.filter(({ method }) => method === "GET").map((one) => [one.path, one]));

  async function send(call: WorkspaceCall, id: string, input: PerformInput): Promise<LongReply> {
    const operation = byId.get(id);
    if (!operation) throw new Error(`There is no operation ${id}.`);
    if (told.hasSubscribers) told.publish({ operation, input });
    return execute(operation, runtime, {
      ...callerOf(call.request),
      secret: null,
      visitor: call.visitor,
      unmetered: !paysFor(call.request),
      path: call.request.path,
      params: { slug: call.here.workspace.slug, ...input.params },
      query: input.query ?? {},
      closed: NEVER,
      reading: readings.get(operation.path) ?? null,
      ifMatch: input.ifMatch ?? "",
      ifNoneMatch: "",
      idempotencyKey: input.once ?? input.repeatable ?? null,
      headers: (name) => [own(input.headers ?? {}, name) ?? []].flat(),
      lenient: false,
      // Two sendings are the same if `once` is the same. The body is left out, because it contains times.
      readBody: async () => {
        const text = input.once ? "" : JSON.stringify(input.body ?? {});
        return { text, size: text.length, value: input.body ?? {} };
      },
      onRate: () => {},
      onCaller: () => {},
    });
  }

  async function run(call: WorkspaceCall, id: string, input: PerformInput): Promise<Parsed> {
    const reply = await send(call, id, input);
    if (input.once && reply.headers?.["Idempotent-Replayed"]) refuseRepeat();
    // 204 has no body.
    const parsed: Parsed = reply.body === "" ? { data: null } : JSON.parse(String(reply.body));
    call.warnings.push(...(parsed.warnings ?? []));
    return parsed;
  }

  return {
    picture: async (call, id, input = {}) =>
      String((await send(call, id, { ...input, headers: { accept: "image/svg+xml" } })).body),
    file: async (call, id, input) => {
      const { body } = await send(call, id, input);
      if (typeof body === "string" || Buffer.isBuffer(body)) return Buffer.from(body);
      if ("start" in body) throw new Error(`${id} is a stream.`);
      const parts: Buffer[] = [];
      for await (const part of body) parts.push(Buffer.from(part));
      return Buffer.concat(parts);
    },
    perform: async <T>(call: WorkspaceCall, id: string, input: PerformInput = {}) =>
      (await run(call, id, input)).data as T,
    list: async <T>(call: WorkspaceCall, id: string, input: PerformInput = {}) => {
      const { data, pagination } = await run(call, id, input);
      return { data: data as T[], next: pagination?.next_cursor ?? null };
    },
  };
}
