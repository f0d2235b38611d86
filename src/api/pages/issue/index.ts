import type { Refusal } from "../../../domain/kernel/errors.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { changeForm } from "./change.ts";
import { issueForms } from "./forms.ts";
import { show } from "./page.ts";
import { ISSUE } from "./paths.ts";
import { fileForms } from "./upload.ts";

/** The page of an issue and its forms. */
export function issuePages(site: Site): void {
  const again = (call: WorkspaceCall, refusal?: Refusal, conflict = false) => show(site, call, { refusal, conflict });
  site.workspace("get", ISSUE, (call) => show(site, call));
  changeForm(site, again);
  issueForms(site, again);
  fileForms(site, again);
}
