import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { avatar } from "../kit/people.ts";
import { pager } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import type { About } from "./page.ts";
import { ACTORS, type Line, sentence } from "./sentences.ts";

/** What was done to the issue, newest first. */
export function historyPart({ call, history, base, projectBase }: About): Html {
  const line = (one: Line) =>
    html`<li>${avatar({ id: one.actor_id ?? "0", name: one.actor_name, kind: one.actor_kind === "user" ? "user" : "agent" }, 20)}
      <span dir="auto"><b class="actor">${one.actor_name ?? own(ACTORS, one.actor_kind) ?? "Someone"}</b> ${sentence(one, projectBase)} <span class="quiet">${ago(one.created_at, call.here.now)}</span></span></li>`;
  return html`<section id="history" aria-labelledby="history-title"><h2 id="history-title">History</h2>
    <ol class="story-lines">${history.data.map(line)}</ol>
    ${pager(history.next === null ? null : `${base}?history=${history.next}#history`, {
      first: `${base}#history`,
      isFirst: call.query("history") === "",
      what: "history",
    })}</section>`;
}
