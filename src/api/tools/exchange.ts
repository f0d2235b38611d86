import type { Context } from "koa";
import type { Located } from "../../domain/access/identity/access.sql.ts";
import type { Refusal } from "../../domain/kernel/errors.ts";
import { identify } from "../engine/access.ts";
import { baseContext, type Caller, type Rate, type Runtime } from "../engine/call.ts";
import type { Operation } from "../engine/operation.ts";
import { closedSignal, readCredential, setRateHeaders } from "../http/bind.ts";
import { callerOf } from "../http/caller.ts";
import { problemOf } from "../http/problem.ts";
import { TOOL_SERVER } from "../oauth/resources.ts";

/** One HTTP request to the tool server: who sent it, and what its reply needs besides the answer. */
export type Exchange = Caller & {
  runtime: Runtime;
  secret: string | null;
  /** Aborted when the client disconnects. */
  closed: AbortSignal;
  onRate(rate: Rate): void;
  onCaller(keyId: string): void;
  /** Called with the tool that is called, for logs and metrics. */
  onTool(name: string): void;
  /** Called with the status that REST would have sent with a tool's error, to count it as one. */
  onError(status: number): void;
  /** The error that the client sees for any error. Bugs are logged. */
  refusalOf(error: unknown): Refusal;
  /** The request's body. */
  text: string;
  /** Whether the caller has been identified. */
  isKnown: boolean;
  /** Whether a tool was called and has failed. */
  hasFailed: boolean;
  /** The caller, if the request runs no operation. */
  located?: Located;
  /**
   * An error that the whole request is answered with instead of a tool's result, such as 401: clients find out from it
   * how to sign in.
   */
  refusal?: Refusal;
};

/** What the tool server shares with the rest of the web process. */
export type ToolServerOptions = {
  runtime: Runtime;
  operations: readonly Operation[];
  onCaller: (keyId: string, address: string) => void;
  isUnavailable: (error: unknown) => boolean;
};

export function exchangeOf(ctx: Context, { runtime, onCaller, isUnavailable }: ToolServerOptions): Exchange {
  const { requestId } = ctx.state;
  const { settings, log } = runtime;
  const exchange: Exchange = {
    runtime,
    ...callerOf(ctx),
    text: "",
    isKnown: false,
    hasFailed: false,
    secret: readCredential(ctx),
    closed: closedSignal(ctx),
    onRate: (rate) => setRateHeaders(ctx, rate),
    onCaller(keyId) {
      exchange.isKnown = true;
      ctx.state.keyId = keyId;
      onCaller(keyId, ctx.ip);
    },
    onTool: (name) => {
      ctx.state.operation = `tools.${name}`;
    },
    onError: (status) => {
      exchange.hasFailed = true;
      ctx.state.toolStatus = status;
    },
    refusalOf: (error) => problemOf(error, { baseUrl: settings.baseUrl, requestId, log, isUnavailable }).refusal,
  };
  return exchange;
}

/** Identifies the caller of a request that runs no operation. @throws Refusal unauthorized, rate_limited */
export async function identifyCaller(exchange: Exchange): Promise<Located> {
  const { runtime, secret, address, onRate, onCaller } = exchange;
  const call = { secret, address, onRate, onCaller, path: TOOL_SERVER, params: {} };
  return identify(runtime, call, baseContext(runtime, exchange));
}
