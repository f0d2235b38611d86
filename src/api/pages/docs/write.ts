import { hash } from "node:crypto";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { DocView } from "../../../domain/knowledge/docs/view.ts";
import { allPeople, personOf } from "../issue/read.ts";
import { differences } from "../kit/differences.ts";
import { hidden, select, textArea, textField } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { crumbs } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import { revisionField } from "../site/actions.ts";
import { notice } from "../site/layout.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { docPath, docsPath, mayWrite, typed } from "./paths.ts";
import { allProjects, docsAbove, projectOf, readDoc } from "./read.ts";
import { docHead } from "./show.ts";

/** The forms that write a doc: a new one, and the title and text of one. */

/** Half a million characters, each of which may be three bytes of three letters. */
export const MAX_FORM_BYTES = 5 * 1024 * 1024;

const VISIBILITY = [
  { value: "workspace", label: "Everybody in the place" },
  { value: "private", label: "Only me" },
];

export async function newPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { form } = call;
  const parentId = form.text("parent_id") || call.query("parent");
  const [projects, parent] = await Promise.all([
    allProjects(site, call),
    parentId === "" ? null : readDoc(site, call, parentId),
  ]);
  const writable = projects.filter((project) => mayWrite(call, project));
  const base = docsPath(call);
  return {
    title: "New doc",
    status: refusal?.status ?? 200,
    body: html`${crumbs([base, "Docs"], ...(parent === null ? [] : [[docPath(call, parent), parent.title] as const]))}
      <h1>New doc</h1>${refusal ? problemBox(refusal) : ""}
      <form class="writing" method="post" action="${base}/new/create">${onceField()}
        ${textField({ name: "title", label: "Title", value: form.text("title"), required: true, max: 255, refusal })}
        ${
          parent === null
            ? select({
                name: "project",
                label: "Where",
                value: form.text("project") || call.query("project"),
                options: writable.map(({ key, name }) => ({ value: key, label: name })),
                none: call.here.workspace.name,
                required: true,
                refusal,
              })
            : html`${hidden("parent_id", parent.id)}${hidden("project", parent.project_key ?? "")}`
        }
        ${select({ name: "visibility", label: "Who sees it", value: form.text("visibility"), options: VISIBILITY, required: true, refusal })}
        ${textArea({ name: "body_md", label: "Text", value: typed(call, "body_md"), rows: 18, refusal, hint: MARKDOWN })}
        <button>Create</button></form>`,
  };
}

export const newDoc = (call: WorkspaceCall) => ({
  title: call.form.text("title"),
  project: call.form.text("project") || null,
  parent_id: call.form.text("parent_id") || null,
  visibility: call.form.text("visibility") || "workspace",
  body_md: typed(call, "body_md"),
});

const MARKDOWN = "In Markdown: # heading, **bold**, - list, [link](https://…), #WEB-12 for an issue.";

/** A short name for a text, to find out whether the person changed it. */
const nameOf = (text: string | null): string => hash("sha1", text ?? "", "base64url").slice(0, 11);

const FIELDS = ["title", "icon", "body_md"] as const;
type FieldName = (typeof FIELDS)[number];

/** Only what the person changed, so that a new title keeps the text that somebody else wrote meanwhile. */
export function changesIn(call: WorkspaceCall): Partial<Record<FieldName, string | null>> {
  const changed = FIELDS.filter((name) => nameOf(sent(call, name)) !== call.form.text(`${name}_was`));
  return Object.fromEntries(changed.map((name) => [name, sent(call, name) || (name === "icon" ? null : "")]));
}

const sent = (call: WorkspaceCall, name: FieldName): string =>
  name === "body_md" ? typed(call, name) : call.form.text(name);

/** Shows what was typed again if it was refused, and what somebody else wrote if the person had not changed that. */
export async function editPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const doc = await readDoc(site, call);
  const [project, above] = await Promise.all([projectOf(site, call, doc), docsAbove(site, call, doc)]);
  const changes = refusal ? changesIn(call) : {};
  const shown = (name: FieldName): string => changes[name] ?? (name in changes ? "" : (doc[name] ?? ""));
  const conflict = refusal?.is("precondition_failed") ? await conflictPart(site, call, doc, changes) : null;
  return {
    title: `Edit ${doc.title}`,
    status: refusal?.status ?? 200,
    merges: true,
    body: html`${docHead(call, { doc, project, above, below: "Edit" })}
      ${refusal ? (conflict ?? problemBox(refusal)) : ""}
      <form class="writing" method="post" action="${docPath(call, doc)}/edit/save">${revisionField(doc)}
        ${FIELDS.map((name) => hidden(`${name}_was`, nameOf(doc[name])))}
        ${textField({ name: "title", label: "Title", value: shown("title"), required: true, max: 255, refusal })}
        ${textField({ name: "icon", label: "Icon", value: shown("icon"), max: 64, refusal, hint: "An emoji or a short word." })}
        ${textArea({ name: "body_md", label: "Text", value: shown("body_md"), rows: 24, refusal, hint: MARKDOWN })}
        <p class="row"><button>${conflict ? "Save mine instead" : "Save"}</button> <a class="button second" href="${docPath(call, doc)}">Cancel</a></p></form>`,
  };
}

async function conflictPart(
  site: Site,
  call: WorkspaceCall,
  doc: DocView,
  changes: Partial<Record<FieldName, string | null>>,
): Promise<Html> {
  const { body_md, title } = changes;
  const who = person(personOf(await allPeople(site, call), doc.updated_by));
  return html`${notice(
    "bad",
    html`<p id="problem">${who} changed this doc ${ago(doc.updated_at, call.here.now)}, while you were writing. Nothing of yours is saved yet.</p>
    <p>Take over what you need of theirs into your text, then save.</p>`,
  )}
    ${title !== undefined && title !== doc.title ? html`<p>Their title: <strong dir="auto">${doc.title}</strong></p>` : ""}
    ${body_md === undefined || body_md === doc.body_md ? "" : html`<h2>From theirs to yours</h2>${differences(doc.body_md ?? "", body_md ?? "")}`}`;
}
