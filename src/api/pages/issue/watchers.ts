import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import { hidden } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { act, fold } from "../kit/pieces.ts";
import type { About } from "./page.ts";

/** Who is told of comments and changes. Whoever sees the issue may watch it. */
export function watchersPart({ watchers, call, base, issue }: About): Html {
  const { user_id: me, role } = call.here.principal;
  const watches = watchers.some(({ user_id }) => user_id === me);
  const stop = (id: string, name: string) =>
    act(`${base}/unwatch`, "Stop", { fields: hidden("user_id", id), name: `Stop ${name} watching` });
  const list = html`<ul class="stack">${watchers.map(
    ({ user_id, name, kind }) =>
      html`<li class="watcher">${person({ id: user_id, name, kind })}${isAdmin(role) && user_id !== me ? stop(user_id, name ?? "someone") : ""}</li>`,
  )}</ul>`;
  const button = watches ? act(`${base}/unwatch`, "Stop watching") : act(`${base}/watch`, "Watch");
  return html`<div class="watchers" id="watchers">
    ${watchers.length === 0 ? html`<p class="quiet">Nobody watches this.</p>` : fold(watchers.length === 1 ? "1 person watches" : `${watchers.length} people watch`, list)}
    ${issue.archived_at === null ? button : ""}</div>`;
}
