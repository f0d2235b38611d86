import { defineEvent } from "../../events/define-event.ts";
import { AttachmentView } from "./view.ts";

const ofAttachment = { view: AttachmentView, audience: "project" } as const;

export const attachmentCreated = defineEvent("issue.attachment.created", ofAttachment);
export const attachmentDeleted = defineEvent("issue.attachment.deleted", ofAttachment);
