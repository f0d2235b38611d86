import type { Warning } from "../../../domain/kernel/context.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { warnOfBoxes } from "../../../domain/knowledge/docs/export.ts";
import type { DocView } from "../../../domain/knowledge/docs/view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import type { WatcherView } from "../../../domain/work/watchers/view.ts";
import { allPeople, type People, personOf } from "../issue/read.ts";
import { person } from "../kit/people.ts";
import { act, badge, crumbs, fold } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import { askFirst } from "../site/confirm.ts";
import { notice } from "../site/layout.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { commentsPart } from "./comments.ts";
import { docPath, docsPath, historyPath, inPath, mayWrite } from "./paths.ts";
import { docsAbove, projectOf, readComments, readDoc } from "./read.ts";
import { textPart } from "./text.ts";
import { treeOf, treePart } from "./tree.ts";

/** A doc, to read. */

/** Docs below a doc that its page lists. */
const BELOW = "100";

export async function docPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const [doc, people, comments, watchers] = await Promise.all([
    readDoc(site, call),
    allPeople(site, call),
    readComments(site, call),
    site.perform<WatcherView[]>(call, "doc-watchers.list", { params: inPath(call) }),
  ]);
  const watches = watchers.some(({ user_id }) => user_id === call.here.principal.user_id);
  const [project, above, below, text, boxes] = await Promise.all([
    projectOf(site, call, doc),
    docsAbove(site, call, doc),
    site.list<DocView>(call, "docs.list", { query: { parent_id: doc.id, limit: BELOW } }),
    textPart(call, doc),
    warnOfBoxes(call.here, `${doc.title}\n${doc.body_md ?? ""}`),
  ]);
  const writes = doc.archived_at === null && mayWrite(call, project);
  const edit = writes ? html`<a class="button" href="${docPath(call, doc)}/edit">Edit</a>` : "";
  return {
    title: doc.title,
    status: refusal?.status ?? 200,
    seen: { doc_id: doc.id },
    live: { kinds: ["doc"], ...(doc.project_id === null ? {} : { project: doc.project_id }) },
    body: html`${docHead(call, { doc, project, above, action: edit })}
      ${refusal ? problemBox(refusal) : ""}
      ${doc.archived_at === null ? "" : archivedNotice(call, doc, mayWrite(call, project))}
      <p class="doc-facts">${factsPart(call, doc, people)}</p>
      ${doc.archived_at !== null ? "" : watches ? act(`${docPath(call, doc)}/unwatch`, "Stop watching") : act(`${docPath(call, doc)}/watch`, "Watch")}
      <article class="doc" aria-label="Text" dir="auto">${noMarkdown(doc)}${text}</article>
      ${belowPart(call, doc, { docs: below.data, writes })}
      ${commentsPart({ call, doc, comments, people, mayTalk: writes })}
      ${morePart(call, { doc, people, writes, boxes })}`,
  };
}

type Head = {
  doc: DocView;
  project: ProjectView | null;
  above: readonly DocView[];
  below?: string;
  /** Pages between the doc and this one. */
  way?: readonly (readonly [href: string, label: string])[];
  action?: Html | string;
};

/** The way to a doc and its title. `below`: what the page shows of it, if that is not the doc itself. */
export function docHead(call: WorkspaceCall, { doc, project, above, below, way = [], action = "" }: Head): Html {
  const base = docsPath(call);
  const path: [string, string][] = above.map((one) => [docPath(call, one), one.title]);
  return html`${crumbs(
    [base, "Docs"],
    ...(project === null ? [] : [[`${base}#place-${project.id}`, project.name] as const]),
    ...path,
    ...(below === undefined ? [] : [[docPath(call, doc), doc.title] as const]),
    ...way,
  )}<div class="headline"><h1 dir="auto">${below ?? html`${doc.icon === null ? "" : html`<span aria-hidden="true">${doc.icon}</span> `}${doc.title}`}</h1>${action}</div>`;
}

const factsPart = (call: WorkspaceCall, doc: DocView, people: People): Html =>
  html`${person(personOf(people, doc.updated_by))} <span class="quiet">changed it ${ago(doc.updated_at, call.here.now)} · ${counted(doc.word_count, "word")} · <a href="${historyPath(call, doc)}">History</a></span>
    ${doc.visibility === "private" ? badge("Private: only you see it", "quiet") : ""}`;

const archivedNotice = (call: WorkspaceCall, doc: DocView, writes: boolean): Html =>
  notice(
    "info",
    html`<p>This doc is archived. It can be read, and restored for 30 days.</p>${
      writes ? act(`${docPath(call, doc)}/restore`, "Restore") : ""
    }`,
  );

/** Programs may keep a state of their editors that has no text. */
const noMarkdown = ({ body_md, body_json }: DocView): Html | string =>
  body_md === null && body_json !== null && body_json !== undefined
    ? notice("info", "A program keeps this doc in a format of its own, which has no text to show.")
    : "";

function belowPart(
  call: WorkspaceCall,
  doc: DocView,
  { docs, writes }: { docs: readonly DocView[]; writes: boolean },
): Html {
  const create = writes
    ? html`<p><a class="adding-way" href="${docsPath(call)}/new?parent=${doc.id}">New doc below this one</a></p>`
    : "";
  if (docs.length === 0) return html`${create}`;
  return html`<section aria-labelledby="below"><h2 id="below">Below this doc</h2>${treePart(call, treeOf(docs.map((one) => ({ ...one, parent_id: null }))))}${create}</section>`;
}

type More = { doc: DocView; people: People; writes: boolean; boxes: Warning | null };

function morePart(call: WorkspaceCall, { doc, people, writes, boxes }: More): Html {
  const path = docPath(call, doc);
  return fold(
    "More",
    html`<ul class="plain-list">
      <li>Save as <a href="${path}/export/md">Markdown</a>, <a href="${path}/export/html">HTML</a> or <a href="${path}/export/pdf">PDF</a>${boxes === null ? "" : html`<p class="quiet">${boxes.message}</p>`}</li>
      ${writes ? html`<li><a href="${path}/move">Move it, or say who sees it</a></li>` : ""}
      <li class="quiet">Created ${ago(doc.created_at, call.here.now)} by ${personOf(people, doc.created_by).name ?? "someone"}</li></ul>
      ${
        writes
          ? askFirst({
              ask: "Archive",
              about: doc.title,
              action: `${path}/archive`,
              consequence: "The doc leaves lists and search. It can still be read, and restored for 30 days.",
              confirm: "Archive the doc",
            })
          : ""
      }`,
  );
}
