import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueLinkView } from "../../../domain/work/links/view.ts";
import { hidden, select, textField } from "../kit/fields.ts";
import { issueLine, statusBadge, typeMark } from "../kit/issues.ts";
import { act, adding, progress } from "../kit/pieces.ts";
import { words } from "../kit/words.ts";
import { onceField } from "../site/once.ts";
import type { About } from "./page.ts";
import { linkWords } from "./sentences.ts";

/** The issues that an issue has to do with. */

export function childrenPart(about: About): Html | string {
  const { call, issue, children, people, projectBase, mayWrite } = about;
  const { done, cancelled, total } = issue.children;
  const mayAdd = mayWrite && issue.type !== "subtask";
  if (total === 0) return mayAdd ? childForm(about) : "";
  const shown = { now: call.here.now, base: `/w/${call.here.workspace.slug}`, people };
  const filter = issue.type === "epic" ? "epic" : "parent";
  return html`<section id="children" aria-labelledby="children-title">
    <div class="headline"><h2 id="children-title">${issue.type === "epic" ? "Issues of this epic" : "Children"}</h2>${total === cancelled ? "" : progress(done, total - cancelled, "done")}${cancelled === 0 ? "" : html` <span class="quiet">${cancelled} cancelled</span>`}</div>
    <ul class="lines">${children.data.map((child) => issueLine(child, shown))}</ul>
    ${children.next === null ? "" : html`<p><a href="${projectBase}/list?${filter}=${issue.key}">All ${counted(total, "issue")}</a></p>`}
    ${mayAdd ? childForm(about) : ""}</section>`;
}

function childForm({ base, issue, call }: About): Html {
  const wasSent = call.form.text("belongs") !== "";
  return adding(
    issue.type === "epic" ? "Add an issue to this epic" : "Add a subtask",
    html`<form method="post" action="${base}/child">${onceField()}${hidden("belongs", issue.type === "epic" ? "epic" : "parent")}
      ${textField({ name: "title", label: "Title", required: true, max: 255, prefix: "child-", value: wasSent ? call.form.text("title") : "" })}<button>Create</button></form>`,
    { open: wasSent },
  );
}

/** In the order in which they matter. */
const RELATIONS = [
  ["blocks:in", "is blocked by"],
  ["blocks:out", "blocks"],
  ["relates_to:out", "relates to"],
  ["duplicates:out", "duplicates"],
  ["duplicates:in", "is duplicated by"],
] as const;
const ORDER: readonly string[] = RELATIONS.map(([, name]) => name);

export function linksPart(about: About): Html | string {
  const { links, mayWrite } = about;
  if (links.length === 0) return mayWrite ? linkForm(about) : "";
  const groups = Map.groupBy(links, ({ kind, direction }) => linkWords(kind, direction));
  const sorted = [...groups].sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return html`<section id="links" aria-labelledby="links-title"><h2 id="links-title">Links</h2>
    ${sorted.map(
      ([name, ones]) =>
        html`<h3 class="label">${words(name)}</h3><ul class="lines">${ones.map((link) => linkLine(about, link))}</ul>`,
    )}
    ${mayWrite ? linkForm(about) : ""}</section>`;
}

function linkLine({ call, base, mayWrite }: About, link: IssueLinkView): Html {
  const { id, target_key: key, target_title, target_type, target_status, target_project_slug: slug } = link;
  return html`<li class="issue-line">${typeMark(target_type)} <span class="quiet key">${key}</span>
    <a class="issue-title" dir="auto" href="/w/${call.here.workspace.slug}/p/${slug}/${key}">${target_title}</a>
    ${statusBadge({ status: target_status, status_name: null })}
    ${mayWrite ? act(`${base}/link-delete`, "Remove", { fields: hidden("id", id), name: `Remove the link to ${key}` }) : ""}</li>`;
}

function linkForm({ base, call, refusal }: About): Html {
  const { form } = call;
  const relation = form.text("relation");
  return adding(
    "Add a link",
    html`<form method="post" action="${base}/link"><div class="row">
      ${select({ name: "relation", label: "This issue", required: true, value: relation, options: RELATIONS.map(([value, label]) => ({ value, label })) })}
      ${textField({ name: "target_key", label: "Issue", required: true, placeholder: "WEB-1", value: form.text("target_key"), refusal })}
      <button>Link</button></div></form>`,
    { open: relation !== "" },
  );
}
