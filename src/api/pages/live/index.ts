import type Router from "@koa/router";
import type { Context } from "koa";
import { networkOf } from "../../../domain/kernel/addresses.ts";
import { Refusal, refuse } from "../../../domain/kernel/errors.ts";
import { readId } from "../../../domain/kernel/ids.ts";
import { own } from "../../../domain/kernel/own.ts";
import type { Principal } from "../../../domain/kernel/principal.ts";
import { admitAgain, contextOf, locateVisitor } from "../../engine/access.ts";
import { baseContext, type Call, type Caller, type Runtime } from "../../engine/call.ts";
import { load } from "../../engine/load.ts";
import type { Operation } from "../../engine/operation.ts";
import { MAX_OPEN, Stream, streamReply } from "../../engine/stream.ts";
import { callerOf } from "../../http/caller.ts";
import { sendStream } from "../../http/send-stream.ts";
import { EventStream } from "../../streams/event-stream.ts";
import { visitorOf } from "../site/visitors.ts";
import type { Live } from "./concerns.ts";
import { PageStream } from "./page-stream.ts";

/**
 * `GET /w/:slug/live`: one stream of server-sent events for each open page, which says when to load it again. It reads
 * the visitor's cookie, and ends when they may no longer see what the page shows.
 */

/** A page that is older has to be loaded again anyway. */
const OLDEST_MS = 10 * 60_000;
const MOST_ISSUES = 200;
const MOST_KINDS = 20;
/** A large office. Whoever makes many accounts must not take all connections. */
const MOST_IN_NETWORK = 1_000;
const OPERATION = "page /w/:slug/live";

export function livePages(router: Router, runtime: Runtime, operations: readonly Operation[]): void {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const find = (id: string): Operation => byId.get(id)!;

  router.get("/w/:slug/live", async (request) => {
    request.state.operation = OPERATION;
    const ctx = baseContext(runtime, callerOf(request));
    const visitor = await visitorOf(request, ctx);
    const slug = String(request.params.slug);
    const here = visitor && (await locateVisitor(runtime, visitor, slug, ctx));
    if (!here) return refuse("not_found");
    const live = readLive(request);
    const { operation, params } = checkOf(live, find);
    const { hash } = visitor;
    const caller = { ...callerOf(request), visitor: { hash }, path: request.path };
    const named = { slug: here.workspace.slug, ...params };
    const check = () => readerOf(operation, runtime, { ...caller, secret: null, params: named, onRate: () => {} });
    if (!(await check())) return refuse("not_found");

    const now = Date.parse(ctx.now);
    const asked = Date.parse(queryOf(request, "since"));
    const since = new Date(Number.isNaN(asked) ? now : Math.min(Math.max(asked, now - OLDEST_MS), now));
    const about = { ...live, since, check };
    const stream = new Stream(
      "text/event-stream; charset=utf-8",
      (outlet, stopping) => new EventStream(outlet, stopping, (events) => new PageStream(events, here, about)),
    );
    const reply = streamReply(stream, runtime, {
      operation: OPERATION,
      // Streams of all browsers of a person count together.
      limits: [
        { id: `pages of ${visitor.user.id}`, most: MAX_OPEN },
        { id: `pages in ${networkOf(request.ip)}`, most: MOST_IN_NETWORK },
      ],
    });
    request.status = reply.status;
    request.set(reply.headers ?? {});
    sendStream(request, reply.body as Parameters<typeof sendStream>[1]);
  });
}

const queryOf = (request: Context, name: string): string => String(own(request.query, name) ?? "");

function readLive(request: Context): Live {
  const ids = (name: string) =>
    queryOf(request, name)
      .split(",", MOST_ISSUES)
      .filter(Boolean)
      .map((id) => readId(id) ?? refuse("not_found"));
  const [project] = ids("project");
  const [channel] = ids("channel");
  const kinds = queryOf(request, "kinds").split(",", MOST_KINDS).filter(Boolean);
  return { issues: ids("issues"), kinds, ...(project ? { project } : {}), ...(channel ? { channel } : {}) };
}

type StreamCaller = Caller & Pick<Call, "secret" | "visitor" | "params" | "path" | "onRate">;

/** The person with the rights that they have now. Null if they may no longer see what the page shows. */
async function readerOf(operation: Operation, runtime: Runtime, caller: StreamCaller): Promise<Principal | null> {
  const base = baseContext(runtime, caller);
  try {
    const located = await admitAgain(runtime, operation, caller, base);
    if (!located) return null;
    await load(operation, contextOf(base, located), caller.params);
    return located.principal;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

type Check = { operation: Operation; params: Record<string, string> };

/** The operation that the person must be allowed to call. */
function checkOf({ project, channel }: Live, find: (id: string) => Operation): Check {
  if (channel) return { operation: find("chat-channels.get"), params: { channelId: channel } };
  if (project) return { operation: find("projects.get"), params: { key: project } };
  return { operation: find("workspaces.get"), params: {} };
}
