import {
  changeEmail,
  type EmailChange,
  pendingEmail,
  requestEmailChange,
} from "../../../domain/access/sign-in/change-email.ts";
import { isFresh } from "../../../domain/access/sign-in/sessions.ts";
import { LINK_MINUTES } from "../../../domain/access/sign-in/sign-in.ts";
import { networkOf } from "../../../domain/kernel/addresses.ts";
import { type Refusal, refuseField } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { textField } from "../kit/fields.ts";
import { fold } from "../kit/pieces.ts";
import { type PageAnswer, problemBox, refusalOf, type SignedInCall, type Site } from "../site/site.ts";
import { signInAgain } from "./sign-in-again.ts";
import { limitSignIns } from "./sign-in-steps.ts";

/** The page on which a person changes their e-mail address: the new address, then the code that was mailed to it. */

const PATH = "/account/email";

export function accountEmailPages(site: Site): void {
  site.signedIn("get", PATH, (call) => show(call));
  const form = (path: string, run: (call: SignedInCall) => Promise<PageAnswer>) =>
    site.signedIn("post", path, async (call) => {
      try {
        return await run(call);
      } catch (error) {
        const refusal = refusalOf(error);
        call.request.set(refusal.headers);
        return show(call, refusal);
      }
    });

  form(PATH, async (call) => {
    const { ctx, visitor, form, request } = call;
    if (!isFresh(ctx, visitor)) return show(call);
    await limitSignIns(call);
    const network = networkOf(request.ip);
    await site.begin(ctx, (tx) => requestEmailChange(tx, visitor, { email: form.text("email"), network }));
    return { to: PATH, said: "The code is on its way." };
  });

  form(`${PATH}/code`, async ({ ctx, visitor, form }) => {
    // Not refused within the transaction, which counts a wrong code.
    const result = await site.begin(ctx, (tx) => changeEmail(tx, visitor, form.text("code")));
    if ("changed" in result) {
      return { to: "/account", said: `Your address is ${result.changed} now. Your other sessions are ended.` };
    }
    return refuseCode(result);
  });
}

const OVER: Record<Extract<EmailChange, { over: string }>["over"], string> = {
  unknown: "is for no address. Enter the new address first",
  used: "was used already",
  expired: `is older than ${LINK_MINUTES} minutes. Ask for another`,
  tries: "was entered wrongly too often. Ask for another",
  taken: "belongs to another account. Sign in to that one and delete it, or choose another",
};

function refuseCode(result: Exclude<EmailChange, { changed: string }>): never {
  if ("wrong" in result) {
    refuseField("/code", "pattern", `is not the one in the newest mail. Tries that are left: ${result.wrong}`);
  }
  return refuseField(result.over === "taken" ? "/email" : "/code", "pattern", OVER[result.over]);
}

async function show(call: SignedInCall, refusal?: Refusal): Promise<PageAnswer> {
  const { ctx, visitor, form } = call;
  const pending = await pendingEmail(ctx, visitor);
  const ask = isFresh(ctx, visitor) ? askForm(form.text("email"), refusal) : signInAgain(PATH);
  const body = html`<div class="question">
    <h1>Your e-mail address</h1>
    ${refusal ? problemBox(refusal) : ""}
    <p class="quiet">You sign in with it, and get mails there. Now it is <strong class="broken">${visitor.user.email}</strong>.</p>
    ${
      pending === null
        ? ask
        : html`${codeForm(pending, refusal)}
    ${fold("Another address, or another code", ask, { open: form.text("email") !== "" })}`
    }
    <p><a href="/account">Back to your account</a></p>
  </div>`;
  return { title: "Your e-mail address", body, status: refusal?.status ?? 200 };
}

const askForm = (email: string, refusal?: Refusal): Html => html`<form method="post" action="${PATH}">
      ${textField({ name: "email", label: "New address", type: "email", required: true, max: 320, value: email, refusal, hint: "We mail a code to it. The old one stays until you have entered the code." })}
      <button class="wide">Mail me a code</button>
    </form>`;

const codeForm = (pending: string, refusal?: Refusal): Html => html`<form method="post" action="${PATH}/code">
      ${textField({ name: "code", label: "Code from the mail", required: true, max: 20, refusal, hint: `We mailed it to ${pending}. It works once, for ${LINK_MINUTES} minutes.` })}
      <button class="wide">Change my address</button>
    </form>`;
