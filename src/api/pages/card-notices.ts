import type Router from "@koa/router";
import { backgroundOf } from "../../domain/events/background.ts";
import { recordNotice } from "../../domain/tenancy/credits/notices.ts";
import type { Runtime } from "../engine/call.ts";
import { readRaw } from "../http/body.ts";

const MAX_BYTES = 256 * 1024;

/**
 * Notifications from the card processor. The signature covers the raw bytes, so they are read before any parsing. 200
 * means that the notification is stored. After any other status the processor sends it again.
 */
export function cardNotices(runtime: Runtime): (router: Router) => void {
  return (router) => {
    router.post("/api/webhooks/stripe", async (ctx) => {
      const raw = await readRaw(ctx, MAX_BYTES);
      const notice = runtime.ports.cards.verifyNotice(raw, ctx.get("stripe-signature"));
      if (!notice) {
        ctx.status = 400;
        ctx.body = { error: "The signature is missing, wrong, or older than five minutes." };
        return;
      }
      ctx.body = { received: true, news: await recordNotice(backgroundOf(runtime, runtime.now()), notice) };
    });
  };
}
