import { FRESH_MINUTES } from "../../../domain/access/sign-in/sessions.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { act } from "../kit/pieces.ts";

/** Instead of a form for those who have just signed in. Whoever finds an open browser cannot read the mails of its person. */
export const signInAgain = (
  path: string,
): Html => html`<p>For this you must have signed in within the last ${FRESH_MINUTES} minutes. You come back to this page.</p>
    ${act("/sign-out", "Sign in again", { second: false, fields: html`<input type="hidden" name="return_to" value="/sign-in?return_to=${encodeURIComponent(path)}">` })}`;
