import { readOwnPath } from "../../../domain/access/sign-in/own-path.ts";
import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import { newBrowser, readLink, requestSignIn, useLink } from "../../../domain/access/sign-in/sign-in.ts";
import { networkOf } from "../../../domain/kernel/addresses.ts";
import { emailKey } from "../../../domain/kernel/email.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import { fieldState } from "../site/field-state.ts";
import { notice } from "../site/layout.ts";
import { type PageAnswer, type PageCall, problemBox, refusalOf, type Site } from "../site/site.ts";
import { signIn, signOut } from "../site/visitors.ts";
import { codePages } from "./sign-in-code.ts";
import { browserOf, goOn, keepBrowser, LEADING_AWAY, limitSignIns, overPage } from "./sign-in-steps.ts";

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
      keepBrowser(call, browser);
      return { to: "/sign-in/code" };
    } catch (error) {
      const refusal = refusalOf(error);
      call.request.set(refusal.headers);
      return askPage(call, { ...wanted, refusal });
    }
  });

  codePages(site);
  site.open("get", "/sign-in/link", (call) => showLink(call), LEADING_AWAY);
  site.open("post", "/sign-in/link", (call) => openLink(site, call), LEADING_AWAY);

  site.open("post", "/sign-out", async ({ request, ctx, visitor, form }) => {
    await site.begin(ctx, (tx) => signOut(request, tx, visitor, form.text("everywhere") === "yes"));
    return { to: readOwnPath(form.text("return_to")) ?? "/sign-in" };
  });
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
        <input id="email" name="email" type="text" inputmode="email" autocomplete="email" maxlength="320" required autofocus value="${email}"${fieldState(refusal, "email")}>
      </div>
      <button class="wide">Mail me a link</button>
    </form>
  </div>`;
  return { title: "Sign in", body, status: refusal?.status ?? 200 };
}

function linkPage(email: string, token: string, visitor: Visitor | null): PageAnswer {
  const other = visitor && emailKey(visitor.user.email) !== emailKey(email) ? visitor.user.email : null;
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

const mailIsOff: PageAnswer = {
  title: "Mail is off",
  body: html`<div class="question">
    <h1>Mail is off</h1>
    <p>Nobody can sign in yet: this installation has no mail server. Its operator must set
      <code>SMTP_URL</code>.</p>
  </div>`,
  status: 503,
};
