import { type Refusal, refuse } from "../../../domain/kernel/errors.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import { SVG } from "../../engine/drawn.ts";
import type { PageAnswer, Site, WorkspaceCall } from "../site/site.ts";
import { changeForm } from "./change.ts";
import { issueForms } from "./forms.ts";
import { show } from "./page.ts";
import { ISSUE } from "./paths.ts";
import { at } from "./read.ts";
import { fileForms } from "./upload.ts";

/** The page of an issue and its forms. */
export function issuePages(site: Site): void {
  const again = (call: WorkspaceCall, refusal?: Refusal, conflict = false) => show(site, call, { refusal, conflict });
  site.workspace("get", ISSUE, (call) => show(site, call));
  site.workspace("get", `${ISSUE}/workflow.svg`, (call) => drawRun(site, call));
  changeForm(site, again);
  issueForms(site, again);
  fileForms(site, again);
}

/** The picture of the run that the issue is in. */
async function drawRun(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const { active_workflow_run_id: id } = await site.perform<IssueView>(call, "issues.get", { params: at(call) });
  if (id === null) return refuse("not_found");
  const svg = await site.picture(call, "workflow-runs.get", { params: { id } });
  return { file: Buffer.from(svg), type: SVG };
}
