import { findPendingRequest, LINK_MINUTES, resendSignIn, useCode } from "../../../domain/access/sign-in/sign-in.ts";
import { RESEND_SECONDS } from "../../../domain/access/sign-in/sign-in-limits.ts";
import { networkOf } from "../../../domain/kernel/addresses.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import { notice } from "../site/layout.ts";
import { type PageAnswer, type PageCall, problemBox, refusalOf, type Site } from "../site/site.ts";
import { signIn } from "../site/visitors.ts";
import {
  browserOf,
  goOn,
  keepBrowser,
  LEADING_AWAY,
  limitSignIns,
  overPage,
  resendForm,
  returning,
} from "./sign-in-steps.ts";

/** The page on which a person types the code of the mail, or requests another mail. */

export function codePages(site: Site): void {
  site.open("get", "/sign-in/code", (call) => showCode(call), LEADING_AWAY);
  site.open("post", "/sign-in/code", (call) => tryCode(site, call), LEADING_AWAY);
  site.open("post", "/sign-in/code/resend", (call) => resend(site, call), LEADING_AWAY);
}

const UNKNOWN = { over: "unknown", returnTo: null, email: null } as const;
const AGAIN = `You can request another in ${RESEND_SECONDS} seconds.`;

async function showCode(call: PageCall): Promise<PageAnswer> {
  const browser = browserOf(call);
  if (!browser) return { to: "/sign-in" };
  const awaited = await findPendingRequest(call.ctx, browser);
  return "over" in awaited
    ? { to: `/sign-in${returning(awaited.returnTo)}` }
    : codePage({ ...awaited, resent: call.query("sent") === "again" });
}

async function tryCode(site: Site, call: PageCall): Promise<PageAnswer> {
  const browser = browserOf(call);
  if (!browser) return overPage(UNKNOWN);
  const code = call.form.text("code");
  const tried = await site.begin(call.ctx, async (tx) => {
    const result = await useCode(tx, { browser, code });
    if ("user" in result) await signIn(call.request, tx, result.user.id);
    return result;
  });
  if ("over" in tried) return overPage(tried, true);
  if ("wrong" in tried) return codePage(tried.wrong);
  return goOn(call, tried);
}

/** Sends another mail to the address that this browser typed. The limits are those of the first mail. */
async function resend(site: Site, call: PageCall): Promise<PageAnswer> {
  const browser = browserOf(call);
  if (!browser) return overPage(UNKNOWN);
  try {
    await limitSignIns(call);
    const network = networkOf(call.request.ip);
    const known = await site.begin(call.ctx, (tx) => resendSignIn(tx, { browser, network }));
    if (!known) return overPage(UNKNOWN);
    keepBrowser(call, browser);
    return { to: "/sign-in/code?sent=again" };
  } catch (error) {
    const refusal = refusalOf(error);
    call.request.set(refusal.headers);
    const awaited = await findPendingRequest(call.ctx, browser);
    if ("over" in awaited) throw refusal;
    return codePage({ ...awaited, refusal });
  }
}

/** `left`: remaining attempts after a wrong code. */
type Awaited = { email: string; returnTo: string | null; left?: number; refusal?: Refusal; resent?: boolean };

function codePage({ email, returnTo, left, refusal, resent }: Awaited): PageAnswer {
  const tries = `You have ${left} more ${left === 1 ? "try" : "tries"}.`;
  const told = refusal
    ? problemBox(refusal)
    : left !== undefined
      ? notice("bad", `That is not the code. Use the one in the newest mail. ${tries}`)
      : resent
        ? notice("good", `We sent a new mail. Its code replaces the earlier one. ${AGAIN}`)
        : "";
  const body = html`<div class="question">
    <h1>Check your mail</h1>
    ${told}
    <p>We sent a link and a code to <strong>${email}</strong>. Open the link in the browser you want to be signed in
      with, or enter the code here.</p>
    <form method="post" action="/sign-in/code">
      <div class="field">
        <label for="code">Code from the mail</label>
        <input class="code" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required autofocus aria-describedby="code-hint">
        <p class="hint" id="code-hint">Both work once, for ${LINK_MINUTES} minutes. If you can't find the mail, check your spam folder.</p>
      </div>
      <button class="wide">Sign in</button>
    </form>
    ${resendForm("Send a new mail")}
    <p><a href="/sign-in${returning(returnTo)}">Use another address</a></p>
  </div>`;
  return { title: "Check your mail", body, status: refusal?.status ?? (left === undefined ? 200 : 400) };
}
