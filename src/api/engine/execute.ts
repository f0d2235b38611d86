import type { InIssue, Writing } from "../../domain/context.ts";
import { refuse } from "../../domain/errors.ts";
import type { Lane } from "../../domain/ports.ts";
import { unitOfWork } from "../../domain/unit-of-work.ts";
import { admit, contextOf } from "./access.ts";
import { type Body, baseContext, type Call, type LongReply, type Reply, type Runtime } from "./call.ts";
import { decodeBody, decodeQuery } from "./decode.ts";
import { Download, fileOf } from "./download.ts";
import { encode, encodeInParts } from "./encode.ts";
import { lockCall } from "./idempotency.sql.ts";
import { type Claim, claimFor, claimKey, findReply, inTurn, storeReply } from "./idempotency.ts";
import { load } from "./load.ts";
import type { Operation, OwnAnswer } from "./operation.ts";
import { PAGING, readPaging } from "./page.ts";
import { takeForSize, takeRate } from "./rate.ts";

/**
 * Runs one operation, whatever carried the call here: access → rate → locate → gate → decode → handle → encode → commit.
 * @throws Refusal for whatever the client may see; anything else is a fault of ours.
 */
export async function execute(operation: Operation, runtime: Runtime, call: Call): Promise<LongReply> {
  const base = baseContext(runtime, call.requestId);
  const located = await admit(runtime, operation, call, base);
  const ctx = contextOf(base, located);
  if (!operation.writes && operation.mode !== "own") return read(operation, runtime, call, ctx);

  const body = operation.body ? await call.readBody(operation.maxBodyBytes ?? 1024 * 1024) : undefined;
  const taken = 1 + (await takeForSize(runtime, call, ctx.caller, body?.bytes ?? 0));
  const claim = claimOf(operation, call, ctx, body);
  const request = { operation, runtime, call, ctx, body, taken, claim };
  if (operation.mode === "own") return own(request);
  // An earlier answer is given before anything is prepared or refused.
  const earlier = operation.prepare && claim && (await findReply(ctx, claim));
  if (earlier) return earlier;
  const cost = await takeCost(request);
  const run = { ...request, prepared: await prepare(request) };
  const { answer, reply, replayed } = await inTurn(() => write(run)).catch(async (error) => {
    await operation.abandon?.(ctx, run.prepared);
    throw error;
  });
  if (replayed) runtime.ports.rateLimiter.giveBack(ctx.caller.key_id, cost);
  if (!operation.settle || replayed) return reply;
  return encode(operation, await operation.settle(ctx, answer), ctx, undefined);
}

/** Takes what a call costs by its content, before any transaction; answers how much. A replay gets it back. */
async function takeCost(request: Request): Promise<number> {
  const { operation, runtime, call, ctx } = request;
  if (!operation.cost) return 0;
  const cost = operation.cost(inputOf(request, ctx).input);
  await takeRate(runtime, call, ctx.caller, cost, request.taken);
  return cost;
}

async function write(run: Run): Promise<Done> {
  const { operation, runtime, ctx, claim } = run;
  // Writes of a project wait for each other on its board, those of an issue on its row.
  const lane = { tenant: ctx.workspace.id, name: ctx.project?.id ?? ctx.workspace.id, item: ctx.issue?.id };
  if (operation.mode !== "statement" || claim) return writeInTransaction(run, lane);
  const done = await runtime.database.write((db) => {
    ctx.warnings.length = 0;
    return change(run, { ...ctx, db });
  }, lane);
  runtime.ports.hint();
  return done;
}

type Request = {
  operation: Operation;
  runtime: Runtime;
  call: Call;
  ctx: InIssue;
  body: Body | undefined;
  /** Units of the rate limit that the call has taken so far. */
  taken: number;
  claim: Claim | null;
};
type Run = Request & { prepared: unknown };
type Done = { answer: unknown; reply: Reply; replayed?: boolean };

async function read(operation: Operation, runtime: Runtime, call: Call, ctx: InIssue): Promise<LongReply> {
  const { on, parent } = await load(operation, ctx, call.params);
  const paged = operation.shape === "list" ? PAGING : [];
  const query = decodeQuery(operation.query, call.query, {
    ...decoding(runtime, call, ctx),
    also: [...paged, "fields"],
  });
  const paging =
    paged.length > 0 ? readPaging(call.query, placeOf(operation, call, ctx), runtime.cursorSecret) : undefined;
  const answer = await operation.handle({ ctx, query, paging, on, parent, params: call.params });
  if (answer instanceof Download) return fileOf(answer, ctx.warnings);
  return operation.long || operation.shape === "list"
    ? encodeInParts(operation, answer, ctx, call.query.fields)
    : encode(operation, answer, ctx, call.query.fields);
}

