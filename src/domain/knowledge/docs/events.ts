import { defineEvent } from "../../events/define-event.ts";
import { DocView } from "./view.ts";

/** Events of a doc of the workspace have no project. Events of a private doc name the only person who sees it. */
const ofDoc = {
  view: DocView,
  audience: "project",
  derived: ["updated_at", "updated_by", "version", "word_count", "project_key"],
} as const;

export const docCreated = defineEvent("doc.created", ofDoc);
export const docUpdated = defineEvent("doc.updated", ofDoc);
export const docArchived = defineEvent("doc.archived", ofDoc);
export const docRestored = defineEvent("doc.restored", ofDoc);
