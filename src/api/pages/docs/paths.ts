import { isEditor } from "../../../domain/kernel/roles.ts";
import type { DocView } from "../../../domain/knowledge/docs/view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { isEditorOf } from "../project/head.ts";
import type { WorkspaceCall } from "../site/site.ts";

/** The pages of docs: `/w/:slug/docs`, and below it each doc by its id. */

export const DOCS = "/w/:slug/docs";
export const DOC = `${DOCS}/:id`;

export const docsPath = ({ here }: WorkspaceCall): string => `/w/${here.workspace.slug}/docs`;
export const docPath = (call: WorkspaceCall, { id }: Pick<DocView, "id">): string => `${docsPath(call)}/${id}`;

export const historyPath = (call: WorkspaceCall, doc: Pick<DocView, "id">): string => `${docPath(call, doc)}/history`;

/** A comment in its place on the page of the doc, on whichever page of the comments it is. `does`: with this form. */
export const commentPath = (call: WorkspaceCall, id: string, does = ""): string =>
  `${docsPath(call)}/${inPath(call).id}?at=${encodeURIComponent(id)}${does === "" ? "" : `&do=${does}`}#comment-${id}`;

/** The doc as operations name it in their paths. */
export const inPath = ({ params }: WorkspaceCall) => ({ id: params.id ?? "" });

/** Whether the person may write docs of this project, or of the workspace, as far as their roles say it. */
export const mayWrite = (call: WorkspaceCall, project: ProjectView | null): boolean =>
  isEditor(call.here.principal.role) &&
  (project === null || (project.archived_at === null && isEditorOf(call, project)));

/** A text as it was typed. Browsers send each line break as two characters. */
export const typed = ({ form }: WorkspaceCall, name: string): string =>
  (form.all(name)[0] ?? "").replaceAll("\r\n", "\n");
