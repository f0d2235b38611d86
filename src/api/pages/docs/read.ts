import type { DocCommentView } from "../../../domain/knowledge/doc-comments/view.ts";
import type { DocView } from "../../../domain/knowledge/docs/view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { unlessRefused } from "../issue/read.ts";
import type { List } from "../site/perform.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { inPath } from "./paths.ts";

/** What the pages of docs read, through the operations of the API. */

export const readDoc = (site: Site, call: WorkspaceCall, id = inPath(call).id): Promise<DocView> =>
  site.perform(call, "docs.get", { params: { id } });

/** Null for a doc of the workspace, or of a project that the person does not see. */
export const projectOf = (
  site: Site,
  call: WorkspaceCall,
  { project_key }: Pick<DocView, "project_key">,
): Promise<ProjectView | null> | null =>
  project_key === null
    ? null
    : unlessRefused(site.perform<ProjectView>(call, "projects.get", { params: { key: project_key } }), null);

/** Docs above others are read one by one, so the way up ends here. */
const MAX_ABOVE = 4;

/** The docs above a doc, the topmost first. */
export async function docsAbove(site: Site, call: WorkspaceCall, doc: DocView): Promise<DocView[]> {
  const above: DocView[] = [];
  let parent = doc.parent_id;
  while (parent !== null && above.length < MAX_ABOVE) {
    const next: DocView | null = await unlessRefused(readDoc(site, call, parent), null);
    if (next === null) break;
    above.unshift(next);
    parent = next.parent_id;
  }
  return above;
}

const PAGE = "100";
/** Of a hundred docs each. Larger workspaces see a list instead of the whole tree. */
const MAX_PAGES = 3;

/** All docs without their texts, if there are not too many. Null: there are more. */
export async function allDocs(
  site: Site,
  call: WorkspaceCall,
  query: Record<string, string> = {},
): Promise<DocView[] | null> {
  const docs: DocView[] = [];
  let cursor: string | null = "";
  for (let page = 0; page < MAX_PAGES && cursor !== null; page++) {
    const list: List<DocView> = await site.list(call, "docs.list", { query: { ...query, limit: PAGE, cursor } });
    docs.push(...list.data);
    cursor = list.next;
  }
  return cursor === null ? docs : null;
}

export const allProjects = async (site: Site, call: WorkspaceCall): Promise<ProjectView[]> =>
  (await site.list<ProjectView>(call, "projects.list", { query: { limit: PAGE } })).data;

/** Pages of comments that are looked through for one of them. */
const MAX_COMMENT_PAGES = 20;

export type Comments = List<DocCommentView> & { isFirst: boolean };

/** A page of the doc's comments: the one that the person went on to, or the one with the comment that a link names. */
export async function readComments(site: Site, call: WorkspaceCall): Promise<Comments> {
  const page = (cursor: string) =>
    site.list<DocCommentView>(call, "doc-comments.list", { params: inPath(call), query: { limit: "50", cursor } });
  const wanted = call.form.text("comment") || call.query("at");
  const cursor = wanted === "" ? call.query("comments") : "";
  const first = { ...(await page(cursor)), isFirst: cursor === "" };
  let found: Comments = first;
  for (let n = 1; wanted !== "" && n < MAX_COMMENT_PAGES && !found.data.some(({ id }) => id === wanted); n++) {
    if (found.next === null) return first;
    found = { ...(await page(found.next)), isFirst: false };
  }
  return found;
}
