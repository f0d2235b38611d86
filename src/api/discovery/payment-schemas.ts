import { z } from "zod";
import { CUSTOM_CREDITS } from "../../domain/tenancy/credits/packs.ts";
import { PurchaseView } from "../../domain/tenancy/credits/view.ts";
import { problemSchemas } from "../openapi/problems.ts";
import type { Json } from "../openapi/schemas.ts";

/** JSON Schemas of the request and reply of a credit purchase. */

export const bodySchemas: Record<"custom" | "fixed", Json> = {
  custom: {
    type: "object",
    required: ["credits"],
    additionalProperties: false,
    properties: {
      credits: {
        type: "integer",
        minimum: CUSTOM_CREDITS.min,
        maximum: CUSTOM_CREDITS.max,
        description: "Number of credits. One costs 1 cent.",
      },
    },
  },
  fixed: { type: "object", additionalProperties: false, description: "No fields." },
};

export function paymentSchemas(): Record<string, Json> {
  return { ...viewSchemas(), ...problemSchemas };
}

/** The schema of the reply. Replies may get new members, so unknown members are allowed. */
function viewSchemas(): Record<string, Json> {
  const converted = z.toJSONSchema(z.object({ data: PurchaseView }), {
    io: "output",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const { $defs } = JSON.parse(JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/'));
  return $defs;
}
