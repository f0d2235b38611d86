import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { StatusView } from "../../../domain/work/projects/status-view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { hidden, textField } from "../kit/fields.ts";
import { issueCard, type Shown } from "../kit/issues.ts";
import { adding } from "../kit/pieces.ts";
import { onceField } from "../site/once.ts";
import type { List } from "../site/perform.ts";
import { problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { address, type Wanted } from "./filters.ts";
import { named } from "./head.ts";

/** The columns of a board with their cards: all issues of the project, or those of a sprint. */

/** In a column, and on the whole board: many columns are as fast as few. */
const CARDS = 20;
const CARDS_IN_ALL = 100;

type Column = { status: StatusView; issues: List<IssueView> };

/** A column shows its first cards; the rest are pages of the column (`?column=…&cursor=…`). */
export function readColumns(
  site: Site,
  call: WorkspaceCall,
  { statuses, wanted }: { statuses: StatusView[]; wanted: Wanted },
): Promise<Column[]> {
  const only = call.query("column");
  const page: Record<string, string> =
    only === ""
      ? { limit: String(Math.min(CARDS, Math.floor(CARDS_IN_ALL / Math.max(statuses.length, 1)))) }
      : { limit: "100", cursor: call.query("cursor") };
  return Promise.all(
    statuses
      .filter(({ id }) => only === "" || id === only)
      .map(async (status) => ({
        status,
        issues: await site.list<IssueView>(call, "issues.list", {
          params: named(call),
          query: { ...wanted, status: status.id, ...page },
        }),
      })),
  );
}

export type OfBoard = {
  /** Path of the page with the board; its forms are below `board`. */
  path: string;
  /** Filters that stay. */
  wanted: Wanted;
  statuses: StatusView[];
  project: ProjectView;
  /** The board of a sprint shows neither how many issues the columns have, nor their limits. */
  isPart?: boolean;
  cards: Shown;
  mayWrite: boolean;
  refusal: Refusal | undefined;
};

type About = OfBoard & {
  /** Key of the issue whose menu is open, and id of the column whose form is. */
  moving: string;
  adding: string;
  typed: { title: string; column: string };
};

/** What was refused stands at its card or column; if that is not shown, above the board. */
export function board(call: WorkspaceCall, columns: readonly Column[], of: OfBoard): Html {
  const { form, request } = call;
  const { refusal, path, wanted, mayWrite } = of;
  const refused = (name: string, field: string) =>
    refusal && request.path.endsWith(`/board/${name}`) ? form.text(field) : "";
  const [moved, added] = [refused("move", "issue"), refused("create", "status_id")];
  const isShown =
    columns.some(({ status }) => status.id === added) ||
    columns.some(({ issues }) => issues.data.some(({ key }) => key === moved));
  const about: About = {
    ...of,
    moving: moved || call.query("move"),
    adding: added || call.query("add"),
    typed: { title: added ? form.text("title") : "", column: moved ? form.text("status_id") : "" },
    refusal: isShown ? refusal : undefined,
  };
  const moves = html` data-move="${path}/board/move" data-filters="${new URLSearchParams(wanted).toString()}"`;
  return html`${refusal && !isShown && (moved || added) ? problemBox(refusal) : ""}
    <div class="board"${mayWrite ? moves : ""} tabindex="0" role="region" aria-label="Board">
      ${columns.map((one) => column(one, about))}
    </div>${mayWrite ? html`<script src="/assets/drag.js" defer></script>` : ""}`;
}

function column({ status, issues: { data, next } }: Column, about: About): Html {
  const { path, wanted, isPart = false } = about;
  const { id, name } = status;
  const more = next === null ? "" : "+";
  const isFiltered = Object.keys(wanted).length > 0 && data.length < status.issue_count;
  return html`<section id="column-${id}" data-status="${id}" aria-labelledby="name-${id}">
    <h2 id="name-${id}"><svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${status.color}"/></svg>
      ${name} ${isPart ? html`<span class="quiet">${data.length}${more}</span>` : countOf(status, isFiltered ? `, ${data.length}${more} shown` : "")}</h2>
    ${isPart ? "" : limitOf(status, about)}
    <ul class="column-cards">${data.map((issue) => card(issue, about))}</ul>
    ${next === null ? "" : html`<p><a href="${address(path, { ...wanted, column: id, cursor: next })}">More of ${name}</a></p>`}
    ${about.mayWrite ? createForm(status, about) : ""}</section>`;
}

const isFull = ({ issue_count: count, wip_limit: limit }: StatusView): boolean => limit !== null && count >= limit;

const countOf = (status: StatusView, shown: string): Html =>
  html`<span class="quiet${isFull(status) ? " late" : ""}">${status.issue_count}${status.wip_limit === null ? "" : html` of ${status.wip_limit}`}${shown}</span>`;

function limitOf(status: StatusView, about: About): Html | string {
  const { wip_limit: limit, issue_count: count } = status;
  if (limit === null || !isFull(status)) return "";
  const said = count > limit ? `${count - limit} more than its limit.` : `At its limit of ${counted(limit, "issue")}.`;
  return html`<p class="full">${said}${about.project.wip_mode === "enforce" ? " No other issue can be moved here." : ""}</p>`;
}

/** Opens the form that moves a card. One form for each card would double the page. */
const moveLink = ({ key }: IssueView, { path, wanted, moving }: About): Html =>
  key === moving
    ? html`<a class="dots" href="${address(path, wanted)}#card-${key}" aria-label="Move ${key}" aria-expanded="true">⋯</a>`
    : html`<a class="dots" href="${address(path, { ...wanted, move: key })}" aria-label="Move ${key}">⋯</a>`;

function moveForm(issue: IssueView, { path, statuses, wanted, refusal, typed }: About): Html {
  const chosen = typed.column || issue.status_id;
  return html`<form class="move" method="post" action="${path}/board/move">${refusal ? problemBox(refusal) : ""}${keep(wanted)}${hidden("issue", issue.key)}
      <label for="to-${issue.key}">Column</label>
      <select id="to-${issue.key}" name="status_id" autofocus>${statuses.map(({ id, name }) => html`<option value="${id}"${id === chosen ? html` selected` : ""}>${name}</option>`)}</select>
      <div class="row"><button name="position" value="top" class="second">To the top</button>
      <button name="position" value="bottom" class="second">To the bottom</button></div></form>`;
}

/** A card, and if the person may move it, how. */
const card = (issue: IssueView, about: About): Html =>
  issueCard(
    issue,
    about.cards,
    about.mayWrite
      ? { menu: moveLink(issue, about), more: issue.key === about.moving ? moveForm(issue, about) : "" }
      : {},
  );

const keep = (wanted: Wanted): Html | string =>
  Object.keys(wanted).length === 0 ? "" : hidden("filters", new URLSearchParams(wanted).toString());

function createForm({ id, name }: StatusView, { path, wanted, adding: openIn, typed, refusal }: About): Html {
  const isOpen = openIn === id;
  const refused = isOpen ? refusal : undefined;
  const title = textField({
    ...{ name: "title", label: "Title", required: true, max: 255, prefix: `${id}-`, autofocus: isOpen },
    ...{ value: isOpen ? typed.title : "", refusal: refused },
  });
  return adding(
    html`Add an issue<span class="out"> to ${name}</span>`,
    html`<form method="post" action="${path}/board/create">${refused ? problemBox(refused) : ""}${onceField()}${keep(wanted)}${hidden("status_id", id)}
      ${title}<button>Create</button></form>`,
    { open: isOpen },
  );
}
