import type { z } from "zod";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { placeOf } from "../../../domain/kernel/place-of.ts";
import type { ActivityView } from "../../../domain/work/activity/activity.ts";
import { dayInWords, minutesInWords } from "../kit/times.ts";
import { words } from "../kit/words.ts";

/** The history of an issue as sentences: what follows the name of who did it. */

export type Line = z.output<typeof ActivityView>;
type Payload = Line["payload"];

/** @param base path of the project's pages */
export function sentence({ kind, payload, actor_kind }: Line, base: string): Html {
  const say = own(SENTENCES, kind);
  return html`${say ? say(payload, base) : words(kind).toLowerCase()}${through(payload, actor_kind)}`;
}

/** Who did it, if it was nobody with a name. */
export const ACTORS: Record<string, string> = {
  user: "Someone",
  agent: "An agent",
  automation: "An automation",
  workflow: "A workflow",
  form: "A form",
  integration: "An integration",
  system: "Muster",
};

function through({ cause }: Payload, actor: Line["actor_kind"]): Html | string {
  // These are named as the actor already.
  if (actor === "automation" || actor === "workflow") return "";
  if (cause.automation_id !== null) return html` <span class="quiet">through an automation</span>`;
  return cause.workflow_run_id !== null ? html` <span class="quiet">through a workflow</span>` : "";
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const value = (said: string): Html => html`<b>${said}</b>`;

/** `from` and `to` in words; empty if there is none. */
const ends = ({ from, to, from_name, to_name }: Payload, say: (value: unknown) => string) =>
  [from_name ?? (from === null ? "" : say(from)), to_name ?? (to === null ? "" : say(to))] as const;

/** "set the due date to…", "changed…", "removed…". */
function changed(what: string, payload: Payload, say: (value: unknown) => string = plain): Html {
  const [from, to] = ends(payload, say);
  if (from === "" && to === "") return html`changed ${what}`;
  if (from === "") return html`set ${what} to ${value(to)}`;
  if (to === "") return html`removed ${what}, which was ${value(from)}`;
  return html`changed ${what} from ${value(from)} to ${value(to)}`;
}

const plain = (one: unknown): string => {
  if (typeof one === "boolean") return one ? "Yes" : "No";
  if (Array.isArray(one)) return one.map(plain).join(", ");
  return typeof one === "object" ? JSON.stringify(one) : String(one);
};
const asMinutes = (one: unknown) => minutesInWords(Number(one));
const asDay = (one: unknown) => dayInWords(String(one));
/** A whole day is named beside its midnight in UTC. */
const dated = (payload: Payload): Payload => ({
  ...payload,
  ...{ from: payload.from_name ?? payload.from, to: payload.to_name ?? payload.to },
  ...{ from_name: null, to_name: null },
});
const asWords = (one: unknown) => words(String(one));
const asPercent = (one: unknown) => `${one} %`;

const commentLink = ({ comment_id }: Payload, label: string): Html =>
  html`<a href="${placeOf("comment", text(comment_id))}">${label}</a>`;

/** What `updated` says of the fields that have a name of their own. */
const FIELDS: Record<string, (payload: Payload) => Html> = {
  title: (payload) => html`renamed it from ${value(plain(payload.from))} to ${value(plain(payload.to))}`,
  description_md: () => html`edited the description`,
  type: (payload) => changed("the type", payload, asWords),
  priority: (payload) => changed("the priority", payload, asWords),
  reporter_id: (payload) => changed("the reporter", payload, () => "somebody"),
  estimate_minutes: (payload) => changed("the estimate", payload, asMinutes),
  remaining_minutes: (payload) => changed("the remaining time", payload, asMinutes),
  story_points: (payload) => changed("the points", payload),
  completion_pct: (payload) => changed("the completion", payload, asPercent),
  start_at: (payload) => changed("the start date", dated(payload), asDay),
  due_at: (payload) => changed("the due date", dated(payload), asDay),
  external_source: (payload) => changed("the external source", payload),
  external_id: (payload) => changed("the external id", payload),
  labels: () => html`reordered the labels`,
  assignees: () => html`reordered the assignees`,
  time_entries: () => html`corrected an entry of the time log`,
};

function updated(payload: Payload): Html {
  const say = own(FIELDS, payload.field ?? "");
  return say ? say(payload) : changed(words(payload.field ?? "it").toLowerCase(), payload);
}

const fieldName = ({ field_name }: Payload) => (text(field_name) === "" ? "a field" : text(field_name));

/** `blocks`, seen from both ends. */
const LINKS: Record<string, Record<string, string>> = {
  blocks: { out: "blocks", in: "is blocked by" },
  duplicates: { out: "duplicates", in: "is duplicated by" },
  relates_to: { out: "relates to", in: "relates to" },
};
export const linkWords = (kind: string, direction: string): string =>
  own(own(LINKS, kind) ?? {}, direction) ?? words(kind);

function link({ kind, direction, target_key }: Payload, base: string): Html {
  const key = text(target_key);
  const other = key === "" ? "an issue of another project" : html`<a href="${base}/${key}">${key}</a>`;
  return html`${linkWords(text(kind), text(direction))} ${other}`;
}

const SESSION_STATES: Record<string, string> = {
  running: "is at work",
  needs_input: "asks a question",
  review: "has something to review",
  done: "is done",
  failed: "has failed",
  cancelled: "is cancelled",
};

/** All kinds of lines. A test walks them. */
export const SENTENCES: Record<string, (payload: Payload, base: string) => Html> = {
  created: () => html`created the issue`,
  archived: ({ reason, status_name }) =>
    text(reason) === ""
      ? html`archived it`
      : html`archived it, because the column ${value(text(status_name))} was deleted`,
  restored: () => html`restored it`,
  status_changed: (payload) => {
    const [from, to] = ends(payload, asWords);
    return html`moved it from ${value(from)} to ${value(to)}`;
  },
  moved: () => html`moved it within its column`,
  parent_changed: (payload, base) => {
    const what = payload.field === "epic_id" ? "epic" : "parent";
    const issue = (key: string) => html`<a href="${base}/${key}">${key}</a>`;
    if (payload.to_name) return html`put it under the ${what} ${issue(payload.to_name)}`;
    return payload.from_name ? html`took it out of the ${what} ${issue(payload.from_name)}` : html`changed its ${what}`;
  },
  sprint_changed: (payload) => planned("the sprint", payload),
  milestone_changed: (payload) => planned("the milestone", payload),
  release_changed: (payload) => planned("the release", payload),
  time_logged: ({ from, to }) => {
    const more = Number(to ?? 0) - Number(from ?? 0);
    return more < 0 ? html`took back ${value(asMinutes(-more))}` : html`logged ${value(asMinutes(more))}`;
  },
  assigned: ({ to_name }) => html`assigned it to ${value(to_name || "somebody")}`,
  unassigned: ({ from_name }) => html`unassigned ${value(from_name || "somebody")}`,
  labelled: ({ to_name }) => html`added the label ${value(to_name || "without a name")}`,
  unlabelled: ({ from_name }) => html`removed the label ${value(from_name || "without a name")}`,
  field_set: (payload) => changed(fieldName(payload), payload),
  field_cleared: (payload) => html`cleared ${fieldName(payload)}`,
  workflow_started: () => html`started a <a href="#workflow">workflow</a>`,
  workflow_ended: () => html`ended the workflow`,
  workflow_forced: ({ to_name }) => html`skipped ${value(to_name || "the open stages")} of the workflow by force`,
  workflow_reopened: ({ to_name }) => html`opened ${value(to_name || "the failed stages")} of the workflow again`,
  updated,
  commit_linked: ({ message, url, sha }) =>
    html`named it in <a href="${text(url)}" rel="noopener">${text(message) || text(sha).slice(0, 8)}</a>`,
  commented: (payload) => commentLink(payload, "commented"),
  comment_edited: (payload) => html`edited ${commentLink(payload, "a comment")}`,
  comment_deleted: () => html`deleted a comment`,
  attachment_added: ({ file_name }) => html`attached ${value(text(file_name))}`,
  attachment_removed: ({ file_name }) => html`deleted the file ${value(text(file_name))}`,
  link_added: (payload, base) => html`added: it ${link(payload, base)}`,
  link_removed: (payload, base) => html`removed: it ${link(payload, base)}`,
  session_started: ({ session_id }) => html`started a <a href="#session-${text(session_id)}">session</a>`,
  session_state_changed: ({ session_id, to, reason }) =>
    html`says that the <a href="#session-${text(session_id)}">session</a> ${own(SESSION_STATES, text(to)) ?? asWords(to)}${
      text(reason) === "" ? "" : html` (${text(reason).replaceAll("_", " ")})`
    }`,
};

function planned(what: string, payload: Payload): Html {
  const [from, to] = ends(payload, () => "one that was deleted");
  if (to !== "") return html`put it into ${what} ${value(to)}`;
  return from === "" ? html`changed ${what}` : html`took it out of ${what} ${value(from)}`;
}
