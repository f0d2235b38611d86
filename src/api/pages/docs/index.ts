import type { DocView } from "../../../domain/knowledge/docs/view.ts";
import { actions } from "../site/actions.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { commentForms } from "./comment-forms.ts";
import { exportFile } from "./export.ts";
import { historyPage, versionPage } from "./history.ts";
import { listPage } from "./list.ts";
import { movePage, placeIn } from "./move.ts";
import { DOC, DOCS, docPath, inPath } from "./paths.ts";
import { docPage } from "./show.ts";
import { changesIn, editPage, MAX_FORM_BYTES, newDoc, newPage } from "./write.ts";

/** The pages of docs. */
export function docPages(site: Site): void {
  const to = (call: WorkspaceCall, doc: DocView) => docPath(call, doc);
  const toDoc = (call: WorkspaceCall) => docPath(call, inPath(call));

  site.workspace("get", DOCS, (call) => listPage(site, call));
  // Before the pages of docs, whose ids match every path below.
  site.workspace("get", `${DOCS}/new`, (call) => newPage(site, call));
  actions(site, `${DOCS}/new`, (call, refusal) => newPage(site, call, refusal), {
    create: {
      operation: "docs.create",
      input: (call) => ({ body: newDoc(call) }),
      to,
      said: "The doc is created.",
      maxBytes: MAX_FORM_BYTES,
    },
  });

  site.workspace("get", DOC, (call) => docPage(site, call));
  actions(site, DOC, (call, refusal) => docPage(site, call, refusal), {
    watch: { operation: "doc-watchers.create", to: toDoc, said: "You watch this doc now." },
    unwatch: {
      operation: "doc-watchers.delete",
      input: () => ({ params: { userId: "me" } }),
      to: toDoc,
      said: "Stopped watching.",
    },
    archive: { operation: "docs.delete", to, said: "The doc is archived." },
    restore: {
      operation: "docs.patch",
      input: () => ({ body: { archived: false } }),
      to,
      said: "The doc is restored.",
    },
  });
  commentForms(site);
  site.workspace("get", `${DOC}/history`, (call) => historyPage(site, call));
  site.workspace("get", `${DOC}/history/:versionId`, (call) => versionPage(site, call));
  actions(site, `${DOC}/history/:versionId`, (call, refusal) => versionPage(site, call, refusal), {
    restore: { operation: "doc-versions.restore", to, said: "The doc is back at this version." },
  });
  site.workspace("get", `${DOC}/export/:format`, (call) => exportFile(site, call));

  site.workspace("get", `${DOC}/edit`, (call) => editPage(site, call));
  actions(site, `${DOC}/edit`, (call, refusal) => editPage(site, call, refusal), {
    save: {
      operation: "docs.patch",
      input: (call) => ({ body: changesIn(call) }),
      to,
      said: "Saved.",
      maxBytes: MAX_FORM_BYTES,
    },
  });

  site.workspace("get", `${DOC}/move`, (call) => movePage(site, call));
  actions(site, `${DOC}/move`, (call, refusal) => movePage(site, call, refusal), {
    save: { operation: "docs.patch", input: (call) => ({ body: placeIn(call) }), to, said: "The doc is moved." },
  });
}
