import { z } from "zod";
import { input } from "../../kernel/described.ts";
import { line } from "../../kernel/wire.ts";
import { scope } from "../identity/scope-input.ts";
import { SCOPES } from "../identity/scopes.ts";
import { faultOf, MAX_REDIRECT_LENGTH } from "../oauth/redirects.ts";
import { aboutAppInput } from "./descriptions.ts";

const redirectUri = z
  .string()
  .min(1)
  .max(MAX_REDIRECT_LENGTH)
  .superRefine((uri, ctx) => {
    const fault = faultOf(uri);
    if (fault) ctx.addIssue({ code: "custom", message: fault, params: { code: "not_allowed" } });
  })
  .meta({ format: "uri" });

/** People may open these addresses from our pages, so they must be ordinary web addresses. */
const webAddress = z
  .string()
  .max(2_000)
  .refine((url) => /^https:\/\/[^\s\\@]+$/i.test(url) && URL.canParse(url), {
    message: "must be an https URL",
    params: { code: "pattern" },
  })
  .meta({ format: "uri" });

export const OauthAppCreateInput = input("OauthAppCreateInput", aboutAppInput, {
  name: line(1, 120),
  redirect_uris: z.array(redirectUri).min(1).max(20),
  scopes: z.array(scope).min(1).max(SCOPES.length).default(["read"]),
  is_public: z.boolean().default(false),
  homepage_url: webAddress.nullable().optional(),
  logo_url: webAddress.nullable().optional(),
  description: line(0, 500).nullable().optional(),
});
export type OauthAppCreateInput = z.output<typeof OauthAppCreateInput>;
