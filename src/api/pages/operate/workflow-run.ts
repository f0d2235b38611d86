import type { RunNodeView, WorkflowRunDetailView } from "../../../domain/automation/workflow-runs/view.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { Principal } from "../../../domain/kernel/principal.ts";
import { isAdmin, isEditor } from "../../../domain/kernel/roles.ts";
import { code, jsonShown } from "../kit/code.ts";
import { hidden, textArea } from "../kit/fields.ts";
import { badge, crumbs, facts, fold } from "../kit/pieces.ts";
import { ago, exactly } from "../kit/times.ts";
import { words } from "../kit/words.ts";
import { actions } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { readNames } from "./names.ts";
import type { Names } from "./rule-words.ts";
import { drawing, runState } from "./workflow.ts";

/** A run of a workflow: its picture, and each stage that has begun, with its outcome and reason. */

const PATH = "/w/:slug/workflow-runs/:id";

const pathOf = ({ here, params }: WorkspaceCall) =>
  `/w/${here.workspace.slug}/workflow-runs/${encodeURIComponent(params.id ?? "")}`;

export function workflowRunPage(site: Site): void {
  site.workspace("get", PATH, (call) => show(site, call));
  actions(site, PATH, (call, refusal) => show(site, call, refusal), {
    complete: {
      operation: "workflow-runs.complete-stage",
      input: ({ form }) => ({
        body: {
          node_id: form.text("node_id"),
          outcome: form.text("outcome"),
          ...(form.text("note_md") ? { note_md: form.text("note_md") } : {}),
        },
      }),
      to: pathOf,
      said: "The stage is completed.",
    },
    advance: {
      operation: "workflow-runs.advance",
      // The stages that the person saw. Without any, the run had failed.
      input: ({ form }) => ({ body: { node_ids: form.all("node_ids") } }),
      to: pathOf,
      said: "The run goes on.",
    },
  });
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { here } = call;
  const input = { params: { id: call.params.id ?? "" } };
  const [run, names] = await Promise.all([
    site.perform<WorkflowRunDetailView>(call, "workflow-runs.get", input),
    readNames(site, call),
  ]);
  const drawn = await drawing(site, call, "workflow-runs.get", input);
  const workspace = `/w/${here.workspace.slug}`;
  const began = run.nodes.filter(({ activated_at }) => activated_at !== null);
  return {
    title: `${run.issue_key} in ${run.workflow_name}`,
    status: refusal?.status ?? 200,
    body: html`${crumbs([`${workspace}/workflows`, "Workflows"], [`${workspace}/workflows/${run.workflow_id}`, run.workflow_name])}
      <div class="headline"><h1>${run.issue_key} in ${run.workflow_name}</h1>${runState(run)}</div>
      ${refusal ? problemBox(refusal) : ""}
      ${facts([
        ["Started", html`${ago(run.started_at, here.now)} by ${names.get(run.started_by) ?? "someone"}`],
        ["Ended", run.ended_at ? exactly(run.ended_at) : null],
        ["Version", String(run.workflow_version)],
        ["Note", run.note_md],
        ["Error", run.error],
      ])}${drawn}
      <h2>Stages</h2><ul class="rows">${began.map((node) => stage(node, call, names))}</ul>
      ${Object.keys(run.context).length > 0 ? fold("Sent at the start", code("Sent at the start", jsonShown(run.context))) : ""}
      ${
        mayForce(run, here.principal)
          ? askFirst({
              ask: run.status === "failed" ? "Open the failed stage again" : "Go on by force",
              action: `${pathOf(call)}/advance`,
              consequence:
                run.status === "failed"
                  ? "The run goes on where it failed."
                  : "All open stages are skipped, and their good branch follows. An approval counts as not given. The issue's history says so.",
              confirm: "Go on",
              fields: html`${run.nodes.filter(({ state }) => state === "active").map(({ node_id }) => hidden("node_ids", node_id))}`,
            })
          : ""
      }`,
  };
}

