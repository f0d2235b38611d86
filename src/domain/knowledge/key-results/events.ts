import { defineEvent } from "../../events/define-event.ts";
import { KeyResultView } from "./view.ts";

const ofKeyResult = { view: KeyResultView, audience: "members", derived: ["updated_at", "updated_value_at"] } as const;

export const keyResultCreated = defineEvent("key_result.created", ofKeyResult);
export const keyResultUpdated = defineEvent("key_result.updated", ofKeyResult);
export const keyResultDeleted = defineEvent("key_result.deleted", ofKeyResult);
