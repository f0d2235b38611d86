import { defineEvent } from "../../events/define-event.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { type DocRow, DocView, onlyReader } from "./view.ts";

const ofDoc = {
  view: DocView,
  audience: "project",
  derived: ["updated_at", "updated_by", "version", "word_count", "project_key"],
} as const;

export const docCreated = defineEvent("doc.created", ofDoc);
export const docUpdated = defineEvent("doc.updated", ofDoc);
export const docArchived = defineEvent("doc.archived", ofDoc);
export const docRestored = defineEvent("doc.restored", ofDoc);

/** The context for events of a doc and its comments. Those of a doc of the workspace have no project. */
export const contextFor = (ctx: InWorkspace & Writing, { project_id }: DocRow) => ({
  ...ctx,
  project: { id: project_id },
});

/** Events of a private doc and its comments name the only person who sees it. */
export const onlyFor = (doc: DocRow) => ({ person_id: onlyReader(doc) });
