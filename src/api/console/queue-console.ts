import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { KoaAdapter } from "@bull-board/koa";
import { Queue } from "bullmq";
import type { Context, Middleware } from "koa";
import { refuse } from "../../domain/kernel/errors.ts";
import { admitOperator, type OperatorOptions } from "../http/operator.ts";

const BASE = "/admin/queues";

export type ConsoleOptions = {
  /** Names of the queues to show. */
  queues: readonly string[];
  /** Options of a Redis connection. */
  connection: object;
  prefix: string;
  operator: OperatorOptions;
};

/**
 * A web console of the queues for operators: counts, jobs with their errors, retry, pause, remove. It connects to
 * Redis on first use.
 */
export function openQueueConsole(options: ConsoleOptions): { middleware: Middleware; close(): Promise<void> } {
  let board: Board | undefined;
  return {
    async middleware(ctx, next) {
      if (ctx.path !== BASE && !ctx.path.startsWith(`${BASE}/`)) return next();

      ctx.set(SECURITY);
      if (!(await admitOperator(ctx, options.operator))) return;
      if (comesFromElsewhere(ctx)) return forbid(ctx);
      board ??= openBoard(options);
      // No other middleware handles paths below BASE.
      await inTime(board.middleware(ctx, async () => {}));
      if (typeof ctx.body === "string") ctx.body = ctx.body.replace(FOREIGN_STYLES, "");
    },
    async close() {
      await Promise.all((board?.queues ?? []).map((queue) => queue.close()));
    },
  };
}

const PATIENCE_MS = 5_000;

/** Limits the wait, because BullMQ waits for Redis without limit. @throws Refusal unavailable */
async function inTime(work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(resolve, PATIENCE_MS, "late");
  const first = await Promise.race([work, late]).finally(() => clearTimeout(timer));
  if (first !== "late") return;
  work.catch(() => {});
  refuse("unavailable", { message: "Redis does not answer; retry shortly.", headers: { "Retry-After": "2" } });
}

const SECURITY = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": [
    "default-src 'self'",
    // The console's scripts set element styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
};

/** Loading fonts from another host would delay the page. Its styles name fallback fonts. */
const FOREIGN_STYLES = /<link href="https:[^<>]*>/g;

type Board = { middleware: Middleware; queues: Queue[] };

function openBoard({ queues: names, connection, prefix }: ConsoleOptions): Board {
  const server = new KoaAdapter().setBasePath(BASE);
  const queues = names.map((name) => {
    // A page must not wait until Redis is available again.
    const queue = new Queue(name, { connection: { ...connection, maxRetriesPerRequest: 1 }, prefix });
    queue.on("error", () => {}); // the page that needed it shows the error
    return queue;
  });
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue)),
    serverAdapter: server,
    options: { uiConfig: { boardTitle: "Muster queues" } },
  });
  return { middleware: server.registerPlugin(), queues };
}

/** A browser also sends the operator's password with requests that another site's page triggers. */
function comesFromElsewhere(ctx: Context): boolean {
  if (ctx.method === "GET" || ctx.method === "HEAD") return false;
  const site = ctx.get("sec-fetch-site");
  if (site !== "") return site !== "same-origin";
  const origin = ctx.get("origin");
  return origin !== "" && URL.parse(origin)?.host !== ctx.host;
}

function forbid(ctx: Context): void {
  ctx.status = 403;
  ctx.body = "Requests to the queue console must come from its own pages.\n";
}
