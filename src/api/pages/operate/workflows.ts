import type { WorkflowView } from "../../../domain/automation/workflows/view.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import { textField } from "../kit/fields.ts";
import { adding, badge, empty, pager } from "../kit/pieces.ts";
import { table } from "../kit/tables.ts";
import { ago } from "../kit/times.ts";
import { actions } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";

/** The workflows of a workspace. */

const PATH = "/w/:slug/workflows";

/** The smallest graph that does something. People change it on the workflow's page. */
const FIRST = {
  nodes: [
    { id: "start", kind: "start" },
    { id: "review", kind: "person", label: "Review" },
    { id: "end", kind: "end" },
  ],
  edges: [
    { id: "e1", source_node_id: "start", target_node_id: "review" },
    { id: "e2", source_node_id: "review", target_node_id: "end" },
  ],
};

export function workflowsPage(site: Site): void {
  site.workspace("get", PATH, (call) => show(site, call));
  actions(site, PATH, (call, refusal) => show(site, call, refusal), {
    create: {
      operation: "workflows.create",
      input: ({ form }) => ({
        body: { name: form.text("name"), project_id: form.text("project_id") || null, ...structuredClone(FIRST) },
      }),
      to: ({ here }, { id }: WorkflowView) => `/w/${here.workspace.slug}/workflows/${id}`,
      said: ({ name }: WorkflowView) => `${name} is created as a draft. Change its graph, then enable it.`,
    },
  });
}

export function workflowState({ status, disabled_reason, valid }: WorkflowView): Html {
  if (status === "enabled") return badge("Enabled", "good");
  if (disabled_reason === "plan") return badge("Disabled: over the plan's limit", "bad");
  return valid ? badge("Draft", "quiet") : badge("Draft with problems", "warn");
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { here, query } = call;
  const base = `/w/${here.workspace.slug}/workflows`;
  const { data, next } = await site.list<WorkflowView>(call, "workflows.list", {
    query: { limit: "50", cursor: query("cursor") },
  });
  const rows = data.map((one) => [
    html`<a class="broken" href="${base}/${one.id}">${one.name}</a>${one.description ? html`<br><span class="quiet">${one.description}</span>` : ""}`,
    workflowState(one),
    counted(one.in_flight_runs, "issue"),
    ago(one.updated_at, here.now),
  ]);
  return {
    title: "Workflows",
    status: refusal?.status ?? 200,
    body: html`<h1>Workflows</h1>${refusal ? problemBox(refusal) : ""}
      <p class="quiet">A workflow leads an issue through stages: people and agents work, approve and decide.</p>
      ${data.length === 0 ? empty("No workflows yet", "Make one for work that always goes the same way, such as a review and a release.") : table(["Workflow", "State", "In it now", "Changed"], rows)}
      ${pager(next && `${base}?cursor=${next}`, { first: base, isFirst: query("cursor") === "", what: "workflows" })}
      ${
        isAdmin(here.principal.role)
          ? adding(
              "New workflow",
              html`<form method="post" action="${base}/create">${onceField()}
              ${textField({ name: "name", label: "Name", required: true, max: 120, value: call.form.text("name"), refusal })}
              ${textField({ name: "project_id", label: "Project", hint: "Its key, such as WEB. Empty: for issues of all projects.", value: call.form.text("project_id"), refusal })}
              <button>Create the workflow</button></form>`,
              { open: refusal !== undefined },
            )
          : ""
      }`,
  };
}
