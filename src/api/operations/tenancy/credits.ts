import { createHash } from "node:crypto";
import { z } from "zod";
import { input } from "../../../domain/kernel/described.ts";
import { refuse } from "../../../domain/kernel/errors.ts";
import { readId } from "../../../domain/kernel/ids.ts";
import { type Buying, buy, recover } from "../../../domain/tenancy/credits/buy.ts";
import { aboutCustomCredits } from "../../../domain/tenancy/credits/descriptions.ts";
import { CUSTOM_CREDITS, type Pack, packOf } from "../../../domain/tenancy/credits/packs.ts";
import type { Answer } from "../../../domain/tenancy/credits/purchase-reply.ts";
import { setUpCard } from "../../../domain/tenancy/credits/saved-card.ts";
import { CardSetupView, PurchaseView } from "../../../domain/tenancy/credits/view.ts";
import type { Raw } from "../../engine/handler.ts";
import { operation } from "../../engine/operation.ts";

/** Buying credits over HTTP 402. src/api/discovery/ has the documents that describe it to programs. */

const needs = "admin; role owner or admin";

const FixedCreditsInput = z.strictObject({}).meta({ id: "FixedCreditsInput" });

const BUYING =
  "Call it without a payment first: the reply is 402 with a challenge, valid for one payment within 10 minutes. Pay it with a shared payment token or with the saved card: send the same call again with the `Payment` credential in `Authorization` and the key in `X-Api-Key`. After 202 the processor is still at work, and the credits come when it has succeeded. After 503 the outcome is unknown: send the same call again, which never charges twice. Send one `Idempotency-Key` with all calls of a purchase. A lost reply can be read again with `GET /api/mpp/v1/purchases/{id}`.";

const fixed = (pack: "small" | "medium" | "large", id: string) =>
  operation({
    id,
    route: `POST /api/mpp/v1/credits/${pack}`,
    limitedKeys: "refuse",
    summary: `Buy ${packOf(pack).description}`,
    about: BUYING,
    needs,
    body: FixedCreditsInput,
    returns: PurchaseView,
    mode: "own",
    pays: true,
    // A missing body and an empty object are the same call.
    handle: ({ ctx, raw }) => pay(ctx, packOf(pack), { ...raw, bodyText: "" }),
  });

const CustomCreditsInput = input("CustomCreditsInput", aboutCustomCredits, {
  credits: z.number().int().min(CUSTOM_CREDITS.min).max(CUSTOM_CREDITS.max),
});

const custom = operation({
  id: "buyCreditsCustom",
  route: "POST /api/mpp/v1/credits/custom",
  limitedKeys: "refuse",
  summary: `Buy ${CUSTOM_CREDITS.min} to ${CUSTOM_CREDITS.max} AI credits at 1 cent each`,
  about: BUYING,
  needs,
  body: CustomCreditsInput,
  example: { credits: 2_000 },
  returns: PurchaseView,
  mode: "own",
  pays: true,
  handle: ({ ctx, body, raw }) => pay(ctx, packOf("custom", body.credits), raw),
});

/** Returns the same reply as the purchase, including the receipt header, for a buyer whose reply was lost. */
const getPurchase = operation({
  id: "purchases.get",
  route: "GET /api/mpp/v1/purchases/{id}",
  limitedKeys: "refuse",
  summary: "Read a purchase again, with its receipt",
  about:
    "For buyers that lost the reply of their purchase: the same body and the same `Payment-Receipt`. While `payment_status` is `pending`, ask again later.",
  needs,
  returns: PurchaseView,
  mode: "own",
  handle: async ({ ctx, params }): Promise<Answer> => {
    const id = readId(params.id ?? "");
    return (id && (await recover(ctx, id))) || refuse("not_found");
  },
});

/** Creates the page of the processor to which the workspace's card page leads. */
const setUp = operation({
  id: "cards.setup",
  route: "POST /api/mpp/v1/card/setup",
  limitedKeys: "refuse",
  summary: "Open a page of the card processor where a person saves a card: only in a person's browser session",
  about:
    'A key or token gets 403 `person_required`: send an owner or admin to the page in `action_url`, where they save the card in a browser. After that, purchases can be paid with `{"use_saved_card": true}`. A new card replaces the saved one.',
  needs,
  returns: CardSetupView,
  mode: "own",
  handle: async ({ ctx }) => ({
    status: 200,
    headers: { "Cache-Control": "private, no-store" },
    data: await setUpCard(ctx),
  }),
});

function pay(ctx: Buying, pack: Pack, raw: Raw): Promise<Answer> {
  const authorization = raw.headers("authorization");
  return buy(ctx, {
    pack,
    bodyText: raw.bodyText,
    credential: { authorization, paymentAuthorization: raw.headers("payment-authorization") },
    // Authorization contains the API key, so the payment needs a separate header.
    bearer: raw.headers("x-api-key").length === 0 && authorization.some((value) => /^bearer /i.test(value)),
    idempotency:
      raw.idempotencyKey === null ? null : { path: raw.path, key: raw.idempotencyKey, bodyHash: hashOf(pack) },
  });
}

/** The number of credits that the body requests, if any. */
function hashOf({ pack, credits }: Pack): Buffer {
  return createHash("sha256")
    .update(pack === "custom" ? JSON.stringify({ credits }) : "")
    .digest();
}

export const creditOperations = [
  fixed("small", "buyCreditsSmall"),
  fixed("medium", "buyCreditsMedium"),
  fixed("large", "buyCreditsLarge"),
  custom,
  getPurchase,
  setUp,
];
