import type Router from "@koa/router";
import type { Context } from "koa";
import { backgroundOf } from "../../domain/events/background.ts";
import { refuse } from "../../domain/kernel/errors.ts";
import { letOthersRun } from "../../domain/kernel/let-others-run.ts";
import { processMessage } from "../../domain/work/commits/commits.ts";
import { isAuthentic, locate } from "../../domain/work/commits/hook.ts";
import { commitsIn, pushedTag } from "../../domain/work/commits/payload.ts";
import type { Provider } from "../../domain/work/commits/view.ts";
import type { Runtime } from "../engine/call.ts";
import { countBadCredential } from "../engine/rate.ts";
import { parseJson, readRaw } from "../http/body.ts";

const MAX_BYTES = 4 * 1024 * 1024;
const MESSAGES_PER_MINUTE = 300;
/** Somewhat more than the largest push of a forge, 2,048 commits. */
const LIMITS = { values: 100_000, members: 40_000 };

/**
 * Receives pushes and pull requests from forges. Signatures cover the raw bytes, so nothing is parsed before they are
 * checked. 200 means that everything is stored.
 */
export function commitHooks(runtime: Runtime): (router: Router) => void {
  return (router) => {
    router.post("/hooks/commits/:token", async (ctx) => {
      ctx.state.operation = "commit hook";
      ctx.set("Cache-Control", "no-store");
      const background = backgroundOf(runtime, runtime.now());
      const hook = await locate(background, ctx.params.token ?? "");
      if (!hook) return rejectSender(runtime, ctx, "not_found");
      await limit(runtime, hook.workspace.id);

      const raw = await readRaw(ctx, MAX_BYTES);
      if (!isAuthentic(hook.secret, raw, proofOf(ctx))) return rejectSender(runtime, ctx, "unauthorized");
      const { provider, event } = senderOf(ctx);
      // Each step takes some milliseconds for a message of maximum size.
      await letOthersRun();
      const json = ctx.is("urlencoded") ? payloadIn(raw.toString("latin1")) : raw.toString();
      await letOthersRun();
      const payload = parseJson(json, LIMITS);
      await letOthersRun();
      const message = { commits: commitsIn(provider, event, payload), tag: pushedTag(event, payload) };
      ctx.body = { data: await processMessage(background, hook.workspace, provider, message) };
    });
  };
}

function proofOf(ctx: Context) {
  return {
    signature: ctx.get("x-hub-signature-256") || ctx.get("x-signature-256"),
    token: ctx.get("x-gitlab-token") || ctx.get("x-hook-token"),
  };
}

function senderOf(ctx: Context): { provider: Provider; event: string } {
  const github = ctx.get("x-github-event");
  if (github) return { provider: "github", event: github };
  const gitlab = ctx.get("x-gitlab-event");
  return gitlab ? { provider: "gitlab", event: gitlab } : { provider: "generic", event: "push" };
}

/**
 * By default GitHub sends a form with the JSON as its only field. A form with many fields would take long to parse.
 */
function payloadIn(form: string): string {
  const [, payload = ""] = /^payload=([^&]*)$/.exec(form) ?? [];
  try {
    return decodeURIComponent(payload.replaceAll("+", " "));
  } catch {
    return refuse("invalid_json", { message: "Send the JSON as the form's only field, payload." });
  }
}

/** Rejects a sender and counts the attempt like an invalid key. */
async function rejectSender(runtime: Runtime, ctx: Context, code: "not_found" | "unauthorized"): Promise<never> {
  await countBadCredential(runtime, { address: ctx.ip });
  if (code === "not_found") refuse("not_found");
  refuse("unauthorized", { message: "The signature or token is missing or wrong." });
}

async function limit({ ports }: Runtime, workspaceId: string): Promise<void> {
  const taken = await ports.rateLimiter.take(`commits:${workspaceId}`, 1, MESSAGES_PER_MINUTE);
  if (!taken || taken.allowed) return;
  refuse("rate_limited", { headers: { "Retry-After": String(taken.resetSeconds) } });
}
