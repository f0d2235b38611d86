import type { IssueType, Priority } from "../../../domain/access/identity/issue-row.ts";
import { type Category, isClosed } from "../../../domain/kernel/categories.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import { avatar } from "./people.ts";
import { badge, colored, type Tone } from "./pieces.ts";
import { due } from "./times.ts";
import { counted, words } from "./words.ts";

/** An issue on a board, in a list, and as a link. */

const mark = (name: string, label: string, shape: Html): Html =>
  html`<svg class="mark ${name}" width="16" height="16" viewBox="0 0 16 16" role="img" aria-label="${label}">${shape}</svg>`;

const TYPES: Record<IssueType, Html> = {
  epic: html`<path d="M9 1 3 9h4l-1 6 7-9H8z"/>`,
  story: html`<path d="M4 1h8v14l-4-3.5L4 15z"/>`,
  task: html`<path d="M2 2h12v12H2zm5 9 5-6-1.3-1L7 8.6 5.2 7 4 8.2z" fill-rule="evenodd"/>`,
  bug: html`<circle cx="8" cy="8" r="6.5"/>`,
  subtask: html`<path d="M2 2h3v6h4V6h5v6H9v-2H3V2z"/>`,
};

export const typeMark = (type: IssueType): Html => mark(type, words(type), TYPES[type]);

const BARS: Record<Priority, number> = { lowest: 1, low: 1, medium: 2, high: 3, highest: 4, critical: 4 };

export const priorityMark = (priority: Priority): Html =>
  mark(
    `priority ${priority}`,
    `Priority ${priority}`,
    html`${[1, 2, 3, 4].map((bar) => html`<rect x="${bar * 4 - 4}" y="${12 - bar * 3}" width="3" height="${bar * 3 + 3}" rx="1"${bar > BARS[priority] ? html` opacity=".25"` : ""}/>`)}`,
  );

const TONES: Record<Category, Tone> = {
  backlog: "quiet",
  todo: "",
  in_progress: "warn",
  in_review: "warn",
  done: "good",
  failed: "bad",
  cancelled: "quiet",
};

/** The column that an issue is in. */
export const statusBadge = ({ status, status_name }: Pick<IssueView, "status" | "status_name">): Html =>
  badge(status_name ?? words(status), TONES[status]);

/** Names of people by id, for lists whose issues only name them by id. */
export type People = ReadonlyMap<string, { name: string | null; kind: "user" | "agent" }>;

function assignees(issue: IssueView, people: People): Html {
  return html`${issue.assignees.slice(0, 3).map((id) => {
    const { name = null, kind = "user" } = people.get(id) ?? {
      name: id === issue.assignee_id ? issue.assignee_name : null,
      kind: (id === issue.assignee_id && issue.assignee_kind) || "user",
    };
    return html`<span title="${name ?? "Someone"}">${avatar({ id, name, kind })}<span class="out">${name ?? "Someone"}</span></span>`;
  })}${issue.assignees.length > 3 ? html`<span class="quiet">+${issue.assignees.length - 3}</span>` : ""}`;
}

/** Marks of what needs attention, and what else is good to know. */
const marks = (issue: IssueView, now: string): Html => html`
  ${issue.is_blocked ? badge("Blocked", "bad") : ""}
  ${issue.due_at ? due(issue.due_at, now, isClosed(issue.status)) : ""}
  ${issue.active_session_ids.length > 0 ? badge("Agent at work", "good") : ""}
  ${issue.labels.map(({ color, name }) => colored(color, name))}
  ${issue.children.total > 0 ? html`<span class="quiet">${issue.children.done}/${issue.children.total} done</span>` : ""}
  ${issue.counts.comments > 0 ? html`<span class="quiet">${counted(issue.counts.comments, "comment")}</span>` : ""}
  ${issue.story_points === null ? "" : html`<span class="quiet">${counted(issue.story_points, "point")}</span>`}`;

export type Shown = { now: string; people?: People /** Path of the workspace's pages. */; base: string };

export const issuePath = (base: string, issue: Pick<IssueView, "url" | "key">): string =>
  base + issue.url.slice(issue.url.indexOf("/p/"));

/** A card of a board. `more`: the menu that moves it. */
export const issueCard = (issue: IssueView, { now, base, people = new Map() }: Shown, more: Html | string = ""): Html =>
  html`<li class="issue-card" id="card-${issue.key}" data-key="${issue.key}" data-version="${issue.version}">
    <p class="issue-head">${typeMark(issue.type)} <span class="quiet">${issue.key}</span> ${priorityMark(issue.priority)}<span class="who-row">${assignees(issue, people)}</span></p>
    <a class="issue-title" href="${issuePath(base, issue)}">${issue.title}</a>
    <p class="marks">${marks(issue, now)}</p>${more}</li>`;

/** A line of a list. */
export const issueLine = (issue: IssueView, { now, base, people = new Map() }: Shown): Html =>
  html`<li class="issue-line" id="line-${issue.key}">${typeMark(issue.type)} <span class="quiet key">${issue.key}</span>
    <a class="issue-title" href="${issuePath(base, issue)}">${issue.title}</a>
    <span class="marks">${marks(issue, now)}</span>${statusBadge(issue)} ${priorityMark(issue.priority)}
    <span class="who-row">${assignees(issue, people)}</span></li>`;
