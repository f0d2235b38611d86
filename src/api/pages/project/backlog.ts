import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { SprintView } from "../../../domain/work/planning/views.ts";
import { allPeople } from "../issue/read.ts";
import { select } from "../kit/fields.ts";
import { issueLine } from "../kit/issues.ts";
import { empty, pager } from "../kit/pieces.ts";
import { words } from "../kit/words.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { openOnes } from "./choices.ts";
import { address } from "./filters.ts";
import { isEditorOf, named, pathOf, projectHead, readProject } from "./head.ts";
import { planPath } from "./planned.ts";

/** Open issues that are in no sprint, and how several of them get into one. */

const PAGE = 50;

export function backlogPage(site: Site): void {
  site.workspace("get", planPath("backlog"), (call) => show(site, call));
  site.workspace("post", planPath("backlog/plan"), async (call): Promise<PageAnswer> => {
    const keys = call.form.all("issue").slice(0, PAGE);
    let planned = 0;
    try {
      for (const issueKey of keys) {
        await site.perform(call, "issues.patch", {
          params: { ...named(call), issueKey },
          body: { sprint_id: call.form.text("sprint_id") },
        });
        planned++;
      }
    } catch (error) {
      // The first ones are in the sprint already: the page shows the rest.
      return show(site, call, { refusal: refusalOf(error), planned });
    }
    const said = keys.length === 0 ? "Choose some issues first." : `${counted(planned, "issue")} put into the sprint.`;
    return { to: `${pathOf(call)}/backlog`, said };
  });
}

type Failed = { refusal: Refusal; planned: number };

async function show(site: Site, call: WorkspaceCall, failed?: Failed): Promise<PageAnswer> {
  const cursor = call.query("cursor");
  const params = named(call);
  const query = { sprint: "none", status: "backlog,todo,in_progress,in_review", limit: String(PAGE), cursor };
  const [project, issues, sprints, people] = await Promise.all([
    readProject(site, call),
    site.list<IssueView>(call, "issues.list", { params, query }),
    site.list<SprintView>(call, "sprints.list", { params, query: { limit: "100" } }),
    allPeople(site, call),
  ]);
  const base = pathOf(call);
  const path = `${base}/backlog`;
  const mayWrite = project.archived_at === null && isEditorOf(call, project);
  const open = openOnes(sprints.data);
  const chosen = call.form.all("issue");
  const shown = { now: call.here.now, base: `/w/${call.here.workspace.slug}`, people };
  const pick = (issue: IssueView): Html =>
    html`<input type="checkbox" name="issue" value="${issue.key}" aria-label="Choose ${issue.key}"${chosen.includes(issue.key) ? html` checked` : ""}>`;
  const picks = mayWrite && open.length > 0;
  const lines = html`<ul class="lines">${issues.data.map((issue) => issueLine(issue, shown, picks ? pick(issue) : ""))}</ul>`;
  return {
    title: `Backlog of ${project.name}`,
    status: failed?.refusal.status ?? 200,
    wide: true,
    live: { project: project.id, kinds: ["issue", "sprint"] },
    body: html`${projectHead(call, project, "/backlog", mayWrite ? html`<a class="button" href="${base}/new">New issue</a>` : "")}
      ${failed ? html`${problemBox(failed.refusal)}${failed.planned > 0 ? html`<p>${counted(failed.planned, "issue")} put into the sprint before that.</p>` : ""}` : ""}
      ${
        issues.data.length === 0
          ? empty("The backlog is empty", "Open issues that are in no sprint stand here.")
          : picks
            ? html`<form method="post" action="${path}/plan">${lines}
          <div class="row">${select({ name: "sprint_id", label: "Put the chosen issues into", required: true, value: call.form.text("sprint_id"), options: open.map((sprint) => ({ value: sprint.id, label: `${sprint.name} (${words(sprint.status).toLowerCase()})` })) })}<button class="second">Put into the sprint</button></div></form>`
            : html`${lines}${mayWrite ? html`<p>To plan these issues, make a <a href="${base}/sprints">sprint</a>.</p>` : ""}`
      }
      ${pager(issues.next === null ? null : address(path, { cursor: issues.next }), { first: path, isFirst: cursor === "", what: "issues" })}`,
  };
}
