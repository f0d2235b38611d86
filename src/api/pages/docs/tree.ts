import { type Html, html } from "../../../domain/kernel/html.ts";
import type { DocView } from "../../../domain/knowledge/docs/view.ts";
import { badge } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import type { WorkspaceCall } from "../site/site.ts";
import { docPath } from "./paths.ts";

/** Docs below each other. */

export type Branch = { doc: DocView; below: Branch[] };

/** A doc whose parent is not among them is on top: the parent may be archived, or private to somebody else. */
export function treeOf(docs: readonly DocView[]): Branch[] {
  const branches = new Map(docs.map((doc) => [doc.id, { doc, below: [] as Branch[] }]));
  const top: Branch[] = [];
  for (const branch of branches.values()) {
    const parent = branch.doc.parent_id === null ? undefined : branches.get(branch.doc.parent_id);
    (parent ? parent.below : top).push(branch);
  }
  for (const { below } of branches.values()) below.sort(inOrder);
  return top.sort(inOrder);
}

/** As people have put them, else by name. */
const inOrder = (a: Branch, b: Branch): number =>
  a.doc.position - b.doc.position || a.doc.title.localeCompare(b.doc.title, "en");

export const treePart = (call: WorkspaceCall, branches: readonly Branch[]): Html =>
  html`<ul class="tree">${branches.map(
    ({ doc, below }) => html`<li>${docLine(call, doc)}${below.length > 0 ? treePart(call, below) : ""}</li>`,
  )}</ul>`;

const docLine = (call: WorkspaceCall, doc: DocView): Html =>
  html`<p class="tree-line"><a dir="auto" href="${docPath(call, doc)}">${doc.icon === null ? "" : html`<span aria-hidden="true">${doc.icon}</span> `}${doc.title}</a>
    ${doc.visibility === "private" ? badge("Private", "quiet") : ""}
    <span class="quiet">${ago(doc.updated_at, call.here.now)}</span></p>`;
