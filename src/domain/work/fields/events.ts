import { defineEvent } from "../../events/define-event.ts";
import { CustomFieldDefView } from "./view.ts";

const ofField = { view: CustomFieldDefView, audience: "project", derived: ["updated_at", "value_count"] } as const;

export const customFieldCreated = defineEvent("custom_field.created", ofField);
export const customFieldUpdated = defineEvent("custom_field.updated", ofField);
export const customFieldDeleted = defineEvent("custom_field.deleted", ofField);
