import type { WorkflowRunView } from "../../../domain/automation/workflow-runs/view.ts";
import type { WorkflowDetailView, WorkflowView } from "../../../domain/automation/workflows/view.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import { hidden, textArea, textField } from "../kit/fields.ts";
import { picture } from "../kit/pictures.ts";
import { act, badge, crumbs, empty, facts, fold, pager, type Tone } from "../kit/pieces.ts";
import { table } from "../kit/tables.ts";
import { ago } from "../kit/times.ts";
import { words } from "../kit/words.ts";
import { actions, revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import type { List, PerformInput } from "../site/perform.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { jsonField, readJson } from "./json.ts";
import { readNames } from "./names.ts";
import { workflowState } from "./workflows.ts";

/** A workflow: its picture, its runs, and its graph as JSON. */

const PATH = "/w/:slug/workflows/:id";

const pathOf = ({ here, params }: WorkspaceCall) =>
  `/w/${here.workspace.slug}/workflows/${encodeURIComponent(params.id ?? "")}`;

export function workflowPage(site: Site): void {
  site.workspace("get", PATH, (call) => show(site, call));
  actions(site, PATH, (call, refusal) => show(site, call, refusal), {
    change: {
      operation: "workflows.patch",
      input: ({ form }) => ({ body: { name: form.text("name"), description: form.text("description") || null } }),
      to: pathOf,
      said: "The workflow is changed.",
    },
    graph: {
      operation: "workflows.graph",
      input: ({ form }) => ({ body: { ...readJson(form), if_version: Number(form.text("version")) } }),
      to: pathOf,
      said: ({ valid }: WorkflowView) =>
        valid ? "The graph is saved. Open runs keep theirs." : "The graph is saved as a draft; it has problems.",
    },
    status: {
      operation: "workflows.patch",
      input: ({ form }) => ({ body: { status: form.text("status") } }),
      to: pathOf,
      said: ({ status }: WorkflowView) =>
        status === "enabled" ? "The workflow is enabled." : "The workflow is a draft again. Open runs go on.",
    },
    delete: {
      operation: "workflows.delete",
      input: ({ form }) => ({ query: { cancel_runs: String(form.text("cancel_runs") === "true") } }),
      to: ({ here }) => `/w/${here.workspace.slug}/workflows`,
      said: "The workflow is deleted.",
    },
  });
}

/** The picture of a workflow or a run. The page is there without it if the renderer is busy. */
export async function drawing(site: Site, call: WorkspaceCall, operation: string, input: PerformInput): Promise<Html> {
  try {
    const svg = await site.picture(call, operation, input);
    return picture(svg, "The stages are listed below.");
  } catch (error) {
    if (refusalOf(error).status !== 503) throw error;
    return html`<p class="quiet">The picture takes too long right now. Reload the page in a moment.</p>`;
  }
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { here, query } = call;
  const input = { params: { id: call.params.id ?? "" } };
  const [workflow, runs, names] = await Promise.all([
    site.perform<WorkflowDetailView>(call, "workflows.get", input),
    site.list<WorkflowRunView>(call, "workflow-runs.list", {
      ...input,
      query: { limit: "50", cursor: query("cursor") },
    }),
    readNames(site, call),
  ]);
  const drawn = workflow.nodes.length > 0 ? await drawing(site, call, "workflows.get", input) : html``;
  const base = pathOf(call);
  const refused = refusal && { form: call.form, refusal };
  const sent = call.request.path.endsWith("/graph") ? refused : undefined;
  const change = call.request.path.endsWith("/change") ? refused : undefined;
  return {
    title: workflow.name,
    status: refusal?.status ?? 200,
    body: html`${crumbs([`/w/${here.workspace.slug}/workflows`, "Workflows"])}
      <div class="headline"><h1>${workflow.name}</h1>${workflowState(workflow)}</div>
      ${refusal && !sent ? problemBox(refusal) : ""}
      ${workflow.description ? html`<p>${workflow.description}</p>` : ""}
      ${facts([
        ["Project", workflow.project_id ? (names.get(workflow.project_id) ?? "another") : "All"],
        ["Version", String(workflow.version)],
        [
          "Made",
          html`${ago(workflow.created_at, here.now)} by ${names.get(workflow.created_by) ?? "someone who left"}`,
        ],
        ["In it now", counted(workflow.in_flight_runs, "issue")],
      ])}
      ${problems(workflow)}${drawn}${stages(workflow, names)}
      ${isAdmin(here.principal.role) ? steering(workflow, base, { sent, change }) : ""}
      ${runsOf(runs, base, call, names)}`,
  };
}

const problems = ({ problems: all, status }: WorkflowView): Html | string =>
  all.length === 0
    ? ""
    : html`<div class="notice info" role="status"><p class="as-label">${status === "enabled" ? "It has problems" : "It cannot be enabled yet"}</p><ul>${all.map(({ message }) => html`<li>${message}</li>`)}</ul></div>`;

const stages = ({ nodes, edges }: WorkflowDetailView, names: ReadonlyMap<string, string>): Html => {
  const titles = new Map(nodes.map(({ id, label, kind }) => [id, label ?? (id === kind ? words(kind) : id)]));
  const after = (id: string) =>
    edges
      .filter((edge) => edge.source_node_id === id)
      .map((edge) => `${edge.branch_label ? `${edge.branch_label}: ` : ""}${titles.get(edge.target_node_id)}`)
      .join(", ");
  return fold(
    `The stages (${nodes.length})`,
    table(
      ["Stage", "Kind", "Who", "Then"],
      nodes.map(({ id, kind, assignee_user_id: who }) => [
        titles.get(id) ?? id,
        words(kind),
        who ? (names.get(who) ?? "someone who left") : "",
        after(id),
      ]),
    ),
  );
};

const GRAPH_HINT = html`<p class="quiet">Stages (<code>nodes</code>) and the ways between them (<code>edges</code>).
  Saving makes a new version. <a href="/docs">The API reference</a> lists the kinds of stages; problems appear here.</p>`;

type Sent = Parameters<typeof jsonField>[0]["sent"];

function steering(workflow: WorkflowDetailView, base: string, { sent, change }: { sent: Sent; change: Sent }): Html {
  const typed = (field: "name" | "description") => (change ? change.form.text(field) : workflow[field]);
  const { nodes, edges, status, name, version, in_flight_runs: open } = workflow;
  const to = status === "enabled" ? "draft" : "enabled";
  return html`<div class="acts">${act(`${base}/status`, to === "enabled" ? "Enable" : "Disable", { fields: hidden("status", to) })}</div>
    ${fold(
      "Change the graph",
      html`<form method="post" action="${base}/graph">${hidden("version", String(version))}${jsonField({ label: "Graph", value: { nodes, edges }, hint: GRAPH_HINT, sent })}<button>Save the graph</button></form>`,
      { open: sent !== undefined },
    )}
    ${fold(
      "Name and description",
      html`<form method="post" action="${base}/change">${revisionField(workflow)}
        ${textField({ name: "name", label: "Name", value: typed("name"), required: true, max: 120, refusal: change?.refusal })}
        ${textArea({ name: "description", label: "Description", value: typed("description"), rows: 3, max: 500, refusal: change?.refusal })}<button>Save</button></form>`,
      { open: change !== undefined },
    )}
    ${askFirst({
      ask: "Delete",
      action: `${base}/delete`,
      consequence:
        open > 0 ? `${counted(open, "issue")} leave it: their runs are cancelled.` : "Its runs can no longer be read.",
      confirm: `Delete ${name}`,
      ...(open > 0 ? { value: ["cancel_runs", "true"] as [string, string] } : {}),
    })}`;
}

const STATUS: Record<WorkflowRunView["status"], Tone> = {
  running: "warn",
  completed: "good",
  failed: "bad",
  cancelled: "quiet",
};

export const runState = ({ status, waiting }: WorkflowRunView): Html =>
  badge(status === "running" && waiting ? "Waiting" : words(status), STATUS[status]);

function runsOf(
  { data, next }: List<WorkflowRunView>,
  base: string,
  { here, query }: WorkspaceCall,
  names: ReadonlyMap<string, string>,
): Html {
  return html`<section aria-labelledby="runs"><h2 id="runs">Runs</h2>
    ${
      data.length === 0
        ? empty("No runs yet", "An issue starts a workflow on its own page.")
        : table(
            ["Issue", "State", "Where it is", "Started"],
            data.map((run) => [
              html`<a href="/w/${here.workspace.slug}/workflow-runs/${run.id}">${run.issue_key}</a>`,
              runState(run),
              run.current_summary ?? "",
              html`${ago(run.started_at, here.now)} <span class="quiet">by ${names.get(run.started_by) ?? "someone"}</span>`,
            ]),
          )
    }
    ${pager(next && `${base}?cursor=${next}`, { first: base, isFirst: query("cursor") === "", what: "runs" })}</section>`;
}
