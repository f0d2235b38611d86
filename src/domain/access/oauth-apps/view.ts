import { z } from "zod";
import { described, part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutApp, aboutAppRevoked } from "./descriptions.ts";

export const OauthAppView = view("OauthApp", aboutApp, {
  client_id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  scopes: z.array(z.string()),
  is_public: z.boolean(),
  created_at: timestamp,
  origin: z.enum(["dashboard", "dynamic"]),
  grants_count: z.number().int(),
  created_by: id,
  homepage_url: z.string().nullable(),
  logo_url: z.string().nullable(),
  description: z.string().nullable(),
});
export type OauthAppView = z.output<typeof OauthAppView>;

/** The reply of POST, the only one that contains the secret. */
export const NewOauthAppView = OauthAppView.extend(described(aboutApp, { client_secret: z.string().nullable() })).meta({
  id: "NewOauthApp",
});

export const OauthAppRevokedView = part(aboutAppRevoked, { client_id: z.string(), revoked: z.literal(true) });
