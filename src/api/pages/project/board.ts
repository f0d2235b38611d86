import type { Refusal } from "../../../domain/kernel/errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import type { PageAnswer, Site, WorkspaceCall } from "../site/site.ts";
import { boardActions } from "./board-actions.ts";
import { readChoices } from "./choices.ts";
import { board, readColumns } from "./columns.ts";
import { address, BOARD_FILTERS, filterChips, filterForm, wantedOf } from "./filters.ts";
import { isEditorOf, PROJECT, pathOf, projectHead, readProject } from "./head.ts";
import { readAhead, sprintLine } from "./sprint-line.ts";

/** The board of a project. */

export function boardPage(site: Site): void {
  site.workspace("get", PROJECT, (call) => show(site, call));
  boardActions(site, `${PROJECT}/board`, (call, refusal) => show(site, call, refusal), { page: pathOf });
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const [project, all] = await Promise.all([readProject(site, call), readChoices(site, call)]);
  const { statuses } = all;
  const wanted = wantedOf(call, BOARD_FILTERS);
  const active = all.sprints.find(({ status }) => status === "active");
  const [columns, sprint] = await Promise.all([
    readColumns(site, call, { statuses, wanted }),
    readAhead(site, call, active),
  ]);
  const path = pathOf(call);
  const mayWrite = project.archived_at === null && isEditorOf(call, project);
  const cards = { now: call.here.now, base: `/w/${call.here.workspace.slug}`, people: all.people };
  const filter = { wanted, names: BOARD_FILTERS, all, path };
  return {
    title: project.name,
    status: refusal?.status ?? 200,
    wide: true,
    live: { project: project.id },
    body: html`${projectHead(call, project, "", mayWrite ? html`<a class="button" href="${path}/new">New issue</a>` : "")}
      ${sprint ? sprintLine(sprint, path) : ""}
      ${call.query("column") === "" ? html`${filterForm(filter)}${filterChips(filter)}` : html`<p><a href="${address(path, wanted)}">The whole board</a></p>`}
      ${board(call, columns, { path, wanted, statuses, project, cards, mayWrite, refusal })}`,
  };
}
