import { z } from "zod";
import { openPauses } from "../../domain/kernel/let-others-run.ts";
import type { Body, Call, InCall, Runtime } from "./call.ts";
import { type DecodeOptions, decodeBody, decodeQuery } from "./decode.ts";
import { fieldsOf } from "./encode.ts";
import { type Claim, claimFor } from "./idempotency.ts";
import type { Operation } from "./operation.ts";
import { sizeCost, takeExtra, takeRate } from "./rate.ts";
import { withoutUnchanged } from "./round-trip.ts";

/** An admitted call of an operation that changes something. */
export type Request = {
  operation: Operation;
  runtime: Runtime;
  call: Call;
  ctx: InCall;
  body: Body;
  /** Rate limit units that the call has taken so far. */
  taken: number;
  /** Its Idempotency-Key, if any. */
  claim: Claim | null;
};

/**
 * Reads the body and takes rate limit units for its size.
 * @throws Refusal body_too_large, invalid_json, rate_limited
 */
export async function readRequest(operation: Operation, runtime: Runtime, call: Call, ctx: InCall): Promise<Request> {
  const body = await call.readBody(operation.maxBodyBytes ?? 1024 * 1024, operation.anyJson);
  const taken = 1 + (await takeExtra(runtime, call, ctx.credential, sizeCost(body.size)));
  // Each of the next steps takes up to 30 ms for the longest bodies. Reading `value` parses the body.
  const pause = openPauses();
  if (operation.body && body.value) await pause();
  // A call that takes no body is the same with an empty one and without.
  const claim = claimOf(operation, call, ctx, operation.body && body);
  await pause();
  const changed = operation.body ? await withoutUnchanged(operation, call, ctx, body) : body;
  return { operation, runtime, call, ctx, body: changed, taken, claim };
}

function claimOf(operation: Operation, call: Call, ctx: InCall, body: Body | undefined): Claim | null {
  const { idempotencyKey: key } = call;
  // Operations with mode `own` store their replies themselves.
  if (key === null || operation.mode === "own") return null;
  const { credential, workspace } = ctx;
  const path = resourceKey(operation, call, ctx);
  return claimFor({ keyId: credential.id, method: operation.method, path, key, workspaceId: workspace.id }, body);
}

/** A canonical name of the resource in the path, independent of spelling. */
export function resourceKey({ id }: Operation, { params }: Call, { workspace, project, issue }: InCall): string {
  const { slug, key, issueKey, ...own } = params;
  const located = [slug && workspace.id, key && project.id, issueKey && issue.id].filter(Boolean);
  return [id, ...located, ...Object.values(own)].join(" ");
}

/** The body and the query, validated by the operation's schemas. @throws Refusal validation_failed and the like */
export function inputOf({ operation, runtime, call, ctx, body }: Request, also: readonly string[] = []) {
  // The forms of pages are our own.
  const shown = call.visitor ? undefined : (fieldsOf(operation.returns) ?? []);
  const options = { ...decodingOf(runtime, call, ctx), creating: operation.method === "POST", shown };
  const input = operation.body ? decodeBody(operation.body, body.value, options) : refuseFields(body, options);
  const query = decodeQuery(operation.query, call.query, { ...options, also });
  return { input, query, lenient: options.lenient };
}

const NO_FIELDS = z.strictObject({});

/** The body of a call that takes none may be empty or `{}`. @throws Refusal unknown_field, validation_failed */
function refuseFields(body: Body, options: DecodeOptions): undefined {
  decodeBody(NO_FIELDS, body.value, options);
}

export const decodingOf = (runtime: Runtime, call: Call, ctx: InCall) => ({
  lenient: call.lenient || runtime.lenient,
  warnings: ctx.warnings,
});

/**
 * Takes the rate limit units that a call costs by its content, before any transaction. Returns the units. A replayed
 * call gets them back.
 */
export async function takeCost(request: Request): Promise<number> {
  const { operation, runtime, call, ctx } = request;
  if (!operation.cost) return 0;
  const cost = operation.cost(inputOf(request).input);
  await takeRate(runtime, call, ctx.credential, cost, request.taken);
  return cost;
}
