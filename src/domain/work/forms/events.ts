import { defineEvent } from "../../events/define-event.ts";
import { FormSubmissionView, FormView } from "./view.ts";

const ofForm = {
  view: FormView,
  audience: "project",
  derived: ["updated_at", "accepting", "disabled_reason"],
} as const;

export const formCreated = defineEvent("form.created", ofForm);
export const formUpdated = defineEvent("form.updated", ofForm);
export const formDeleted = defineEvent("form.deleted", ofForm);
export const formSubmitted = defineEvent("form.submitted", { view: FormSubmissionView, audience: "project" });