/** Whatever refuses the call without a look at rows does so before the outside is called. */
async function prepare(request: Request): Promise<unknown> {
  const { operation, runtime, call, ctx } = request;
  if (!operation.prepare) return undefined;
  const { input } = inputOf(request, ctx);
  refuseArchived(operation, ctx);
  const outside = { ...ctx, database: runtime.database, entities: runtime.entities };
  return operation.prepare({ ctx: outside, body: input, params: call.params });
}

async function writeInTransaction(run: Run, lane: Lane): Promise<Done> {
  const { runtime, ctx, claim } = run;
  const { database, entities } = runtime;
  const settings = claim ? lockCall(claim) : "";
  return unitOfWork(
    ctx,
    { database, entities, workspaceId: ctx.workspace.id, lane, settings },
    async (writing): Promise<Done> => {
      // A transaction that runs again starts without what its first run warned of.
      ctx.warnings.length = 0;
      const earlier = claim && (await claimKey(writing, claim));
      return earlier ? { answer: undefined, reply: earlier, replayed: true } : change(run, writing);
    },
    async (writing, { reply, replayed }) => {
      if (claim && !replayed) await storeReply(writing, claim, reply);
    },
  );
}

function claimOf(operation: Operation, call: Call, ctx: InIssue, body: Body | undefined): Claim | null {
  const { idempotencyKey: key } = call;
  // Calls of the mode `own` keep their keys themselves.
  if (key === null || operation.mode === "own") return null;
  const { caller, workspace } = ctx;
  const path = placeOf(operation, call, ctx);
  return claimFor({ keyId: caller.key_id, method: operation.method, path, key, workspaceId: workspace.id }, body);
}

async function change(run: Run, ctx: InIssue | (InIssue & Writing)): Promise<Done> {
  const { operation, call, prepared } = run;
  const { on, parent, archivedAt } = await load(operation, ctx, call.params);
  const { input, query, lenient } = inputOf(run, ctx);
  refuseArchived(operation, ctx, archivedAt);
  const answer = await operation.handle({
    ctx,
    query,
    body: input,
    on,
    parent,
    prepared,
    params: call.params,
    lenient,
  });
  return { answer, reply: encode(operation, answer, ctx, undefined) };
}

function inputOf({ operation, runtime, call, body }: Request, ctx: InIssue) {
  const options = { ...decoding(runtime, call, ctx), creating: operation.method === "POST" };
  const input = operation.body && decodeBody(operation.body, body?.value, options);
  const query = decodeQuery(operation.query, call.query, { ...options, also: [] });
  return { input, query, lenient: options.lenient };
}

/** Calls of the mode `own`: what they do outside of transactions decides what is stored, so they store it themselves. */
async function own({ operation, runtime, call, ctx, body }: Request): Promise<Reply> {
  const options = { ...decoding(runtime, call, ctx), creating: true };
  const input = operation.body && decodeBody(operation.body, body?.value, options);
  const query = decodeQuery(operation.query, call.query, { ...options, also: operation.writes ? [] : ["fields"] });
  const raw = {
    headers: call.headers,
    bodyText: body?.text ?? "",
    path: call.path,
    idempotencyKey: call.idempotencyKey,
  };
  const outside = { ...ctx, database: runtime.database, entities: runtime.entities };
  const answer = (await operation.handle({ ctx: outside, query, body: input, params: call.params, raw })) as OwnAnswer;
  return {
    status: answer.status,
    headers: answer.headers,
    body: encode(operation, answer.data, ctx, call.query.fields).body,
  };
}

/** Nothing changes in what is archived, but for its own restoring and archiving again, and who may see it. */
function refuseArchived({ head, onArchived }: Operation, { project, issue }: InIssue, loaded: string | null = null) {
  const ownIssue = onArchived && head === "I";
  const ownProject = onArchived && head === "P";
  const archivedAt =
    (ownProject ? null : project?.archived_at) ??
    (ownIssue ? null : issue?.archived_at) ??
    (onArchived ? null : loaded);
  if (archivedAt) refuse("archived", { archived_at: archivedAt });
}

/** One name for one place, however its path was spelled. */
const placeOf = (operation: Operation, { params }: Call, { workspace, project, issue }: InIssue): string => {
  const { slug, key, issueKey, ...own } = params;
  const located = [slug && workspace.id, key && project.id, issueKey && issue.id].filter(Boolean);
  return [operation.id, ...located, ...Object.values(own)].join(" ");
};

const decoding = (runtime: Runtime, call: Call, ctx: InIssue) => ({
  lenient: call.lenient || runtime.lenient,
  warnings: ctx.warnings,
});
