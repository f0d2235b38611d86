import { type Html, html } from "../../../domain/kernel/html.ts";

/** A form that changes something in its place. `before`: what there is to know first; `after`: what else can be done. */
export const editForm = (
  action: string,
  {
    fields = "",
    before = "",
    inputs,
    cancel,
    button = "Save",
  }: { fields?: Html | string; before?: Html | string; inputs: Html; cancel: string; button?: string },
): Html => html`<form class="edit-form" method="post" action="${action}">${fields}${before}${inputs}
    <div class="row"><button>${button}</button><a class="button second" href="${cancel}">Cancel</a></div></form>`;
