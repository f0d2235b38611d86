import type { z } from "zod";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { DocVersionSummaryView, DocVersionView } from "../../../domain/knowledge/docs/version-view.ts";
import type { DocView } from "../../../domain/knowledge/docs/view.ts";
import { allPeople, type People, personOf } from "../issue/read.ts";
import { differences } from "../kit/differences.ts";
import { select } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { act, badge, empty, fold, pager, tabs } from "../kit/pieces.ts";
import { ago, dayInWords } from "../kit/times.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { historyPath, inPath, mayWrite } from "./paths.ts";
import { docsAbove, projectOf, readDoc } from "./read.ts";
import { docHead } from "./show.ts";
import { textPart } from "./text.ts";

type Summary = z.output<typeof DocVersionSummaryView>;
type Version = z.output<typeof DocVersionView>;

/** The versions of a doc, the newest first. */
export async function historyPage(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const [doc, people, versions] = await Promise.all([
    readDoc(site, call),
    allPeople(site, call),
    site.list<Summary>(call, "doc-versions.list", {
      params: inPath(call),
      query: { limit: "50", cursor: call.query("cursor") },
    }),
  ]);
  const [project, above] = await Promise.all([projectOf(site, call, doc), docsAbove(site, call, doc)]);
  const path = historyPath(call, doc);
  const isFirst = call.query("cursor") === "";
  return {
    title: `History of ${doc.title}`,
    live: { kinds: ["doc"] },
    body: html`${docHead(call, { doc, project, above, below: "History" })}
      ${versions.data.length === 0 ? empty("No versions", "Each change of the title or the text is kept as a version.") : ""}
      <ol class="lines">${versions.data.map((one, n) => versionLine(call, one, { doc, people, isNow: isFirst && n === 0 }))}</ol>
      ${pager(versions.next === null ? null : `${path}?cursor=${versions.next}`, { first: path, isFirst, what: "versions" })}`,
  };
}

const REASONS: Partial<Record<Summary["reason"], string>> = { restore: "Restored", import: "Imported" };

function versionLine(
  call: WorkspaceCall,
  version: Summary,
  { doc, people, isNow }: { doc: DocView; people: People; isNow: boolean },
): Html {
  const { id, number, title, reason, body_md_length: length } = version;
  return html`<li class="issue-line"><a class="issue-title" href="${historyPath(call, doc)}/${id}">Version ${number}</a>
    ${isNow ? badge("Now", "good") : ""}${REASONS[reason] ? badge(REASONS[reason], "quiet") : ""}
    ${title === doc.title ? "" : html`<span class="quiet" dir="auto">${title}</span>`}
    ${whose(call, version, people)} <span class="quiet">${counted(length, "character")}</span></li>`;
}

const whose = ({ here }: WorkspaceCall, { created_by, created_at }: Summary | Version, people: People): Html => {
  const known = personOf(people, created_by.id);
  return html`${person({ ...known, name: created_by.name ?? known.name })} <span class="quiet">${ago(created_at, here.now)}</span>`;
};

/** A version: what it changed, or its whole text, and the way back to it. */
export async function versionPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const params = { ...inPath(call), versionId: call.params.versionId ?? "" };
  const read = (versionId: string) =>
    site.perform<Version>(call, "doc-versions.get", { params: { ...params, versionId } });
  const [doc, people, version, versions] = await Promise.all([
    readDoc(site, call),
    allPeople(site, call),
    read(params.versionId),
    site.list<Summary>(call, "doc-versions.list", { params: inPath(call), query: { limit: "100" } }),
  ]);
  const others = versions.data.filter(({ id }) => id !== version.id);
  const before = others.find(({ number }) => number < version.number) ?? others[0];
  const otherId = call.query("with") || before?.id;
  const showsText = call.query("show") === "text" || otherId === undefined;
  const [project, above, other, text] = await Promise.all([
    projectOf(site, call, doc),
    docsAbove(site, call, doc),
    showsText ? null : read(otherId),
    showsText ? textPart(call, { ...version, updated_at: version.created_at }) : null,
  ]);
  const path = `${historyPath(call, doc)}/${version.id}`;
  const writes = doc.archived_at === null && mayWrite(call, project);
  const isNow = versions.data[0]?.id === version.id;
  return {
    title: `Version ${version.number} of ${doc.title}`,
    status: refusal?.status ?? 200,
    body: html`${docHead(call, { doc, project, above, below: `Version ${version.number}`, way: [[historyPath(call, doc), "History"]] })}
      ${refusal ? problemBox(refusal) : ""}
      <p class="doc-facts">${whose(call, version, people)} ${isNow ? badge("Now", "good") : ""}${REASONS[version.reason] ? badge(REASONS[version.reason] ?? "", "quiet") : ""}</p>
      ${
        others.length === 0
          ? ""
          : tabs("Version", [
              { href: path, label: "Changes", current: !showsText },
              { href: `${path}?show=text`, label: "Whole text", current: showsText },
            ])
      }
      ${text === null ? "" : html`<article class="doc" aria-label="Text" dir="auto"><p class="as-label">${version.title}</p>${text}</article>`}
      ${other === null ? "" : html`${compareForm(path, others, other, people)}${changesPart(version, other)}`}
      ${writes && !isNow ? restorePart(path, version) : ""}`,
  };
}

const compareForm = (path: string, others: readonly Summary[], { id }: Version, people: People): Html =>
  html`<form class="row compare" method="get" action="${path}">${select({
    name: "with",
    label: "Compare with",
    value: id,
    required: true,
    options: others.map(({ id, number, created_at, created_by }) => ({
      value: id,
      label: `Version ${number}, ${dayInWords(created_at)}, ${created_by.name ?? personOf(people, created_by.id).name ?? "someone"}`,
    })),
  })}<button class="second">Compare</button></form>`;

/** From the older to the newer one, whichever of them the person came from. */
function changesPart(one: Version, other: Version): Html {
  const [from, to] = one.number < other.number ? [one, other] : [other, one];
  return html`<section aria-labelledby="changes"><h2 id="changes">From version ${from.number} to version ${to.number}</h2>
    ${from.title === to.title ? "" : html`<p>The title was <strong dir="auto">${from.title}</strong> and became <strong dir="auto">${to.title}</strong>.</p>`}
    ${differences(from.body_md ?? "", to.body_md ?? "")}</section>`;
}

const restorePart = (path: string, { number, title }: Version): Html =>
  fold(
    "Go back to this version",
    html`<p>The doc gets the title <strong dir="auto">${title}</strong> and the text of version ${number}. What it says today stays in its history, so nothing is lost.</p>
    ${act(`${path}/restore`, `Restore version ${number}`, { second: false })}`,
  );
