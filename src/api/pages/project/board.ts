import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { StatusView } from "../../../domain/work/projects/status-view.ts";
import { hidden } from "../kit/fields.ts";
import { issueCard, type Shown } from "../kit/issues.ts";
import { fold } from "../kit/pieces.ts";
import { counted } from "../kit/words.ts";
import { actions } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { named, PROJECT, pathOf, projectHead, readProject } from "./head.ts";

/** The board of a project. A column shows its first cards; the rest are a page of the column. */

const CARDS = 20;

type List<T> = { data: T[]; pagination: { next_cursor: string | null } };

export function boardPage(site: Site): void {
  site.workspace("get", PROJECT, (call) => show(site, call));
  const to = (call: WorkspaceCall) => pathOf(call);

  actions(site, `${PROJECT}/board`, (call, refusal) => show(site, call, refusal), {
    create: {
      operation: "issues.create",
      input: (call) => ({
        params: named(call),
        body: { title: call.form.text("title"), status_id: call.form.text("status_id") },
      }),
      to: (call) => `${to(call)}#column-${call.form.text("status_id")}`,
      said: (made: IssueView) => `${made.key} is created.`,
    },
    move: {
      operation: "issues.transition",
      input: (call) => ({
        params: { ...named(call), issueKey: call.form.text("issue") },
        body: placeOf(call),
      }),
      to: (call) => `${to(call)}#card-${call.form.text("issue")}`,
      said: (moved: IssueView) => `${moved.key} is in ${moved.status_name ?? moved.status} now.`,
    },
  });
}

/** From the menu: a column, and its top or bottom. From dragging: a column, and the card above. */
function placeOf({ form }: WorkspaceCall) {
  const after = form.text("after");
  return { status_id: form.text("status_id"), ...(after ? { after } : { position: form.text("position") || "top" }) };
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const [project, statuses] = await Promise.all([
    readProject(site, call),
    site.perform<StatusView[]>(call, "statuses.list", { params: named(call) }),
  ]);
  const only = call.query("column");
  const shown = only === "" ? statuses : statuses.filter(({ id }) => id === only);
  const columns = await Promise.all(
    shown.map(async (status) => ({ status, issues: await cardsOf(site, call, status, only !== "") })),
  );
  const base = pathOf(call);
  const cards: Shown = { now: call.here.now, base: `/w/${call.here.workspace.slug}` };
  return {
    title: project.name,
    status: refusal?.status ?? 200,
    wide: true,
    body: html`${projectHead(call, project, "")}${refusal ? problemBox(refusal) : ""}
      ${only === "" ? "" : html`<p><a href="${base}">The whole board</a></p>`}
      <div class="board" data-move="${base}/board/move" tabindex="0" role="region" aria-label="Board">
        ${columns.map(({ status, issues }) => column(status, issues, { base, statuses, cards, mayWrite: project.archived_at === null }))}
      </div>`,
  };
}

function cardsOf(site: Site, call: WorkspaceCall, { id }: StatusView, isOnly: boolean): Promise<List<IssueView>> {
  const query = {
    status: id,
    limit: String(isOnly ? 100 : CARDS),
    ...(isOnly ? { cursor: call.query("cursor") } : {}),
  };
  return site.perform(call, "issues.list", { params: named(call), query });
}

type About = { base: string; statuses: StatusView[]; cards: Shown; mayWrite: boolean };

function column(
  status: StatusView,
  { data, pagination }: List<IssueView>,
  { base, statuses, cards, mayWrite }: About,
): Html {
  const { id, name, issue_count: count, wip_limit: limit } = status;
  const full = limit !== null && count >= limit;
  const next = pagination.next_cursor;
  return html`<section id="column-${id}" data-status="${id}" aria-labelledby="name-${id}">
    <h2 id="name-${id}"><svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${status.color}"/></svg>
      ${name} <span class="quiet${full ? " late" : ""}">${count}${limit === null ? "" : html` of ${limit}`}</span></h2>
    ${full ? html`<p class="late">At its limit of ${counted(limit, "issue")}.</p>` : ""}
    <ul class="column-cards">${data.map((issue) => issueCard(issue, cards, mayWrite ? moveMenu(issue, base, statuses) : ""))}</ul>
    ${next === null ? "" : html`<p><a href="${base}?column=${id}&cursor=${next}">More of ${name}</a></p>`}
    ${mayWrite ? createForm(status, base) : ""}</section>`;
}

function moveMenu(issue: IssueView, base: string, statuses: readonly StatusView[]): Html {
  return fold(
    html`Move<span class="out"> ${issue.key}</span>`,
    html`<form method="post" action="${base}/board/move">${hidden("issue", issue.key)}
      <label for="to-${issue.key}">Column</label>
      <select id="to-${issue.key}" name="status_id">${statuses.map(({ id, name }) => html`<option value="${id}"${id === issue.status_id ? html` selected` : ""}>${name}</option>`)}</select>
      <button name="position" value="top" class="second">To the top</button>
      <button name="position" value="bottom" class="second">To the bottom</button></form>`,
  );
}

const createForm = ({ id, name }: StatusView, base: string): Html =>
  fold(
    html`Add an issue<span class="out"> to ${name}</span>`,
    html`<form method="post" action="${base}/board/create">${onceField()}${hidden("status_id", id)}
      <label for="new-${id}">Title</label><input id="new-${id}" name="title" required maxlength="255"><button>Create</button></form>`,
  );
