import type { Body, Call, InCall, Runtime } from "./call.ts";
import { decodeBody, decodeQuery } from "./decode.ts";
import { type Claim, claimFor } from "./idempotency.ts";
import type { Operation } from "./operation.ts";
import { takeForSize, takeRate } from "./rate.ts";
import { withoutUnchanged } from "./round-trip.ts";

/** A call of an operation that changes something, whose caller was let in. */
export type Request = {
  operation: Operation;
  runtime: Runtime;
  call: Call;
  ctx: InCall;
  body: Body | undefined;
  /** Units of the rate limit that the call has taken so far. */
  taken: number;
  /** What its Idempotency-Key stands for. */
  claim: Claim | null;
};

/** Reads the body, which costs rate units by its size. @throws Refusal body_too_large, invalid_json, rate_limited */
export async function readRequest(operation: Operation, runtime: Runtime, call: Call, ctx: InCall): Promise<Request> {
  const body = operation.body ? await call.readBody(operation.maxBodyBytes ?? 1024 * 1024) : undefined;
  const taken = 1 + (await takeForSize(runtime, call, ctx.credential, body?.bytes ?? 0));
  const claim = claimOf(operation, call, ctx, body);
  return { operation, runtime, call, ctx, body: await withoutUnchanged(operation, call, ctx, body), taken, claim };
}

function claimOf(operation: Operation, call: Call, ctx: InCall, body: Body | undefined): Claim | null {
  const { idempotencyKey: key } = call;
  // Operations of the mode `own` keep their keys themselves.
  if (key === null || operation.mode === "own") return null;
  const { credential, workspace } = ctx;
  const path = resourceKey(operation, call, ctx);
  return claimFor({ keyId: credential.id, method: operation.method, path, key, workspaceId: workspace.id }, body);
}

/** One name for what a path names, however the path was spelled. */
export function resourceKey({ id }: Operation, { params }: Call, { workspace, project, issue }: InCall): string {
  const { slug, key, issueKey, ...own } = params;
  const located = [slug && workspace.id, key && project.id, issueKey && issue.id].filter(Boolean);
  return [id, ...located, ...Object.values(own)].join(" ");
}

/** The body and the query in the operation's own schema. @throws Refusal validation_failed and the like */
export function inputOf({ operation, runtime, call, ctx, body }: Request, also: readonly string[] = []) {
  const options = { ...decodingOf(runtime, call, ctx), creating: operation.method === "POST" };
  const input = operation.body && decodeBody(operation.body, body?.value, options);
  const query = decodeQuery(operation.query, call.query, { ...options, also });
  return { input, query, lenient: options.lenient };
}

export const decodingOf = (runtime: Runtime, call: Call, ctx: InCall) => ({
  lenient: call.lenient || runtime.lenient,
  warnings: ctx.warnings,
});

/** Takes what a call costs by its content, before any transaction; returns the units. A replay gets them back. */
export async function takeCost(request: Request): Promise<number> {
  const { operation, runtime, call, ctx } = request;
  if (!operation.cost) return 0;
  const cost = operation.cost(inputOf(request).input);
  await takeRate(runtime, call, ctx.credential, cost, request.taken);
  return cost;
}
