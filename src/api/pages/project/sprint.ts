import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { SprintView } from "../../../domain/work/planning/views.ts";
import type { StatusView } from "../../../domain/work/projects/status-view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import type { ReportView } from "../../../domain/work/reports/views.ts";
import { allPeople, unlessRefused } from "../issue/read.ts";
import { hidden, select } from "../kit/fields.ts";
import { act, facts, fold } from "../kit/pieces.ts";
import { exactly } from "../kit/times.ts";
import { valuesOf } from "../kit/typed.ts";
import { written } from "../kit/written.ts";
import { reportPicture } from "../reports/picture.ts";
import { reportTable } from "../reports/table.ts";
import { actions, revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { boardActions } from "./board-actions.ts";
import { readNames, type SprintChoice } from "./choices.ts";
import { board, readColumns } from "./columns.ts";
import { address } from "./filters.ts";
import { isEditorOf, named, pathOf, projectHead, readProject } from "./head.ts";
import { deleteForm, planPath, progressOf } from "./planned.ts";
import { daysOf, sprintBadge, sprintBody, sprintFields } from "./sprints.ts";

/** A sprint: its goal, how far it is, its board, and how it starts and ends. */

const PATH = planPath("sprints/:sprint");
const at = (call: WorkspaceCall) => ({ ...named(call), id: call.params.sprint ?? "" });
const own = (call: WorkspaceCall) => `${pathOf(call)}/sprints/${call.params.sprint}`;

export function sprintPage(site: Site): void {
  site.workspace("get", PATH, (call) => show(site, call));
  const change = (body: (call: WorkspaceCall) => object, said: (sprint: SprintView) => string) => ({
    operation: "sprints.patch",
    input: (call: WorkspaceCall) => ({ params: at(call), body: body(call) }),
    to: own,
    said,
  });
  actions(site, PATH, (call, refusal) => show(site, call, refusal), {
    save: change(sprintBody, ({ name }) => `${name} is saved.`),
    start: change(
      () => ({ status: "active" }),
      ({ name, demoted_sprint_id }) =>
        `${name} is started.${demoted_sprint_id ? " The sprint that was active is planned again." : ""}`,
    ),
    complete: change(
      ({ form }) => ({ status: "completed", move_open_issues_to: form.text("move_open_issues_to") || null }),
      ({ name }) => `${name} is completed.`,
    ),
    reopen: change(
      () => ({ status: "planned" }),
      ({ name }) => `${name} is planned again.`,
    ),
    delete: {
      operation: "sprints.delete",
      input: (call) => ({ params: at(call) }),
      to: (call) => `${pathOf(call)}/sprints`,
      said: "The sprint is deleted. Its issues are in the backlog.",
    },
  });
  boardActions(site, `${PATH}/board`, (call, refusal) => show(site, call, refusal), {
    page: own,
    made: (call) => ({ sprint_id: at(call).id }),
  });
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const params = named(call);
  const { id } = at(call);
  const [project, sprint, statuses, burndown, others, people] = await Promise.all([
    readProject(site, call),
    site.perform<SprintView>(call, "sprints.get", { params: at(call) }),
    site.perform<StatusView[]>(call, "statuses.list", { params }),
    // Some plans have no reports.
    unlessRefused(
      site.perform<ReportView>(call, "reports.get", {
        params: { ...params, report: "burndown" },
        query: { sprint: id },
      }),
      null,
    ),
    readNames(site, call, "sprints.list"),
    allPeople(site, call),
  ]);
  const columns = await readColumns(site, call, { statuses, wanted: { sprint: id } });
  const base = pathOf(call);
  const path = own(call);
  const isOpen = project.archived_at === null && isEditorOf(call, project);
  const mayWrite = isOpen && sprint.status !== "completed";
  const cards = { now: call.here.now, base: `/w/${call.here.workspace.slug}`, people };
  const ofBoard = call.request.path.startsWith(`${path}/board/`);
  const only = call.query("column") !== "";
  const isEmpty = columns.every(({ issues }) => issues.data.length === 0) && !only;
  return {
    title: `${sprint.name} of ${project.name}`,
    status: refusal?.status ?? 200,
    wide: true,
    live: { project: project.id },
    body: html`${projectHead(call, project, "/sprints")}${refusal && !ofBoard ? problemBox(refusal) : ""}
      <div class="headline"><h2>${sprint.name}</h2>${isOpen ? nextStep(call, sprint, others) : ""}</div>
      <div class="with-picture"><div>${sprintFacts(sprint)}
      ${sprint.goal ? html`<h3>Goal</h3>${await written(call.here, sprint.goal, project)}` : ""}</div>
      ${sprint.status !== "planned" && burndown?.data ? pictureOf(burndown, base, id) : ""}</div>
      <div class="headline"><h3>${only ? html`<a href="${path}">All columns of its board</a>` : "Its board"}</h3>
      <p class="row"><a href="${address(`${base}/list`, { sprint: id })}">As a list</a>${mayWrite ? html` <a href="${base}/backlog">Add from the backlog</a>` : ""}</p></div>
      ${isEmpty ? html`<p class="quiet">No issue is in this sprint yet.</p>` : ""}
      ${board(call, columns, { path, wanted: {}, statuses, project, isPart: true, cards, mayWrite, refusal })}
      ${isOpen ? editForm(call, project, sprint, refusal) : ""}`,
  };
}

function sprintFacts(sprint: SprintView): Html {
  const { progress, committed, capacity_points: capacity } = sprint;
  const points = (count: number) => (count > 0 ? `, ${counted(count, "point")}` : "");
  return facts([
    ["State", sprintBadge(sprint)],
    ["Days", daysOf(sprint)],
    ["Started", sprint.started_at && exactly(sprint.started_at)],
    ["Completed", sprint.completed_at && exactly(sprint.completed_at)],
    ["Done", progressOf(sprint)],
    ["Points", progress.points > 0 ? `${progress.done_points} of ${counted(progress.points, "point")}` : null],
    ["Room for", capacity === null ? null : counted(capacity, "point")],
    ["At its start", committed ? `${counted(committed.issues, "issue")}${points(committed.points)}` : null],
  ]);
}

const pictureOf = (burndown: ReportView, base: string, sprint: string): Html =>
  html`<div>${reportPicture(burndown, { path: `${base}/reports/burndown`, query: { sprint }, wide: 500 })}
    ${fold("The numbers of the burndown", reportTable(burndown, "Burndown", base))}</div>`;

/** The one thing that comes next for the sprint. */
function nextStep(call: WorkspaceCall, sprint: SprintView, all: readonly SprintChoice[]): Html {
  const { id, name, status, progress } = sprint;
  const path = own(call);
  const revision = html`${revisionField(sprint)}`;
  if (status === "completed") return act(`${path}/reopen`, "Plan it again", { fields: revision });
  if (status === "planned") {
    const active = all.find((other) => other.status === "active" && other.id !== id);
    if (!active) return act(`${path}/start`, "Start the sprint", { second: false, fields: revision });
    return askFirst({
      ask: "Start the sprint",
      action: `${path}/start`,
      consequence: `A project has one active sprint: ${active.name} goes back to planned.`,
      confirm: `Start “${name}”`,
      fields: revision,
    });
  }
  const open = progress.total - progress.done - progress.failed - progress.cancelled;
  const targets = all.filter((other) => other.id !== id && other.status !== "completed");
  return fold(
    "Complete the sprint",
    html`<form method="post" action="${path}/complete">${revision}
      ${
        open > 0
          ? select({
              name: "move_open_issues_to",
              label: `Its ${open === 1 ? "open issue goes" : `${open} open issues go`} to`,
              required: true,
              value: targets[0]?.id ?? "backlog",
              options: [
                ...targets.map((target) => ({ value: target.id, label: target.name })),
                { value: "backlog", label: "The backlog" },
              ],
            })
          : hidden("move_open_issues_to", "")
      }<button>Complete “${name}”</button></form>`,
  );
}

function editForm(call: WorkspaceCall, project: ProjectView, sprint: SprintView, refusal?: Refusal): Html {
  const refused = call.request.path.endsWith("/save") ? refusal : undefined;
  return html`${fold(
    "Change or delete this sprint",
    html`<form class="narrow" method="post" action="${own(call)}/save">${revisionField(sprint)}
      ${sprintFields(sprint, valuesOf(call.form, refused), project.estimation_unit, "edit-")}
      <button class="second">Save</button></form>${deleteForm(`${own(call)}/delete`, "sprint", sprint.name)}`,
    { open: refused !== undefined },
  )}`;
}
