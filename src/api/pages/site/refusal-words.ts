import type { Refusal } from "../../../domain/kernel/errors.ts";

/** Refusals in words of people, who know neither calls nor keys. */

type Words = { title?: string; text?: string };

/** Where the text for programs mentions headers, calls or keys, or a plain word says more. */
const FOR_PEOPLE: ReadonlyMap<string, Words> = new Map<string, Words>([
  [
    "method_not_allowed",
    {
      title: "This page cannot be opened like this",
      text: "The address only receives a form. Go back and try again from there.",
    },
  ],
  [
    "foreign_form",
    {
      title: "This form was not sent from here",
      text: "It came from another site, or from a page that was opened under another address. Nothing was changed. Open the page again and send the form from there.",
    },
  ],
  ["not_found", { title: "Not found", text: "There is nothing here, or nothing that you can see." }],
  ["rate_limited", { title: "Too many requests", text: "You have sent too many requests." }],
  [
    "insufficient_role",
    {
      title: "Your role does not allow this",
      text: "Your role in this workspace does not allow this. Ask an owner or admin of it.",
    },
  ],
  [
    "plan_required",
    {
      title: "Not in the plan",
      text: "The workspace's plan does not include this. Ask the operator of this service for another plan.",
    },
  ],
  ["already_member", { text: "This person is already a member of the workspace. Change their role in the list." }],
  [
    "precondition_failed",
    {
      title: "Changed meanwhile",
      text: "Somebody else changed this meanwhile, so nothing was overwritten. The page shows what is stored now, and the form what you entered. Saving it again replaces theirs.",
    },
  ],
  [
    "version_conflict",
    {
      title: "Changed meanwhile",
      text: "Somebody else changed this meanwhile, so nothing was overwritten. Open the page again to see what is stored now.",
    },
  ],
  ["validation_failed", { title: "Not saved as it is", text: "Something in the form is not right." }],
  [
    "invalid_parameter",
    {
      title: "This address is not right",
      text: "Something at the end of the address is not right. Go back, and follow the link again.",
    },
  ],
  ["invalid_reference", { text: "Something that the form names does not exist, or you cannot see it." }],
  ["body_too_large", { title: "Too large", text: "What you sent is too large. Nothing was changed." }],
  [
    "idempotency_in_progress",
    { text: "What you sent a moment ago is still being done. Wait a moment, then reload the page." },
  ],
  ["link_self", { text: "An issue cannot be linked to itself. Name another issue." }],
  ["workflow_not_enabled", { text: "The workflow is a draft. An admin can enable it on its page." }],
  [
    "unavailable",
    {
      title: "Unavailable right now",
      text: "The service is unavailable right now. Nothing is lost: reload the page in a moment.",
    },
  ],
  [
    "internal_error",
    {
      title: "Something went wrong",
      text: "Something went wrong on our side. Try again. If it happens again, tell the operator of this service.",
    },
  ],
]);

/** Whether the refusal has the text of its code. A message of its own says more. */
export const isGeneral = (refusal: Refusal): boolean => refusal.message === refusal.definition.text;

export function wordsOf(refusal: Refusal): Required<Words> {
  const words = FOR_PEOPLE.get(refusal.code);
  const text = isGeneral(refusal) ? words?.text : undefined;
  return {
    title: words?.title ?? refusal.title,
    text: text ?? inWords(refusal.message),
  };
}

/** What texts for programs say of callers and of the API. */
const inWords = (message: string): string =>
  (message.split(" The API reference is at ", 1)[0] ?? message).replace("the caller cannot", "you cannot");
