import { paymentInfo } from "../../domain/tenancy/credits/offer.ts";
import { advertised, PACK_NAMES, type PackName } from "../../domain/tenancy/credits/packs.ts";
import { type Json, referTo } from "../openapi/schemas.ts";
import { LICENSE } from "../openapi/version.ts";
import { answersInWords, REPEATING } from "./payment-answers.ts";
import { bodySchemas, paymentSchemas } from "./payment-schemas.ts";

/**
 * The purchase of credits as OpenAPI 3.1 with the extensions of the Payment scheme. `full`: each `x-payment-info` has
 * price and offers, as the specification shows it. `standard`: it has only the offers, because clients of the scheme
 * reject both in one object.
 */
export function paymentDocument(
  form: "full" | "standard",
  { baseUrl, method }: { baseUrl: string; method: string },
): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Muster credit purchases",
      version: "1.0.0",
      summary: "AI credits for a workspace, bought over HTTP 402.",
      description: INTRODUCTION,
      license: LICENSE,
    },
    "x-service-info": {
      categories: ["software", "productivity", "project-management"],
      docs: { homepage: baseUrl, apiReference: `${baseUrl}/docs`, llms: `${baseUrl}/llms.txt` },
    },
    servers: [{ url: baseUrl }],
    tags: [{ name: "credits", description: "AI credits of a workspace." }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths: Object.fromEntries(
      PACK_NAMES.map((pack) => [`/api/mpp/v1/credits/${pack}`, { post: purchase(pack, form, method) }]),
    ),
    components: { securitySchemes, parameters, headers, responses, schemas: paymentSchemas() },
  };
}

const INTRODUCTION = `
The first call, with an API key alone, answers 402 with a challenge in \`WWW-Authenticate: Payment\`. It is valid for one
payment within 10 minutes. The second call sends the key in \`X-Api-Key\` and
\`Authorization: Payment payload=<base64url of JSON>\`, where the JSON is
\`{"challenge_id": "…", "shared_payment_token": "…"}\` or \`{"challenge_id": "…", "use_saved_card": true}\`. The Payment
scheme's own form, \`Payment <base64url of {"challenge": {…}, "payload": {"spt": "…"}}>\`, is accepted too, and either may
be sent in \`Payment-Authorization\`, which leaves \`Authorization\` to a Bearer key.

Replies:

${answersInWords()}

${REPEATING}

Send an \`Idempotency-Key\` on both calls: then even a buyer that starts again gets the first receipt. A reply that
was lost can also be read at \`GET /api/mpp/v1/purchases/{id}\`.
`.trim();

const OPERATION_IDS: Record<PackName, string> = {
  small: "buyCreditsSmall",
  medium: "buyCreditsMedium",
  large: "buyCreditsLarge",
  custom: "buyCreditsCustom",
};

function purchase(pack: PackName, form: "full" | "standard", method: string): Json {
  const { amount, description, note } = advertised(pack);
  const { offers, ...price } = paymentInfo({ method, amount, description });
  const isCustom = pack === "custom";
  const costs = isCustom ? "1 cent per credit; `amount` is the least" : `${(Number(amount) / 100).toFixed(2)} USD`;
  return {
    operationId: OPERATION_IDS[pack],
    tags: ["credits"],
    summary: `Buy ${description}`,
    description: `Price: ${costs}${note ? `; ${note}` : ""}. Needs a key with scope \`admin\` of an owner or admin.\n\n${answersInWords()}`,
    "x-payment-info": form === "full" ? { ...price, offers } : { offers },
    parameters: [{ $ref: "#/components/parameters/IdempotencyKey" }],
    requestBody: {
      required: isCustom,
      content: { "application/json": { schema: bodySchemas[isCustom ? "custom" : "fixed"] } },
    },
    responses: {
      200: { $ref: "#/components/responses/Bought" },
      400: { $ref: "#/components/responses/BadRequest" },
      401: { $ref: "#/components/responses/Unauthorized" },
      402: { $ref: "#/components/responses/PaymentRequired" },
      403: { $ref: "#/components/responses/Forbidden" },
    },
  };
}

const securitySchemes: Json = {
  bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <key>` (RFC 6750)." },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-Api-Key",
    description: "The same key in a separate header, so that Authorization is free for the payment.",
  },
};

const parameters: Json = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: "Once a purchase has succeeded, the same key and body get its reply again, also without a credential.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
};

const header = (description: string): Json => ({ description, schema: { type: "string" } });

const headers: Json = {
  "WWW-Authenticate": header("What to pay: `Payment id=…, realm=…, method=…, intent=…, request=…, expires=…`."),
  "Payment-Receipt": header(
    "base64url of JSON, signed inside: `signature` is a detached JWS (EdDSA) over the canonical JSON (RFC 8785) of the " +
      "other members, by the key `kid` of `signing_keys` at /.well-known/ucp.",
  ),
};

const refers = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const problem = (description: string, schema: string, ...sent: string[]): Json => ({
  description,
  headers: refers(...sent),
  content: { "application/problem+json": { schema: referTo(schema) } },
});

const responses: Json = {
  Bought: {
    description: "Paid. `credits_status` says whether the credits are granted yet.",
    headers: refers("Payment-Receipt"),
    content: {
      "application/json": {
        schema: { type: "object", required: ["data"], properties: { data: referTo("Purchase") } },
      },
    },
  },
  BadRequest: problem(
    "The body is wrong, or the Payment credential is malformed; the latter comes with a new challenge.",
    "Problem",
    "WWW-Authenticate",
  ),
  Unauthorized: problem("There is no valid API key.", "Problem", "WWW-Authenticate"),
  PaymentRequired: problem(
    "This call charged nothing: no credential, a challenge that is unknown, over or used, or a payment that failed. Always with a challenge to pay.",
    "PaymentProblem",
    "WWW-Authenticate",
  ),
  Forbidden: problem("The key lacks scope `admin`, or its user is neither owner nor admin.", "Problem"),
};
