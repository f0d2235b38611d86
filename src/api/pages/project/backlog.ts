import { counted } from "../../../domain/kernel/counted.ts";
import { type Refusal, refuse } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import { allPeople } from "../issue/read.ts";
import { hidden, type Option, select } from "../kit/fields.ts";
import { issueLine } from "../kit/issues.ts";
import { besideOf, placeOf } from "../kit/order.ts";
import { empty, pager } from "../kit/pieces.ts";
import { words } from "../kit/words.ts";
import { actions } from "../site/actions.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { openOnes, readNames, type SprintChoice } from "./choices.ts";
import { address } from "./filters.ts";
import { isEditorOf, named, pathOf, projectHead, readProject } from "./head.ts";
import { planPath } from "./planned.ts";
import { readAhead, sprintLine } from "./sprint-line.ts";

/** Open issues that are in no sprint, in an order that people choose, and how they get into a sprint. */

const PAGE = 50;
const BACKLOG = { sprint: "none", status: "backlog,todo,in_progress,in_review" };

const pageOf = (call: WorkspaceCall): string =>
  address(`${pathOf(call)}/backlog`, { cursor: call.form.text("cursor") });
const issueOf = (call: WorkspaceCall) => ({ ...named(call), issueKey: call.form.text("issue") });

export function backlogPage(site: Site): void {
  const path = planPath("backlog");
  site.workspace("get", path, (call) => show(site, call));
  site.workspace("post", `${path}/plan`, (call) => plan(site, call));
  actions(site, path, (call, refusal) => show(site, call, { refusal, planned: 0 }), {
    move: {
      operation: "issues.patch",
      input: async (call) => ({ params: issueOf(call), body: await placeIn(site, call) }),
      to: whereMoved,
      said: ({ key }: IssueView) => `${key} is moved.`,
    },
    sprint: {
      operation: "issues.patch",
      input: (call) => ({ params: issueOf(call), body: { sprint_id: call.form.text("sprint_id") } }),
      to: pageOf,
      said: ({ key }: IssueView) => `${key} is in the sprint now.`,
    },
  });
}

/** After the menu it stays open, with the focus where it was, for the next move. */
function whereMoved(call: WorkspaceCall): string {
  const [issue, place] = [call.form.text("issue"), call.form.text("place")];
  if (!place.includes(":")) return `${pageOf(call)}#line-${issue}`;
  const way = place.startsWith("after:") ? "down" : "up";
  return address(`${pathOf(call)}/backlog`, { cursor: call.form.text("cursor"), move: issue, way });
}

/** Beside another issue. Dragging says which one is above. */
async function placeIn(site: Site, call: WorkspaceCall): Promise<object> {
  const { form } = call;
  if (form.text("after") !== "") return { after: form.text("after") };
  if (form.text("before") !== "") return { before: form.text("before") };
  if (form.text("place") !== "top") return placeOf(form);
  const query = { ...BACKLOG, limit: "1" };
  const [first] = (await site.list<IssueView>(call, "issues.list", { params: named(call), query })).data;
  return first && first.key !== form.text("issue") ? { before: first.key } : {};
}

/** Puts several issues into a sprint, one after the other. */
async function plan(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const keys = call.form.all("issue").slice(0, PAGE);
  let planned = 0;
  try {
    if (keys.length === 0) refuse("validation_failed", { message: "Choose some issues first." });
    for (const issueKey of keys) {
      const body = { sprint_id: call.form.text("sprint_id") };
      await site.perform(call, "issues.patch", { params: { ...named(call), issueKey }, body });
      planned++;
    }
  } catch (error) {
    // The first ones are in the sprint already: the page shows the rest.
    return show(site, call, { refusal: refusalOf(error), planned });
  }
  return { to: pageOf(call), said: `${counted(planned, "issue")} put into the sprint.` };
}

type Failed = { refusal: Refusal; planned: number };

