import type { Refusal } from "../../../domain/kernel/errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import { type Option, select, textField } from "../kit/fields.ts";
import { revisionField } from "../site/actions.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { docPath, mayWrite } from "./paths.ts";
import { allDocs, allProjects, docsAbove, projectOf, readDoc } from "./read.ts";
import { docHead } from "./show.ts";
import { type Branch, treeOf } from "./tree.ts";

/** Where a doc is, and who sees it. */
export async function movePage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const doc = await readDoc(site, call);
  const [project, above, projects, docs] = await Promise.all([
    projectOf(site, call, doc),
    docsAbove(site, call, doc),
    allProjects(site, call),
    allDocs(site, call),
  ]);
  const places = [null, ...projects.filter((one) => mayWrite(call, one))].flatMap((place): Option[] => [
    { value: `top:${place?.key ?? ""}`, label: place?.name ?? call.here.workspace.name },
    ...below(treeOf((docs ?? []).filter(({ project_id }) => project_id === (place?.id ?? null))), doc.id, 1),
  ]);
  const mine = doc.created_by === call.visitor.user.id;
  const at = doc.parent_id === null ? `top:${doc.project_key ?? ""}` : `doc:${doc.parent_id}:${doc.project_key ?? ""}`;
  return {
    title: `Move ${doc.title}`,
    status: refusal?.status ?? 200,
    body: html`${docHead(call, { doc, project, above, below: "Move" })}${refusal ? problemBox(refusal) : ""}
      <form class="writing" method="post" action="${docPath(call, doc)}/move/save">${revisionField(doc)}
        ${select({ name: "place", label: "Below", value: call.form.text("place") || at, options: places, required: true, hint: "Docs below this one move along." })}
        ${textField({ name: "position", label: "Place among its neighbours", type: "number", value: call.form.text("position") || doc.position, hint: "Lower numbers come first; the same numbers are in the order of their names.", required: true, refusal })}
        ${
          mine
            ? select({
                name: "visibility",
                label: "Who sees it",
                value: doc.visibility,
                options: [
                  { value: "workspace", label: "Everybody in the place" },
                  { value: "private", label: "Only me" },
                ],
                required: true,
                refusal,
              })
            : ""
        }
        <p class="row"><button>Move</button> <a class="button second" href="${docPath(call, doc)}">Cancel</a></p></form>`,
  };
}

/** All docs but the one that moves and those below it. */
const below = (branches: readonly Branch[], moving: string, depth: number): Option[] =>
  branches
    .filter(({ doc }) => doc.id !== moving)
    .flatMap((branch) => [
      {
        value: `doc:${branch.doc.id}:${branch.doc.project_key ?? ""}`,
        label: `${"\u2003".repeat(depth)}${branch.doc.title}`,
      },
      ...below(branch.below, moving, depth + 1),
    ]);

/** A new place as the operation names it. */
export function placeIn({ form }: WorkspaceCall) {
  const [kind, first = "", second = ""] = form.text("place").split(":");
  const visibility = form.text("visibility");
  return {
    project: (kind === "doc" ? second : first) || null,
    parent_id: kind === "doc" ? first : null,
    position: Number(form.text("position")),
    ...(visibility === "" ? {} : { visibility }),
  };
}
