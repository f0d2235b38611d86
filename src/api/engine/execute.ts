import { unitOfWork } from "../../domain/events/unit-of-work.ts";
import type { Sharing, Writing } from "../../domain/kernel/context.ts";
import { refuse } from "../../domain/kernel/errors.ts";
import { NotShared, type SharedWrites } from "../../domain/kernel/lanes.ts";
import { own } from "../../domain/kernel/own.ts";
import { COMMITTED, type WriteTarget } from "../../domain/kernel/ports/ports.ts";
import { present } from "../../domain/kernel/present.sql.ts";
import { readsOneByOne } from "../../domain/kernel/reads.sql.ts";
import { typeAsked } from "./accept.ts";
import { admit, contextOf } from "./access.ts";
import { AfterRead } from "./after-read.ts";
import { streamingOf } from "./allowed-again.ts";
import { baseContext, type Call, type InCall, type LongReply, type Reply, type Runtime } from "./call.ts";
import { decodeQuery } from "./decode.ts";
import { Download, fileOf, Picture, pictureReply } from "./download.ts";
import { encode, encodeBulk, encodeInParts, fieldsAsked } from "./encode.ts";
import { takesIfMatch, unlessUnchanged, withEtag } from "./etag.ts";
import { auditExport, Export } from "./export.ts";
import { lockCall } from "./idempotency.sql.ts";
import { claimKey, findReply, retryWhileClaimed, storeReply } from "./idempotency.ts";
import { checkUnchanged } from "./if-match.ts";
import { hasJsonText } from "./json-text.ts";
import { load } from "./load.ts";
import { readItems, readNamedProject } from "./named-project.ts";
import type { Operation } from "./operation.ts";
import { runOwn } from "./own.ts";
import { PAGING, readPaging } from "./page.ts";
import { takeExtra } from "./rate.ts";
import { decodingOf, inputOf, type Request, readRequest, resourceKey, takeCost } from "./request.ts";
import { countedByKey, Stream, streamReply } from "./stream.ts";

/**
 * Runs one operation, independent of the transport: access → rate → locate → gate → decode → handle → encode →
 * commit.
 * @throws Refusal for errors that the client may see; any other error is a bug
 */
export async function execute(operation: Operation, runtime: Runtime, call: Call): Promise<LongReply> {
  const base = baseContext(runtime, call);
  const located = await admit(runtime, operation, call, base);
  const ctx = contextOf(base, located);
  if (!operation.writes && operation.mode !== "own") {
    const target = { tenant: ctx.workspace.id, long: operation.long ?? false };
    const isAnswered = operation.readsNothing && call.query.mark_read === undefined;
    const reading = () => read(operation, runtime, call, ctx);
    const reply = await (isAnswered ? reading() : runtime.database.read(reading, target));
    const made = reply instanceof AfterRead ? await finish(operation, runtime, call, ctx, reply) : reply;
    return varying(operation, unlessUnchanged(made, call.ifNoneMatch));
  }

  const request = await readRequest(operation, runtime, call, ctx);
  if (operation.mode === "own") return runOwn(request);
  // A stored reply wins over `prepare` and over later checks.
  const earlier = operation.prepare && request.claim && (await findReply(ctx, request.claim));
  if (earlier) return withEtag(operation, earlier);
  const cost = await takeCost(request);
  const run = { ...request, prepared: await prepare(request) };
  const { answer, reply, replayed } = await retryWhileClaimed(() => write(run)).catch(async (error) => {
    await operation.abandon?.(ctx, run.prepared);
    throw error;
  });
  if (replayed) {
    runtime.ports.rateLimiter.giveBack(ctx.credential.id, cost);
    return withEtag(operation, reply);
  }
  return operation.finishAfterCommit
    ? encode(operation, await operation.finishAfterCommit(ctx, answer), ctx, undefined)
    : reply;
}

