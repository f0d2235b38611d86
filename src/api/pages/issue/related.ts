import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueLinkView } from "../../../domain/work/links/view.ts";
import { issueLine, statusBadge, typeMark } from "../kit/issues.ts";
import { progress } from "../kit/pieces.ts";
import { words } from "../kit/words.ts";
import type { About } from "./page.ts";
import { linkWords } from "./sentences.ts";

/** The issues that an issue has to do with. */

export function childrenPart({ call, issue, children, people, projectBase }: About): Html | string {
  if (issue.children.total === 0) return "";
  const { done, total } = issue.children;
  const shown = { now: call.here.now, base: `/w/${call.here.workspace.slug}`, people };
  const filter = issue.type === "epic" ? "epic" : "parent";
  return html`<section id="children" aria-labelledby="children-title">
    <div class="headline"><h2 id="children-title">${issue.type === "epic" ? "Issues of this epic" : "Children"}</h2>${progress(done, total, "done")}</div>
    <ul class="lines">${children.data.map((child) => issueLine(child, shown))}</ul>
    ${children.next === null ? "" : html`<p><a href="${projectBase}/list?${filter}=${issue.key}">All ${total} issues</a></p>`}</section>`;
}

/** In the order in which they matter. */
const ORDER = ["is blocked by", "blocks", "relates to", "duplicates", "is duplicated by"];

export function linksPart(about: About): Html | string {
  const { links } = about;
  if (links.length === 0) return "";
  const groups = Map.groupBy(links, ({ kind, direction }) => linkWords(kind, direction));
  const sorted = [...groups].sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return html`<section id="links" aria-labelledby="links-title"><h2 id="links-title">Links</h2>
    ${sorted.map(
      ([name, ones]) =>
        html`<h3 class="label">${words(name)}</h3><ul class="lines">${ones.map((link) => linkLine(about, link))}</ul>`,
    )}</section>`;
}

function linkLine({ call }: About, link: IssueLinkView): Html {
  const { target_key: key, target_title, target_type, target_status, target_project_slug: slug } = link;
  return html`<li class="issue-line">${typeMark(target_type)} <span class="quiet key">${key}</span>
    <a class="issue-title" dir="auto" href="/w/${call.here.workspace.slug}/p/${slug}/${key}">${target_title}</a>
    ${statusBadge({ status: target_status, status_name: null })}</li>`;
}
