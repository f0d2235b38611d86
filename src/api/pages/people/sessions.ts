import { endSession, listSessions, type OpenSession } from "../../../domain/access/sign-in/sessions.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { askFirst } from "../site/confirm.ts";
import { instant } from "../site/layout.ts";
import type { SignedInCall, Site } from "../site/site.ts";
import { signOut } from "../site/visitors.ts";
import { deviceOf } from "./device.ts";

/** A person's sessions on the account page: where they are signed in. Each can be ended, or all at once. */

export function sessionPages(site: Site): void {
  site.signedIn("post", "/account/sessions/:id/end", async ({ request, ctx, visitor, params }) => {
    const id = params.id ?? "";
    if (id === visitor.session_id) {
      await site.begin(ctx, (tx) => signOut(request, tx, visitor, false));
      return { to: "/sign-in" };
    }
    const ended = await site.begin(ctx, (tx) => endSession(tx, visitor.user.id, id));
    return { to: `/account?done=${ended ? "session" : "no-session"}` };
  });
}

export async function sessionList({ ctx, visitor }: SignedInCall): Promise<Html> {
  const sessions = await listSessions(ctx, visitor);
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">Where you are signed in</h2>
    <ul class="rows">${sessions.map(row)}</ul>
    ${askFirst({
      ask: "Sign out everywhere",
      action: "/sign-out",
      consequence: "Ends all of your sessions, in this browser and all others. Tokens and agents keep working.",
      confirm: "Sign out everywhere",
      value: ["everywhere", "yes"],
    })}
  </section>`;
}

function row({ id, current, user_agent, network, created_at, last_seen_at }: OpenSession): Html {
  const device = deviceOf(user_agent);
  return html`<li>
      <p><strong>${device}</strong>${current ? html` <span class="badge good">this browser</span>` : ""}</p>
      <p class="quiet">Last used ${instant(last_seen_at)}<br>Signed in ${instant(created_at)}${network ? html` from ${network}` : ""}</p>
      ${askFirst({
        ask: current ? "Sign out" : "End",
        about: current ? "of this browser" : `the session of ${device}`,
        action: `/account/sessions/${id}/end`,
        consequence: current
          ? "You sign in again with a link from a mail."
          : "Whoever uses it must sign in again with a link from a mail to you.",
        confirm: current ? "Sign out here" : "End this session",
      })}
    </li>`;
}
