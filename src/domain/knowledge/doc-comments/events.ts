import { defineEvent } from "../../events/define-event.ts";
import { DocCommentView } from "./view.ts";

const ofDocComment = {
  view: DocCommentView,
  audience: "project",
  derived: ["body_html", "updated_at", "author", "reply_count"],
} as const;

export const docCommentCreated = defineEvent("doc.comment.created", ofDocComment);
export const docCommentUpdated = defineEvent("doc.comment.updated", ofDocComment);
export const docCommentDeleted = defineEvent("doc.comment.deleted", ofDocComment);
