import { type Html, html } from "../../../domain/kernel/html.ts";
import type { DocView } from "../../../domain/knowledge/docs/view.ts";
import { empty, pager } from "../kit/pieces.ts";
import type { PageAnswer, Site, WorkspaceCall } from "../site/site.ts";
import { docsPath, mayWrite } from "./paths.ts";
import { allDocs, allProjects } from "./read.ts";
import { treeOf, treePart } from "./tree.ts";

/** All docs, as a tree for the workspace and for each project. */
export async function listPage(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const base = docsPath(call);
  const archived = call.query("archived") === "true";
  const query: Record<string, string> = archived ? { archived: "true" } : {};
  const [projects, docs] = await Promise.all([allProjects(site, call), allDocs(site, call, query)]);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const create = mayWrite(call, null) ? html`<a class="button" href="${base}/new">New doc</a>` : "";
  return {
    title: archived ? "Archived docs" : "Docs",
    live: { kinds: ["doc"] },
    body: html`<div class="headline"><h1>${archived ? "Archived docs" : "Docs"}</h1>${archived ? "" : create}</div>
      ${docs === null ? await topOnly(site, call, query) : placesPart(call, docs, names)}
      ${docs?.length === 0 ? (archived ? empty("No archived docs", "An archived doc can be read and brought back.") : nothingYet) : ""}
      <p>${archived ? html`<a href="${base}">All docs</a>` : html`<a class="quiet" href="${base}?archived=true">Archived docs</a>`}</p>`,
  };
}

const nothingYet = empty(
  "No docs yet",
  "Docs keep what is worth more than a comment: how things work, what was decided, what to do when it burns.",
);

/** The workspace's own docs first, then those of each project. */
function placesPart(call: WorkspaceCall, docs: readonly DocView[], names: ReadonlyMap<string, string>): Html {
  const places = Map.groupBy(docs, ({ project_id }) => project_id);
  const order = [...places.keys()].sort((a, b) => nameOf(a).localeCompare(nameOf(b), "en"));
  function nameOf(id: string | null): string {
    return id === null ? "" : (names.get(id) ?? places.get(id)?.[0]?.project_key ?? "");
  }
  return html`${order.map(
    (id) => html`<section aria-labelledby="place-${id ?? "workspace"}">
      <h2 id="place-${id ?? "workspace"}" dir="auto">${id === null ? call.here.workspace.name : nameOf(id)}</h2>
      ${treePart(call, treeOf(places.get(id) ?? []))}</section>`,
  )}`;
}

/** For workspaces with very many docs. Each doc lists those below it. */
async function topOnly(site: Site, call: WorkspaceCall, query: Record<string, string>): Promise<Html> {
  const { data, next } = await site.list<DocView>(call, "docs.list", {
    query: { ...query, parent_id: "none", limit: "50", cursor: call.query("cursor") },
  });
  const more = new URLSearchParams({ ...query, cursor: next ?? "" });
  return html`${treePart(
    call,
    data.map((doc) => ({ doc, below: [] })),
  )}${pager(next === null ? null : `${docsPath(call)}?${more}`, {
    first: `${docsPath(call)}?${new URLSearchParams(query)}`,
    isFirst: call.query("cursor") === "",
    what: "docs",
  })}`;
}
