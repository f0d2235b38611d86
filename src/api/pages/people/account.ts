import { changeName, MAX_LENGTH } from "../../../domain/access/sign-in/account.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { fieldState } from "./field-state.ts";
import { notice } from "./layout.ts";
import { type PageAnswer, problemBox, refusalOf, type SignedInCall, type Site } from "./site.ts";

/** The page for a person's own data, shared by all of their workspaces. */
export function accountPages(site: Site): void {
  site.signedIn("get", "/account", async (call) => show(call));
  site.signedIn("post", "/account", async (call) => {
    const { ctx, visitor, form, request } = call;
    try {
      await site.begin(ctx, (tx) => changeName(tx, visitor.user, form.text("your_name")));
      return { to: "/account?done=name" };
    } catch (error) {
      const refusal = refusalOf(error);
      request.set(refusal.headers);
      return show(call, refusal);
    }
  });
}

function show({ visitor: { user }, form, query }: SignedInCall, refusal?: Refusal): PageAnswer {
  const name = refusal ? form.text("your_name") : (user.name ?? "");
  const done = query("done") === "name" ? notice("good", "Your name is changed, everywhere from now on.") : "";
  const body = html`<div class="question">
    <h1>Your account</h1>
    ${refusal ? problemBox(refusal) : done}
    <p class="label">E-mail address</p>
    <p>${user.email}</p>
    <form method="post" action="/account">
      ${nameField(name, refusal, html` required`)}
      <button class="wide">Save</button>
    </form>
    <form method="post" action="/sign-out">
      <p class="quiet">Ends all of your sessions, in this browser and all others. Tokens and agents keep working.</p>
      <button class="second wide" name="everywhere" value="yes">Sign out everywhere</button>
    </form>
  </div>`;
  return { title: "Your account", body, status: refusal?.status ?? 200 };
}

/** The input for a person's display name. */
export const nameField = (value: string, refusal?: Refusal, more: Html | string = ""): Html => html`<div class="field">
    <label for="your_name">Your name</label>
    <input id="your_name" name="your_name" autocomplete="name" maxlength="${MAX_LENGTH}"${more} value="${value}"${fieldState(refusal, "your_name")}>
  </div>`;