/** Whether to offer it. The operation decides about the stages of others. */
function mayForce({ status, started_by, nodes }: WorkflowRunDetailView, { role, user_id }: Principal): boolean {
  if (status !== "running" && status !== "failed") return false;
  const asks = nodes.some(({ state, kind }) => state === "active" && kind === "approval");
  return isAdmin(role) || (isEditor(role) && started_by === user_id && !asks);
}

function stage(node: RunNodeView, call: WorkspaceCall, names: Names): Html {
  const { state, outcome, assignee_user_id: who, note_md: note, error, ended_at, activated_at, due_at, output } = node;
  const at = ended_at ?? activated_at;
  const did = node.actions_applied ?? [];
  return html`<li><p class="acts"><strong>${node.label ?? words(node.node_id)}</strong> ${badge(words(outcome ?? state), state === "failed" ? "bad" : state === "active" ? "warn" : "quiet")}
      <span class="quiet">${words(node.kind)}${who ? `, ${names.get(who) ?? "someone"}` : ""}${at ? html`, ${ago(at, call.here.now)}` : ""}${due_at && state === "active" ? `, due ${exactly(due_at)}` : ""}</span></p>
    ${aboutStage(node, call, names)}${note ? html`<p>${note}</p>` : ""}${error ? html`<p class="late">${error}</p>` : ""}
    ${node.approvals.length > 0 ? html`<ul>${node.approvals.map(({ by, outcome: vote, at: voted }) => html`<li>${names.get(by) ?? "Someone"} ${vote} it ${ago(voted, call.here.now)}</li>`)}</ul>` : ""}
    ${did.length > 0 ? html`<ul>${did.map(({ type, ok, detail }) => html`<li>${words(type)}${ok ? "" : html` <span class="late">failed</span>`}${detail ? html`: ${detail}` : ""}</li>`)}</ul>` : ""}
    ${output ? fold("Its result", code("Its result", jsonShown(output))) : ""}
    ${state === "active" && (node.kind === "person" || node.kind === "approval") && isEditor(call.here.principal.role) ? completing(node, call) : ""}</li>`;
}

/** Who ended it, which way it went, how often it was begun, and the session that works on it. */
function aboutStage(node: RunNodeView, { here }: WorkspaceCall, names: Names): Html | string {
  const { completed_by: by, branch_taken: branch, attempts, session_id: session } = node;
  const all = [
    by && by !== node.assignee_user_id ? `Completed by ${names.get(by) ?? "someone"}` : "",
    branch ? `Went on with “${branch}”` : "",
    attempts > 1 ? `Begun ${counted(attempts, "time")}` : "",
    session ? html`<a href="/w/${here.workspace.slug}/agents/sessions/${session}">The agent's session</a>` : "",
  ].filter((one) => one !== "");
  return all.length === 0 ? "" : html`<p class="quiet">${all.map((one, n) => html`${n > 0 ? " · " : ""}${one}`)}</p>`;
}

const completing = ({ node_id, kind, label }: RunNodeView, call: WorkspaceCall): Html => {
  const [yes, no] =
    kind === "approval"
      ? [
          ["approved", "Approve"],
          ["rejected", "Reject"],
        ]
      : [
          ["success", "Complete"],
          ["failure", "It failed"],
        ];
  return fold(
    html`${kind === "approval" ? "Decide" : "Complete"}<span class="out"> ${label ?? node_id}</span>`,
    html`<form method="post" action="${pathOf(call)}/complete">${onceField()}${hidden("node_id", node_id)}
      ${textArea({ name: "note_md", label: "Note", rows: 3, prefix: `${node_id}-` })}
      <div class="row"><button name="outcome" value="${yes![0]!}">${yes![1]!}</button> <button class="second" name="outcome" value="${no![0]!}">${no![1]!}</button></div></form>`,
    { open: true },
  );
};
