import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { SprintView } from "../../../domain/work/planning/views.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { allPeople } from "../issue/read.ts";
import { hidden, select } from "../kit/fields.ts";
import { issueLine } from "../kit/issues.ts";
import { act, empty, facts, fold, pager } from "../kit/pieces.ts";
import { valuesOf } from "../kit/typed.ts";
import { written } from "../kit/written.ts";
import { actions, revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { address } from "./filters.ts";
import { isEditorOf, named, pathOf, projectHead, readProject } from "./head.ts";
import { deleteForm, planPath, progressOf } from "./planned.ts";
import { daysOf, sprintBadge, sprintBody, sprintFields } from "./sprints.ts";

/** A sprint: its goal, how far it is, its issues, and how it starts and ends. */

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
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const cursor = call.query("cursor");
  const params = named(call);
  const [project, sprint, issues, others, people] = await Promise.all([
    readProject(site, call),
    site.perform<SprintView>(call, "sprints.get", { params: at(call) }),
    site.list<IssueView>(call, "issues.list", { params, query: { sprint: at(call).id, limit: "50", cursor } }),
    site.list<SprintView>(call, "sprints.list", { params, query: { limit: "100" } }),
    allPeople(site, call),
  ]);
  const mayWrite = project.archived_at === null && isEditorOf(call, project);
  const base = pathOf(call);
  const shown = { now: call.here.now, base: `/w/${call.here.workspace.slug}`, people };
  const { progress, committed } = sprint;
  return {
    title: `${sprint.name} of ${project.name}`,
    status: refusal?.status ?? 200,
    live: { project: project.id, kinds: ["sprint", "issue"] },
    body: html`${projectHead(call, project, "/sprints")}${refusal ? problemBox(refusal) : ""}
      <div class="headline"><h2>${sprint.name}</h2>${mayWrite ? nextStep(call, sprint, others.data) : ""}</div>
      ${facts([
        ["State", sprintBadge(sprint)],
        ["Days", daysOf(sprint)],
        ["Done", progressOf(sprint)],
        ["Points", progress.points > 0 ? `${progress.done_points} of ${counted(progress.points, "point")}` : null],
        ["Room for", sprint.capacity_points === null ? null : counted(sprint.capacity_points, "point")],
        [
          "At its start",
          committed
            ? `${counted(committed.issues, "issue")}${committed.points > 0 ? `, ${counted(committed.points, "point")}` : ""}`
            : null,
        ],
      ])}
      ${sprint.goal ? html`<h3>Goal</h3>${written(call.here, sprint.goal, project)}` : ""}
      <p class="row"><a href="${address(base, { sprint: sprint.id })}">Its board</a> <a href="${address(`${base}/reports`, { sprint: sprint.id })}">Its burndown</a>
      ${mayWrite && sprint.status !== "completed" ? html`<a href="${address(`${base}/new`, { sprint_id: sprint.id })}">New issue in it</a>` : ""}</p>
      ${issues.data.length === 0 ? empty("No issues in this sprint", html`Choose some in the <a href="${base}/backlog">backlog</a>.`) : html`<ul class="lines">${issues.data.map((issue) => issueLine(issue, shown))}</ul>`}
      ${pager(issues.next === null ? null : address(own(call), { cursor: issues.next }), { first: own(call), isFirst: cursor === "", what: "issues" })}
      ${mayWrite ? editForm(call, project, sprint, refusal) : ""}`,
  };
}

/** The one thing that comes next for the sprint. */
function nextStep(call: WorkspaceCall, sprint: SprintView, all: readonly SprintView[]): Html {
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
