import { countOf, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of OAuth apps for the API description. */

const common = {
  name: ["Name of the app. People read it when they are asked to approve it.", "Release dashboard"],
  redirect_uris: [
    "Addresses to which people may be sent back: https, http on a loopback address (any port), or a private scheme.",
    ["https://dashboard.example.com/callback"],
  ],
  scopes: ["What the app may ask people for: bundles (`read`, `write`, `admin`), fine scopes or both.", ["read"]],
  is_public: ["Whether the app has no secret, because it runs where a secret could be read.", false],
  homepage_url: ["https address of the app's home page. `null` if it has none.", "https://dashboard.example.com"],
  logo_url: ["https address of the app's logo. `null` if it has none.", "https://dashboard.example.com/logo.png"],
  description: ["What the app is for. `null` if not described.", "Shows what is about to be released"],
} as const;

export const aboutApp = {
  ...common,
  client_id: [
    "Id of the app in OAuth: a UUID, or the https address of the app's own metadata document.",
    "0198c2a4-7a10-7c22-8a12-5f1d2b6c7a12",
  ],
  redirect_uris: [
    "Addresses to which people may be sent back. Empty if they are in the app's own metadata document.",
    ["https://dashboard.example.com/callback"],
  ],
  scopes: [
    "What the app may ask people for. For an app that registered itself: what people of this workspace have granted it.",
    ["read"],
  ],
  created_at: timesOf("app").created_at,
  origin: ["`dashboard`: created for this workspace. `dynamic`: it registered itself and was approved here."],
  grants_count: countOf("Number of approvals by people of this workspace that the app can use now.", 2),
  created_by: userId("User id of the person who created the app, or who was the first to approve it."),
  client_secret: [
    "Secret of the app; `null` if it is public. It is shown only in this reply; keep it safe.",
    "ocs_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE",
  ],
} as const;

export const aboutAppInput = common;

export const aboutAppRevoked = { client_id: aboutApp.client_id, revoked: ["Always `true`."] } as const;
