import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { StatusView } from "../../../domain/work/projects/status-view.ts";
import { hidden } from "../kit/fields.ts";
import { issueCard, type Shown } from "../kit/issues.ts";
import { fold } from "../kit/pieces.ts";
import { actions } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import type { List } from "../site/perform.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { readChoices } from "./choices.ts";
import { address, BOARD_FILTERS, filterChips, filterForm, type Wanted, wantedOf } from "./filters.ts";
import { isEditorOf, named, PROJECT, pathOf, projectHead, readProject } from "./head.ts";

/** The board of a project. A column shows its first cards; the rest are a page of the column. */

const CARDS = 20;

export function boardPage(site: Site): void {
  site.workspace("get", PROJECT, (call) => show(site, call));
  actions(site, `${PROJECT}/board`, (call, refusal) => show(site, call, refusal), {
    create: {
      operation: "issues.create",
      input: (call) => ({
        params: named(call),
        body: { title: call.form.text("title"), status_id: call.form.text("status_id") },
      }),
      to: (call) => backTo(call, `column-${call.form.text("status_id")}`),
      said: (made: IssueView) => `${made.key} is created.`,
    },
    move: {
      operation: "issues.transition",
      input: (call) => ({
        params: { ...named(call), issueKey: call.form.text("issue") },
        body: placeOf(call),
      }),
      to: (call) => backTo(call, `card-${call.form.text("issue")}`),
      said: (moved: IssueView) => `${moved.key} is in ${moved.status_name ?? moved.status} now.`,
    },
  });
}

/** From the menu: a column, and its top or bottom. From dragging: a column, and the card above. */
function placeOf({ form }: WorkspaceCall) {
  const after = form.text("after");
  return { status_id: form.text("status_id"), ...(after ? { after } : { position: form.text("position") || "top" }) };
}

/** A filtered board stays filtered after a form. */
const backTo = (call: WorkspaceCall, anchor: string): string =>
  `${address(pathOf(call), Object.fromEntries(new URLSearchParams(call.form.text("filters"))))}#${anchor}`;

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const [project, all] = await Promise.all([readProject(site, call), readChoices(site, call)]);
  const { statuses } = all;
  const wanted = wantedOf(call, BOARD_FILTERS);
  const only = call.query("column");
  const shown = only === "" ? statuses : statuses.filter(({ id }) => id === only);
  const columns = await Promise.all(
    shown.map(async (status) => ({
      status,
      issues: await cardsOf(site, call, { status, wanted, isOnly: only !== "" }),
    })),
  );
  const base = pathOf(call);
  const about: About = {
    base,
    wanted,
    statuses,
    mayWrite: project.archived_at === null && isEditorOf(call, project),
    moving: call.query("move"),
    cards: { now: call.here.now, base: `/w/${call.here.workspace.slug}`, people: all.people },
  };
  const filter = { wanted, names: BOARD_FILTERS, all, path: base };
  const moves = html` data-move="${base}/board/move" data-filters="${new URLSearchParams(wanted).toString()}"`;
  return {
    title: project.name,
    status: refusal?.status ?? 200,
    wide: true,
    live: { project: project.id },
    body: html`${projectHead(call, project, "", about.mayWrite ? html`<a class="button" href="${base}/new">New issue</a>` : "")}${refusal ? problemBox(refusal) : ""}
      ${only === "" ? html`${filterForm(filter)}${filterChips(filter)}` : html`<p><a href="${address(base, wanted)}">The whole board</a></p>`}
      <div class="board"${about.mayWrite ? moves : ""} tabindex="0" role="region" aria-label="Board">
        ${columns.map(({ status, issues }) => column(status, issues, about))}
      </div>${about.mayWrite ? html`<script src="/assets/drag.js" defer></script>` : ""}`,
  };
}

type Asked = { status: StatusView; wanted: Wanted; isOnly: boolean };

function cardsOf(site: Site, call: WorkspaceCall, { status, wanted, isOnly }: Asked): Promise<List<IssueView>> {
  const query = {
    ...wanted,
    status: status.id,
    limit: String(isOnly ? 100 : CARDS),
    ...(isOnly ? { cursor: call.query("cursor") } : {}),
  };
  return site.list(call, "issues.list", { params: named(call), query });
}

type About = {
  base: string;
  wanted: Wanted;
  statuses: StatusView[];
  cards: Shown;
  mayWrite: boolean;
  /** Key of the issue whose menu is open. */
  moving: string;
};

function column(status: StatusView, { data, next }: List<IssueView>, about: About): Html {
  const { base, wanted } = about;
  const { id, name, issue_count: count, wip_limit: limit } = status;
  const full = limit !== null && count >= limit;
  const filtered = Object.keys(wanted).length > 0 && data.length < count;
  return html`<section id="column-${id}" data-status="${id}" aria-labelledby="name-${id}">
    <h2 id="name-${id}"><svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${status.color}"/></svg>
      ${name} <span class="quiet${full ? " late" : ""}">${count}${limit === null ? "" : html` of ${limit}`}${filtered ? html`, ${data.length}${next === null ? "" : "+"} shown` : ""}</span></h2>
    ${full ? html`<p class="late">At its limit of ${counted(limit, "issue")}.</p>` : ""}
    <ul class="column-cards">${data.map((issue) => card(issue, about))}</ul>
    ${next === null ? "" : html`<p><a href="${address(base, { ...wanted, column: id, cursor: next })}">More of ${name}</a></p>`}
    ${about.mayWrite ? createForm(status, about) : ""}</section>`;
}

/** Opens the form that moves a card. One form for each card would double the page. */
const moveLink = ({ key }: IssueView, { base, wanted, moving }: About): Html =>
  html`<a class="dots" href="${address(base, { ...wanted, move: key === moving ? null : key })}#card-${key}" aria-label="Move ${key}"${key === moving ? html` aria-expanded="true"` : ""}>⋯</a>`;

const moveForm = (issue: IssueView, { base, statuses, wanted }: About): Html =>
  html`<form class="move" method="post" action="${base}/board/move">${keep(wanted)}${hidden("issue", issue.key)}
      <label for="to-${issue.key}">Column</label>
      <select id="to-${issue.key}" name="status_id" autofocus>${statuses.map(({ id, name }) => html`<option value="${id}"${id === issue.status_id ? html` selected` : ""}>${name}</option>`)}</select>
      <div class="row"><button name="position" value="top" class="second">To the top</button>
      <button name="position" value="bottom" class="second">To the bottom</button></div></form>`;

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

const createForm = ({ id, name }: StatusView, { base, wanted }: About): Html =>
  fold(
    html`Add an issue<span class="out"> to ${name}</span>`,
    html`<form method="post" action="${base}/board/create">${onceField()}${keep(wanted)}${hidden("status_id", id)}
      <label for="new-${id}">Title</label><input id="new-${id}" name="title" required maxlength="255"><button>Create</button></form>`,
  );
