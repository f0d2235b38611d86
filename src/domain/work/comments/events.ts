import { defineEvent } from "../../events/define-event.ts";
import { CommentView } from "./view.ts";

const ofComment = {
  view: CommentView,
  audience: "project",
  derived: ["body_html", "updated_at", "author_name", "author_kind", "reply_count"],
} as const;

export const commentCreated = defineEvent("comment.created", ofComment);
export const commentUpdated = defineEvent("comment.updated", ofComment);
export const commentDeleted = defineEvent("comment.deleted", ofComment);
