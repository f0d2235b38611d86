import { readOwnPath } from "../../../domain/access/sign-in/own-path.ts";
import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import {
  type EndedRequest,
  type EndReason,
  findPendingRequest,
  LINK_MINUTES,
  newBrowser,
  readLink,
  requestSignIn,
  type SignedIn,
  useCode,
  useLink,
} from "../../../domain/access/sign-in/sign-in.ts";
import { networkOf } from "../../../domain/kernel/addresses.ts";
import { type Refusal, refuse } from "../../../domain/kernel/errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import { takeFromNetwork } from "../../../domain/kernel/network-limit.ts";
import { fieldState } from "./field-state.ts";
import { notice } from "./layout.ts";
import { type PageAnswer, type PageCall, problemBox, refusalOf, type Site } from "./site.ts";
import { ownCookie, readCookie, setCookie, signIn, signOut } from "./visitors.ts";

/** Sign-in without a password: an address, then the link or the code from a mail. */

export function signInPages(site: Site): void {
  site.open("get", "/sign-in", async (call) => {
    if (call.visitor) return { to: readOwnPath(call.query("return_to")) ?? "/w" };
    return askPage(call, { returnTo: call.query("return_to") });
  });

  site.open("post", "/sign-in", async (call) => {
    const { ctx, form } = call;
    if (!ctx.settings.people.mail) return mailIsOff;
    const wanted = { email: form.text("email"), returnTo: form.text("return_to") };
    try {
      await limitSignIns(call);
      const browser = browserOf(call) ?? newBrowser();
      const network = networkOf(call.request.ip);
      await site.begin(ctx, (tx) => requestSignIn(tx, { ...wanted, browser, network }));
      setBrowser(call, browser, LINK_MINUTES * 60);
      return { to: "/sign-in/code" };
    } catch (error) {
      const refusal = refusalOf(error);
      call.request.set(refusal.headers);
      return askPage(call, { ...wanted, refusal });
    }
  });

  site.open("get", "/sign-in/code", (call) => showCode(call), LEADING_AWAY);
  site.open("post", "/sign-in/code", (call) => tryCode(site, call), LEADING_AWAY);
  site.open("get", "/sign-in/link", (call) => showLink(call), LEADING_AWAY);
  site.open("post", "/sign-in/link", (call) => openLink(site, call), LEADING_AWAY);

  site.open("post", "/sign-out", async ({ request, ctx, visitor, form }) => {
    await signOut(request, ctx, visitor, form.text("everywhere") === "yes");
    return { to: readOwnPath(form.text("return_to")) ?? "/sign-in" };
  });
}

/** The visitor may have come from a consent page, which may redirect to the agent at once. */
const LEADING_AWAY = { mayLeave: true };

async function showCode(call: PageCall): Promise<PageAnswer> {
  const browser = browserOf(call);
  if (!browser) return { to: "/sign-in" };
  const awaited = await findPendingRequest(call.ctx, browser);
  return "over" in awaited ? { to: `/sign-in${returning(awaited.returnTo)}` } : codePage(awaited);
}

async function tryCode(site: Site, call: PageCall): Promise<PageAnswer> {
  const browser = browserOf(call);
  if (!browser) return overPage({ over: "unknown", returnTo: null });
  const code = call.form.text("code");
  const tried = await site.begin(call.ctx, async (tx) => {
    const result = await useCode(tx, { browser, code });
    if ("user" in result) await signIn(call.request, tx, result.user.id);
    return result;
  });
  if ("over" in tried) return overPage(tried);
  if ("wrong" in tried) return codePage(tried.wrong);
  return goOn(call, tried);
}

/** Does not use the link, because mail scanners open every link. */
async function showLink({ ctx, query, visitor }: PageCall): Promise<PageAnswer> {
  const token = query("token");
  const link = await readLink(ctx, token);
  return "over" in link ? overPage(link) : linkPage(link.email, token, visitor);
}

async function openLink(site: Site, call: PageCall): Promise<PageAnswer> {
  const token = call.form.text("token");
  const used = await site.begin(call.ctx, async (tx) => {
    const result = await useLink(tx, token);
    if ("user" in result) await signIn(call.request, tx, result.user.id);
    return result;
  });
  if (!("over" in used)) return goOn(call, used);
  // The button was pressed twice.
  return used.over === "used" && call.visitor ? { to: used.returnTo ?? "/w" } : overPage(used);
}

/** Continues to the page that the person wanted, or to the start page, and clears the browser's pending request. */
function goOn(call: PageCall, { returnTo }: SignedIn): PageAnswer {
  setBrowser(call, "", 0);
  return { to: returnTo ?? "/w" };
}