async function show(site: Site, call: WorkspaceCall, failed?: Failed): Promise<PageAnswer> {
  const cursor = call.form.text("cursor") || call.query("cursor");
  const params = named(call);
  const query = { ...BACKLOG, limit: String(PAGE), cursor };
  const [project, issues, { open, first }, people] = await Promise.all([
    readProject(site, call),
    site.list<IssueView>(call, "issues.list", { params, query }),
    readOpen(site, call),
    allPeople(site, call),
  ]);
  const base = pathOf(call);
  const path = `${base}/backlog`;
  const mayWrite = project.archived_at === null && isEditorOf(call, project);
  const shown = { now: call.here.now, base: `/w/${call.here.workspace.slug}`, people };
  const keys = issues.data.map(({ key }) => key);
  const about: About = {
    ...{ path, cursor, keys, sprints: open.map(optionOf) },
    way: call.query("way"),
    moving: call.request.path.endsWith("/plan") ? "" : call.form.text("issue") || call.query("move"),
    chosen: call.request.path.endsWith("/plan") ? call.form.all("issue") : [],
  };
  const line = (issue: IssueView): Html =>
    issueLine(issue, shown, mayWrite ? { pick: open.length > 0 ? pick(issue, about) : "", ...menu(issue, about) } : {});
  const drag = html` data-move="${path}/move" data-cursor="${cursor}"`;
  return {
    title: `Backlog of ${project.name}`,
    status: failed?.refusal.status ?? 200,
    wide: true,
    live: { project: project.id, kinds: ["issue", "sprint"] },
    body: html`${projectHead(call, project, "/backlog", mayWrite ? html`<a class="button" href="${base}/new">New issue</a>` : "")}
      ${failed ? html`${problemBox(failed.refusal)}${failed.planned > 0 ? html`<p>${counted(failed.planned, "issue")} put into the sprint before that.</p>` : ""}` : ""}
      ${first ? sprintLine(first, base) : ""}
      ${issues.data.length === 0 ? empty("The backlog is empty", "Open issues that are in no sprint stand here.") : html`<ul class="lines"${mayWrite ? drag : ""}>${issues.data.map(line)}</ul>`}
      ${pager(issues.next === null ? null : address(path, { cursor: issues.next }), { first: path, isFirst: cursor === "", what: "issues" })}
      ${mayWrite && issues.data.length > 0 ? planForm(call, about, base) : ""}${mayWrite ? html`<script src="/assets/drag.js" defer></script>` : ""}`,
  };
}

/** The sprints that issues can be put into, and the one that is going on or comes next. */
async function readOpen(site: Site, call: WorkspaceCall) {
  const open = openOnes(await readNames(site, call, "sprints.list"));
  const first = open.find(({ status }) => status === "active") ?? open[0];
  return { open, first: await readAhead(site, call, first) };
}

type About = {
  path: string;
  cursor: string;
  /** Of the issues on the page, in their order. */
  keys: readonly string[];
  sprints: Option[];
  /** Key of the issue whose menu is open. */
  moving: string;
  /** The way that it was moved last. */
  way: string;
  chosen: readonly string[];
};

const optionOf = ({ id, name, status }: SprintChoice): Option => ({
  value: id,
  label: `${name} (${words(status).toLowerCase()})`,
});

const pick = ({ key }: IssueView, { chosen }: About): Html =>
  html`<input type="checkbox" form="plan" name="issue" value="${key}" aria-label="Choose ${key}"${chosen.includes(key) ? html` checked` : ""}>`;

function planForm(call: WorkspaceCall, { path, cursor, sprints }: About, base: string): Html {
  if (sprints.length === 0) return html`<p>To plan these issues, make a <a href="${base}/sprints">sprint</a>.</p>`;
  return html`<form id="plan" class="narrow" method="post" action="${path}/plan">${hidden("cursor", cursor)}
    <div class="row">${select({ name: "sprint_id", label: "Put the chosen issues into", required: true, value: call.form.text("sprint_id"), options: sprints })}<button class="second">Put into the sprint</button></div></form>`;
}

/** The link that opens the menu of an issue, and the menu. One menu for each issue would double the page. */
function menu(issue: IssueView, about: About): { menu: Html; more: Html | string } {
  const { key } = issue;
  const { path, cursor } = about;
  const isOpen = key === about.moving;
  const href = isOpen ? `${address(path, { cursor })}#line-${key}` : address(path, { cursor, move: key });
  return {
    menu: html`<a class="dots" href="${href}" aria-label="Move ${key}"${isOpen ? html` aria-expanded="true"` : ""}>⋯</a>`,
    more: isOpen ? menuForms(key, about) : "",
  };
}

function menuForms(key: string, { path, cursor, keys, sprints, way }: About): Html {
  const { above, below } = besideOf(keys, keys.indexOf(key));
  const focused = (way === "down" || !above) && below ? "down" : "up";
  const button = (label: string, value: string, focus = false) =>
    html`<button class="second" name="place" value="${value}"${focus ? html` autofocus` : ""}>${label}</button>`;
  const same = html`${hidden("issue", key)}${hidden("cursor", cursor)}`;
  return html`<div class="line-menu"><form class="row" method="post" action="${path}/move" aria-label="Move ${key}">${same}
      ${above ? button("Up", `before:${above}`, focused === "up") : ""}${below ? button("Down", `after:${below}`, focused === "down") : ""}${above || cursor ? button("To the top", "top") : ""}</form>
    ${sprints.length === 0 ? "" : html`<form class="inline-form" method="post" action="${path}/sprint">${same}${select({ name: "sprint_id", label: "Sprint", required: true, options: sprints, prefix: "menu-" })}<button class="second">Put into it</button></form>`}</div>`;
}