async function read(operation: Operation, runtime: Runtime, call: Call, ctx: InCall): Promise<LongReply | AfterRead> {
  const fields = fieldsAsked(call.query.fields);
  const { on, parent } = await load(operation, ctx, call.params, fields);
  const paged = operation.shape === "list" ? PAGING : [];
  const options = { ...decodingOf(runtime, call, ctx), also: operation.streams ? [] : [...paged, "fields"] };
  const query = decodeQuery(operation.query, call.query, options);
  const paging =
    paged.length > 0 ? readPaging(call.query, resourceKey(operation, call, ctx), runtime.cursorSecret) : undefined;
  const { params } = call;
  const asked = operation.downloads ? typeAsked(call.headers("accept").join(), operation.downloads) : null;
  const streaming = operation.streams ? streamingOf(operation, runtime, call) : undefined;
  const answer = await operation.handle({ ctx, query, paging, on, parent, params, fields, asked, streaming });
  return answer instanceof AfterRead ? answer : replyOf(operation, runtime, call, ctx, answer);
}

/** Tells caches that the reply depends on the Accept header (RFC 9110 §12.5.5). */
const varying = ({ downloads }: Operation, reply: LongReply): LongReply =>
  downloads ? { ...reply, headers: { ...reply.headers, Vary: "Accept" } } : reply;

/** Makes the answer that a read could not make while it had a connection. */
async function finish(operation: Operation, runtime: Runtime, call: Call, ctx: InCall, { cost, make }: AfterRead) {
  await takeExtra(runtime, call, ctx.credential, cost);
  return replyOf(operation, runtime, call, ctx, await make(call.closed));
}

async function replyOf(
  operation: Operation,
  runtime: Runtime,
  call: Call,
  ctx: InCall,
  answer: unknown,
): Promise<LongReply> {
  if (answer instanceof Export) return exported(operation, runtime, call, ctx, answer);
  if (answer instanceof Picture) return pictureReply(answer);
  if (answer instanceof Stream) return streamReply(answer, runtime, countedByKey(operation, ctx));
  return operation.long || operation.shape === "list" || hasJsonText(answer)
    ? encodeInParts(operation, answer, ctx, call.query.fields)
    : encode(operation, answer, ctx, call.query.fields);
}

/**
 * Only what can be sent is audited.
 * @param whole what is exported: a file, or an object
 * @throws Refusal invalid_parameter for a file where only JSON can be sent
 */
async function exported(
  operation: Operation,
  runtime: Runtime,
  call: Call,
  ctx: InCall,
  whole: Export,
): Promise<LongReply> {
  const { answer } = whole;
  if (answer instanceof Download && call.onlyJson) refuseFile(operation);
  const target = { tenant: ctx.workspace.id, long: true };
  const reply =
    answer instanceof Download
      ? await fileOf(answer, ctx.warnings, (read) => runtime.database.read(read, target))
      : await replyOf(operation, runtime, call, ctx, answer);
  await auditExport(ctx, whole);
  return reply;
}

function refuseFile({ method, path }: Operation): never {
  refuse("invalid_parameter", {
    message: `format: files are not sent here. Leave out format, or read the file with ${method} ${path} over REST.`,
    parameter: "format",
  });
}

type Run = Request & { prepared: unknown };
type Done = { answer: unknown; reply: Reply; replayed?: boolean };

/**
 * Runs `prepare`. First it makes every check that needs no database rows, so that an invalid call does not reach an
 * outside service.
 */
async function prepare(request: Request): Promise<unknown> {
  const { operation, runtime, call, ctx } = request;
  if (!operation.prepare) return undefined;
  const { input } = inputOf(request);
  refuseArchived(operation, ctx);
  const outside = { ...ctx, database: runtime.database, entities: runtime.entities };
  return operation.prepare({ ctx: outside, body: input, params: call.params });
}

