import { defineEvent } from "../../events/define-event.ts";
import { IssueLinkView } from "./view.ts";

const ofLink = { view: IssueLinkView, audience: "project" } as const;

export const linkCreated = defineEvent("issue.link.created", ofLink);
export const linkDeleted = defineEvent("issue.link.deleted", ofLink);
