import { defineEvent } from "../../events/define-event.ts";
import { ChatMessageView } from "./view.ts";

const ofMessage = {
  view: ChatMessageView,
  audience: "channel",
  derived: ["updated_at", "reply_count", "last_reply_at", "reactions"],
} as const;

export const messageCreated = defineEvent("chat.message.created", ofMessage);
export const messageUpdated = defineEvent("chat.message.updated", ofMessage);
export const messageDeleted = defineEvent("chat.message.deleted", ofMessage);
