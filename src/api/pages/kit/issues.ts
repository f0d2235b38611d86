import type { IssueType, Priority } from "../../../domain/access/identity/issue-row.ts";
import { isClosed } from "../../../domain/kernel/categories.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import { avatar } from "./people.ts";
import { badge, colored } from "./pieces.ts";
import { due } from "./times.ts";
import { words } from "./words.ts";

/** An issue on a board, in a list, and as a link. */

/** A symbol of `assets/icons.svg`, with the text that it stands for. */
const mark = (symbol: string, label: string, look = symbol): Html =>
  html`<svg class="mark ${look}" width="16" height="16" role="img" aria-label="${label}"><use href="/assets/icons.svg#${symbol}"/></svg>`;

export const typeMark = (type: IssueType): Html => mark(type, words(type));

const BARS: Record<Priority, number> = { lowest: 1, low: 1, medium: 2, high: 3, highest: 4, critical: 4 };

/** One to four bars. */
export const priorityMark = (priority: Priority): Html =>
  mark(`bars-${BARS[priority]}`, `Priority ${priority}`, `priority ${priority}`);

/** The column that an issue is in, with a symbol for how far along it is. */
export const statusBadge = ({ status, status_name }: Pick<IssueView, "status" | "status_name">): Html =>
  html`<span class="badge state"><svg class="mark ${status}" width="14" height="14" aria-hidden="true"><use href="/assets/icons.svg#${status}"/></svg>${status_name ?? words(status)}</span>`;

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
function marks(issue: IssueView, now: string): Html {
  const { children, counts, story_points: points } = issue;
  const all = [
    issue.is_blocked && badge("Blocked", "bad"),
    issue.due_at && due(issue.due_on ?? issue.due_at, now, isClosed(issue.status)),
    issue.active_session_ids.length > 0 && badge("Agent at work", "good"),
    ...issue.labels.map(({ color, name }) => colored(color, name)),
    children.total > children.cancelled &&
      html`<span class="quiet">${children.done}/${children.total - children.cancelled} done</span>`,
    counts.comments > 0 && html`<span class="quiet">${counted(counts.comments, "comment")}</span>`,
    points !== null && html`<span class="quiet">${counted(points, "point")}</span>`,
  ].filter((one) => one instanceof Object);
  return all.length > 0 ? html`<span class="marks">${all}</span>` : html``;
}

export type Shown = { now: string; people?: People /** Path of the workspace's pages. */; base: string };

/** Path of an issue's page, below that of the workspace. */
export const issuePath = (base: string, issue: Pick<IssueView, "url" | "key">): string =>
  base + issue.url.slice(issue.url.indexOf("/p/"));

/** A card of a board. `menu`: stands in its corner; `more`: below everything. It gets the focus after it was moved. */
export const issueCard = (
  issue: IssueView,
  { now, base, people = new Map() }: Shown,
  { menu = "", more = "" }: { menu?: Html | string; more?: Html | string } = {},
): Html =>
  html`<li class="issue-card" id="card-${issue.key}" tabindex="-1" data-key="${issue.key}" data-version="${issue.version}">
    <p class="issue-head">${typeMark(issue.type)} <span class="quiet">${issue.key}</span> ${priorityMark(issue.priority)}<span class="who-row">${assignees(issue, people)}</span>${menu}</p>
    <a class="issue-title" href="${issuePath(base, issue)}">${issue.title}</a>
    ${marks(issue, now)}${more}</li>`;

/** A line of a list. `pick`: a box before it; `menu`: at its end; `more`: below it. With a menu it can be dragged. */
export const issueLine = (
  issue: IssueView,
  { now, base, people = new Map() }: Shown,
  { pick = "", menu = "", more = "" }: { pick?: Html | string; menu?: Html | string; more?: Html | string } = {},
): Html =>
  html`<li class="issue-line" id="line-${issue.key}"${menu ? html` tabindex="-1" data-key="${issue.key}"` : ""}>${pick}${typeMark(issue.type)} <span class="quiet key">${issue.key}</span>
    <a class="issue-title" href="${issuePath(base, issue)}">${issue.title}</a>
    ${marks(issue, now)}${statusBadge(issue)} ${priorityMark(issue.priority)}
    <span class="who-row">${assignees(issue, people)}</span>${menu}${more}</li>`;