async function write(run: Run): Promise<Done> {
  const { operation, runtime, ctx, claim, call } = run;
  const target = targetOf(operation, call, ctx);
  const isStatement = operation.mode === "statement" || operation.mode === "shared";
  if (isStatement && !operation.needsTransaction?.(run.body.value) && !claim && call.ifMatch === "") {
    const done = await writeStatement(run, target).catch(unlessNotShared);
    if (done) {
      runtime.ports.publish(COMMITTED, ctx.workspace.id);
      return done;
    }
  }
  const { database, entities } = runtime;
  const settings = claim ? lockCall(claim) : "";
  return unitOfWork(
    ctx,
    { database, entities, workspaceId: ctx.workspace.id, target, settings },
    async (writing): Promise<Done> => {
      // A retried transaction must not keep the warnings of its first run.
      ctx.warnings.length = 0;
      const earlier = claim && (await claimKey(writing, claim));
      return earlier ? { answer: undefined, reply: earlier, replayed: true } : change(run, writing);
    },
    async (writing, { reply, replayed }) => {
      if (claim && !replayed) await storeReply(writing, claim, reply);
    },
  );
}

function unlessNotShared(error: unknown): null {
  if (error instanceof NotShared) return null;
  throw error;
}

/** Runs a call whose only write is a statement. @throws NotShared */
function writeStatement(run: Run, target: WriteTarget): Promise<Done> {
  const { operation, runtime, ctx } = run;
  const { database, lanes } = runtime;
  if (operation.mode === "statement") {
    return database.write((db) => {
      ctx.warnings.length = 0;
      return change(run, { ...ctx, db: present(db, ctx.workspace) });
    }, target);
  }
  // It waits for the others of its statement, and must not keep a connection from anybody meanwhile.
  const reads = readsOneByOne(database, target.tenant);
  const shared: SharedWrites = {
    // The item is that of one call among many. A statement that waits for no lock need not wait for those who do.
    together: (write, item) =>
      lanes.share(write, item, write.part === null ? { tenant: target.tenant } : { ...target, item: undefined }),
    alone: (work) => database.write((db) => work(present(db, ctx.workspace)), target),
  };
  return change(run, { ...ctx, db: present(reads, ctx.workspace), shared });
}

/**
 * What a write may conflict with. Writes to a project wait for each other by board, writes to an issue by row, other
 * writes by the object that their path names first, or else by kind of object.
 */
const targetOf = (
  { id, work, ownParams: [first = ""] }: Operation,
  { params }: Call,
  { workspace, project, issue }: InCall,
): WriteTarget => ({
  tenant: workspace.id,
  kind: work ?? "normal",
  resource: project?.id ?? `${workspace.id} ${own(params, first) ?? id.slice(0, id.indexOf("."))}`,
  item: issue?.id,
});

async function change(run: Run, ctx: InCall | (InCall & (Writing | Sharing))): Promise<Done> {
  const { operation, call, prepared } = run;
  const { params } = call;
  const { on, parent, archivedAt } = await load(operation, ctx, params);
  const { input, query, lenient } = inputOf(run);
  refuseArchived(operation, ctx, archivedAt);
  if (call.ifMatch !== "" && takesIfMatch(operation)) await checkUnchanged(operation, call, ctx as InCall & Writing);
  const project = await readNamedProject(operation, ctx, input);
  const { items, projects } = await readItems(operation, ctx, input, lenient);
  const named = { on, parent, project, items, projects };
  const answer = await operation.handle({ ctx, query, body: input, ...named, prepared, params, lenient });
  const reply =
    operation.shape === "bulk" ? await encodeBulk(operation, answer, ctx) : encode(operation, answer, ctx, undefined);
  return { answer, reply };
}

/** Rejects changes to archived objects. Operations with `onArchived` are exempt, e.g. restore and archive. */
function refuseArchived({ head, onArchived }: Operation, { project, issue }: InCall, loaded: string | null = null) {
  const ownIssue = onArchived && head === "I";
  const ownProject = onArchived && head === "P";
  const archivedAt =
    (ownProject ? null : project?.archived_at) ??
    (ownIssue ? null : issue?.archived_at) ??
    (onArchived ? null : loaded);
  if (archivedAt) refuse("archived", { archived_at: archivedAt });
}
