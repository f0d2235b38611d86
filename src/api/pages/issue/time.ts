import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { TimeEntryView } from "../../../domain/work/time/view.ts";
import { editForm } from "../kit/edit.ts";
import { hidden, textField } from "../kit/fields.ts";
import { adding, facts, fold } from "../kit/pieces.ts";
import { dayInWords, minutesInWords } from "../kit/times.ts";
import { askFirst } from "../site/confirm.ts";
import { showsTyped } from "../site/field-state.ts";
import { onceField } from "../site/once.ts";
import { dayHere } from "../site/zone.ts";
import type { About } from "./page.ts";
import { personOf } from "./read.ts";

/** The time that was spent on the issue, and the log of it. */
export function timePart(about: About): Html | string {
  const { time, mayWrite } = about;
  const { spent_minutes, remaining_minutes, agent_minutes, children_spent_minutes, entries } = time;
  if (spent_minutes === null && entries.length === 0 && children_spent_minutes === 0)
    return mayWrite ? logForm(about) : "";
  const some = (minutes: number | null) => (minutes === null || minutes === 0 ? null : minutesInWords(minutes));
  return html`<section id="time" aria-labelledby="time-title"><h2 id="time-title">Time</h2>
    ${facts([
      ["Spent", minutesInWords(spent_minutes ?? 0)],
      ["Left", some(remaining_minutes)],
      ["By agents", some(agent_minutes)],
      ["On children", some(children_spent_minutes)],
    ])}
    ${entries.length === 0 ? "" : html`<ul class="lines">${entries.map((entry) => entryLine(about, entry))}</ul>`}
    ${mayWrite ? html`${logForm(about)}${leftForm(about)}` : ""}</section>`;
}

/** `was`: so that what somebody else has entered meanwhile is not replaced. */
function leftForm({ base, call, time: { remaining_minutes: left }, refusal }: About): Html {
  const wasSent = call.form.text("left") !== "";
  const stored = left === null ? "" : minutesInWords(left);
  const isTyped = wasSent && showsTyped(refusal);
  return fold(
    "Change the time left",
    html`<form class="narrow" method="post" action="${base}/time-left">${onceField()}${hidden("left", "1")}${hidden("was", String(left))}
      ${textField({ name: "remaining_minutes", label: "Time left", value: isTyped ? call.form.text("remaining_minutes") : stored, placeholder: "2 h", hint: "Empty: the estimate less the time spent.", refusal: wasSent ? refusal : undefined })}
      <button class="second">Save</button></form>`,
    { open: wasSent },
  );
}

function entryLine(about: About, entry: TimeEntryView): Html {
  const { base, call, people, mayWrite } = about;
  const { id, author_id, minutes, note, spent_on } = entry;
  const { user_id, role } = call.here.principal;
  const name = personOf(people, author_id).name ?? "Someone";
  const mayChange = mayWrite && (author_id === user_id || isAdmin(role));
  const isOpen = mayChange && (call.form.text("entry") || call.query("entry")) === id;
  return html`<li class="issue-line" id="entry-${id}"><b>${minutesInWords(minutes)}</b> <span>${name}</span> <span class="issue-title" dir="auto">${note ?? ""}</span>
    <span class="quiet">${dayInWords(spent_on)}</span>
    ${mayChange && !isOpen ? html`<a class="quiet" href="${base}?entry=${id}#entry-${id}" aria-label="Correct ${minutesInWords(minutes)} of ${name}">Correct</a>` : ""}
    ${isOpen ? correctForm(about, entry) : ""}</li>`;
}

function correctForm({ base, call }: About, { id, minutes, note, spent_on }: TimeEntryView): Html {
  const { form } = call;
  const values =
    form.text("entry") === id ? typedOf(form) : { minutes: minutesInWords(minutes), note: note ?? "", spent_on };
  return html`<div class="whole">${editForm(`${base}/time-change`, {
    fields: hidden("entry", id),
    inputs: inputs(values, "t-"),
    cancel: `${base}#time`,
  })}${askFirst({ ask: "Delete", about: "this entry", action: `${base}/time-delete`, consequence: "Its minutes are taken back.", confirm: "Delete the entry", fields: hidden("entry", id) })}</div>`;
}

type Typed = { minutes: string; note: string; spent_on: string };
const typedOf = (form: About["call"]["form"]): Typed => ({
  minutes: form.text("minutes"),
  note: form.text("note"),
  spent_on: form.text("spent_on"),
});

function logForm({ base, call }: About): Html {
  const wasSent = call.form.text("log") !== "";
  const values = wasSent ? typedOf(call.form) : { minutes: "", note: "", spent_on: dayHere(call.here.now) };
  return adding(
    "Log time",
    html`<form method="post" action="${base}/time">${onceField()}${hidden("log", "1")}${inputs(values, "log-")}<button>Log</button></form>`,
    { open: wasSent },
  );
}

const inputs = ({ minutes, note, spent_on }: Typed, prefix: string): Html =>
  html`<div class="row">${textField({ name: "minutes", label: "Time", value: minutes, required: true, prefix, placeholder: "1 h 30 min" })}
    ${textField({ name: "spent_on", label: "Day", type: "date", value: spent_on, required: true, prefix })}</div>
    ${textField({ name: "note", label: "What was done", value: note, max: 500, prefix })}`;