/**
 * Limits requests for mails by network. Links and codes are not limited: a link cannot be guessed, a code ends after
 * five tries, and others in the network must not keep a person from using theirs.
 * @throws Refusal rate_limited
 */
async function limitSignIns({ request, ctx }: PageCall): Promise<void> {
  const limit = ctx.settings.people.signInsPerMinute;
  const taken = await takeFromNetwork(ctx.ports.rateLimiter, "sign-in", request.ip, limit);
  if (!taken || taken.allowed) return;
  refuse("rate_limited", {
    message: `Your network requested too many sign-in mails. Wait ${taken.resetSeconds} seconds.`,
    headers: { "Retry-After": String(taken.resetSeconds) },
  });
}

const cookieOf = ({ ctx }: PageCall) => ownCookie(ctx.settings.baseUrl, "muster_sign_in");
const browserOf = (call: PageCall) => readCookie(call.request, cookieOf(call));
const setBrowser = (call: PageCall, value: string, maxAgeSeconds: number) =>
  setCookie(call.request, call.ctx.settings.baseUrl, cookieOf(call), value, maxAgeSeconds);

/** Passes on the page that the person wanted. */
const returning = (returnTo: string | null) => (returnTo === null ? "" : `?return_to=${encodeURIComponent(returnTo)}`);

type Asking = { returnTo: string; email?: string; refusal?: Refusal };

function askPage({ ctx }: PageCall, { returnTo, email = "", refusal }: Asking): PageAnswer {
  if (!ctx.settings.people.mail) return mailIsOff;
  const body = html`<div class="question">
    <h1>Sign in</h1>
    <p class="quiet">There is no password: we mail you a link and a code. If you are new here, the same mail creates your account.</p>
    ${refusal ? problemBox(refusal) : ""}
    <form method="post" action="/sign-in">
      <input type="hidden" name="return_to" value="${readOwnPath(returnTo) ?? ""}">
      <div class="field">
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="email" maxlength="320" required autofocus value="${email}"${fieldState(refusal, "email")}>
      </div>
      <button class="wide">Mail me a link</button>
    </form>
  </div>`;
  return { title: "Sign in", body, status: refusal?.status ?? 200 };
}

/** `left`: remaining attempts after a wrong code. */
type Awaited = { email: string; returnTo: string | null; left?: number };

function codePage({ email, returnTo, left }: Awaited): PageAnswer {
  const wrong =
    left === undefined
      ? ""
      : notice("bad", `That is not the code. You have ${left} more ${left === 1 ? "try" : "tries"}.`);
  const body = html`<div class="question">
    <h1>Check your mail</h1>
    ${wrong}
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
    <p><a href="/sign-in${returning(returnTo)}">Use another address, or request a new mail</a></p>
  </div>`;
  return { title: "Check your mail", body, status: left === undefined ? 200 : 400 };
}

function linkPage(email: string, token: string, visitor: Visitor | null): PageAnswer {
  const other = visitor && visitor.user.email.toLowerCase() !== email.toLowerCase() ? visitor.user.email : null;
  const body = html`<div class="question">
    <h1>Sign in</h1>
    <p>You are about to sign in as <strong>${email}</strong> in this browser.</p>
    ${other ? notice("info", `You are signed in as ${other} now and will be signed out.`) : ""}
    <form method="post" action="/sign-in/link">
      <input type="hidden" name="token" value="${token}">
      <button class="wide" autofocus>Sign in</button>
    </form>
    <p class="quiet">If that is not you, close this page.</p>
  </div>`;
  return { title: "Sign in", body };
}

const WHY: Record<EndReason | "tries", string> = {
  unknown: "This link or code is not valid. Part of it may be missing.",
  used: "It has already been used. Each link and code works once.",
  expired: `It is older than ${LINK_MINUTES} minutes.`,
  tries: "Too many wrong codes were entered. The link in the mail works until it expires.",
};

function overPage({ over: why, returnTo }: EndedRequest<EndReason | "tries">): PageAnswer {
  const body = html`<div class="question">
    <h1>You can't sign in with this any more</h1>
    <p>${WHY[why]}</p>
    <p><a class="button" href="/sign-in${returning(returnTo)}">Get a new mail</a></p>
  </div>`;
  return { title: "Get a new mail", body, status: why === "tries" ? 429 : 410 };
}

const mailIsOff: PageAnswer = {
  title: "Mail is off",
  body: html`<div class="question">
    <h1>Mail is off</h1>
    <p>Nobody can sign in yet: this installation has no mail server. Its operator must set
      <code>SMTP_URL</code>.</p>
  </div>`,
  status: 503,
};
