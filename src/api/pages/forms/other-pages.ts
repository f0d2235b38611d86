import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { PublicForm } from "../../../domain/work/forms/public.sql.ts";
import type { FormAccess } from "../../../domain/work/forms/public.ts";
import { longest } from "../longest.ts";
import { notice } from "../site/layout.ts";
import type { Page } from "./layout.ts";

/** The pages shown instead of the form. They do not reveal what the form asks. */

/** Why a visitor cannot open the form. */
type Blocked = Exclude<FormAccess, "open"> | "closed";
type Other = { path: string; visitor: Visitor | null };

export function blockedPage(access: Blocked, at: PublicForm, other: Other): Page {
  return PAGES[access](at, other);
}

const PAGES: Record<Blocked, (at: PublicForm, other: Other) => Page> = {
  closed: ({ form }) =>
    plain(
      409,
      // The title of a draft is not public yet.
      form.status === "draft" || form.access_mode !== "anyone" || form.password_hash
        ? "This form is closed"
        : form.title,
      html`<p>This form does not accept answers now.</p>`,
    ),
  sign_in: (_, { path }) =>
    plain(
      401,
      "Sign in to open this form",
      html`<p>This form is only for certain people. Sign in to open it.</p>
        <p><a class="button" href="/sign-in?return_to=${encodeURIComponent(path)}">Sign in</a></p>`,
    ),
  not_a_member: (_, other) => wrongAccountPage("Only members of its workspace can open this form.", other),
  not_invited: (_, other) =>
    wrongAccountPage("It is only for people who were invited, and this address was not invited.", other),
  password: (_, { path }) => passwordPage(path),
};

function wrongAccountPage(why: string, { path, visitor }: Other): Page {
  return plain(
    403,
    "This form is not for you",
    html`<p>You are signed in as <strong>${visitor?.user.email ?? ""}</strong>. ${why}</p>
      <form method="post" action="/sign-out"><input type="hidden" name="return_to" value="${path}">
        <button class="second">Sign in with another account</button></form>`,
  );
}

/** @param wrong the error of the previous attempt */
export function passwordPage(path: string, wrong?: { message: string; status: number }): Page {
  const body = html`<h1>This form has a password</h1>
    ${wrong ? notice("bad", html`<p id="problem">${wrong.message}</p>`) : ""}
    <form method="post" action="${path}"><input type="hidden" name="step" value="password">
      <div class="field"><label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="off"${longest(100)} required autofocus${wrong ? html` aria-invalid="true" aria-describedby="problem"` : ""}></div>
      <button>Open the form</button></form>`;
  return { title: "This form has a password", body, status: wrong?.status ?? 200 };
}

export function sentPage({ form }: PublicForm, path: string): Page {
  const again = form.one_per_email ? "" : html`<p><a href="${path}">Send another answer</a></p>`;
  const body = html`<h1>${form.title}</h1>
    ${notice("good", html`<p class="written">${form.success_message ?? "Thank you. Your answer was sent."}</p>`)}${again}`;
  return { title: `Sent: ${form.title}`, body, status: 200, inside: true };
}

const plain = (status: number, title: string, rest: Html): Page => ({
  title,
  status,
  body: html`<h1>${title}</h1>${rest}`,
});
