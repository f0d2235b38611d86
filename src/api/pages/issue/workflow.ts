import type { RunNodeView } from "../../../domain/automation/workflow-runs/view.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isEditor } from "../../../domain/kernel/roles.ts";
import { hidden, select, textArea } from "../kit/fields.ts";
import { badge } from "../kit/pieces.ts";
import { due } from "../kit/times.ts";
import { words } from "../kit/words.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import type { About } from "./page.ts";
import { personOf } from "./read.ts";
import { textOf } from "./texts.ts";

/** The workflow run that the issue is in, as a picture and in words, with what there is to decide. */
export function workflowPart(about: About): Html | string {
  const { run, base, call, mayWrite } = about;
  if (!run) return about.workflows.length > 0 ? startForm(about) : startLink(about);
  const active = run.nodes.filter(({ state }) => state === "active");
  return html`<section id="workflow" aria-labelledby="workflow-title">
    <div class="headline"><h2 id="workflow-title"><a href="/w/${call.here.workspace.slug}/workflows/${run.workflow_id}">${run.workflow_name}</a></h2>${badge(words(run.status), run.status === "failed" ? "bad" : "good")}</div>
    ${run.note_md ? textOf(about, run.note_md) : ""}
    <div class="picture" tabindex="0" role="region" aria-label="Picture of the run"><img src="${base}/workflow.svg?at=${encodeURIComponent(stamp(run.nodes))}" alt="${describe(run.nodes)}"></div>
    ${active.map((node) => stagePart(about, node))}
    ${
      mayWrite && isEditor(call.here.principal.role)
        ? askFirst({
            ask: "Cancel the run",
            action: `${base}/workflow-cancel`,
            consequence: "Open stages end, and their people and agents are told.",
            confirm: `Cancel the run of ${run.workflow_name}`,
          })
        : ""
    }</section>`;
}

/** Changes when a stage does, so that the picture is fetched again. */
const stamp = (nodes: readonly RunNodeView[]): string =>
  nodes
    .map(({ ended_at, activated_at }) => ended_at ?? activated_at ?? "")
    .sort()
    .at(-1) ?? "";

const nameOf = ({ label, kind, node_id }: RunNodeView): string =>
  label || (kind === "start" || kind === "end" ? words(kind) : node_id);

const describe = (nodes: readonly RunNodeView[]): string =>
  nodes.map((node) => `${nameOf(node)}: ${words(node.state).toLowerCase()}`).join("; ");

function stagePart(about: About, node: RunNodeView): Html {
  const { people, call } = about;
  const { node_id, kind, assignee_user_id, due_at, note_md } = node;
  const who = assignee_user_id === null ? "" : ` · ${personOf(people, assignee_user_id).name ?? "someone"}`;
  return html`<div class="stage" id="stage-${node_id}"><p class="as-label">Now: ${nameOf(node)}<span class="quiet">${who}${due_at === null ? "" : html` · ${due(due_at, call.here.now, false)}`}</span></p>
    ${note_md ? textOf(about, note_md) : ""}
    ${about.mayWrite && (kind === "person" || kind === "approval") ? decideForm(about, node) : ""}</div>`;
}

/** Who may not decide learns it from the refusal: the rules are those of the operation. */
function decideForm({ base, call, run }: About, { node_id, kind }: RunNodeView): Html {
  const wasSent = call.form.text("node_id") === node_id;
  const outcomes =
    kind === "approval"
      ? [
          ["approved", "Approve"],
          ["rejected", "Reject"],
        ]
      : [
          ["success", "Complete"],
          ["failure", "It failed"],
        ];
  return html`<form method="post" action="${base}/stage">${onceField()}${hidden("run_id", run?.id ?? "")}${hidden("node_id", node_id)}
    ${textArea({ name: "note_md", label: "Note", rows: 2, max: 4_000, value: wasSent ? call.form.text("note_md") : "", prefix: `stage-${node_id}-` })}
    <div class="row">${outcomes.map(([value, label], n) => html`<button name="outcome" value="${value!}"${n > 0 ? html` class="second"` : ""}>${label!}</button>`)}</div></form>`;
}

const startLink = ({ base, mayWrite, call }: About): Html | string =>
  mayWrite && isEditor(call.here.principal.role)
    ? html`<p><a class="adding-way" href="${base}?edit=workflow#workflow">Start a workflow</a></p>`
    : "";

function startForm({ base, workflows, call }: About): Html {
  return html`<section id="workflow" aria-labelledby="workflow-title"><h2 id="workflow-title">Start a workflow</h2>
    <form class="edit-form" method="post" action="${base}/workflow">${onceField()}
    ${select({ name: "workflow_id", label: "Workflow", required: true, value: call.form.text("workflow_id"), options: workflows.map(({ id, name }) => ({ value: id, label: name })) })}
    ${textArea({ name: "note_md", label: "Note", rows: 2, max: 1_000, value: call.form.text("note_md"), prefix: "workflow-" })}
    <div class="row"><button>Start</button><a class="button second" href="${base}">Cancel</a></div></form></section>`;
}
