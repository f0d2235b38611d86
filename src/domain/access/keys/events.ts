import { defineEvent } from "../../events/define-event.ts";
import { ApiKeyView } from "./view.ts";

const ofKey = { view: ApiKeyView, audience: "workspace" } as const;

export const apiKeyCreated = defineEvent("api_key.created", ofKey);
export const apiKeyRevoked = defineEvent("api_key.revoked", ofKey);
