import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { SEARCH_TYPES } from "../../../domain/knowledge/search/inputs.ts";
import type { SearchResultView } from "../../../domain/knowledge/search/view.ts";
import { hidden } from "../kit/fields.ts";
import { statusBadge } from "../kit/issues.ts";
import { pathIn } from "../kit/notifications.ts";
import { badge, empty, pager, tabs } from "../kit/pieces.ts";
import { withoutMarks } from "../kit/plain.ts";
import { ago } from "../kit/times.ts";
import { raw } from "../kit/written.ts";
import type { List } from "../site/perform.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";

/** Search in everything that the person can see. */

const KINDS = {
  ...{ issue: "Issues", doc: "Docs", comment: "Comments", message: "Messages" },
  ...{ project: "Projects", person: "People", goal: "Goals" },
} as const;
const ONE = {
  ...{ issue: "Issue", doc: "Doc", comment: "Comment", message: "Message" },
  ...{ project: "Project", person: "Person", goal: "Goal" },
} as const;

export const searchPage = (site: Site): void => site.workspace("get", "/w/:slug/search", (call) => show(site, call));

async function show(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const q = call.query("q").trim().slice(0, 200);
  const types = typesOf(call);
  let found: List<SearchResultView> = { data: [], next: null };
  let refusal: Refusal | undefined;
  const cursor = call.query("cursor");
  try {
    const query = { q, types: types.join(","), limit: "25", cursor };
    if (q !== "") found = await site.list(call, "search.query", { query });
  } catch (error) {
    refusal = refusalOf(error);
  }
  const base = `/w/${call.here.workspace.slug}/search`;
  const only = types.length === 1 ? types[0]! : "";
  const of = (type: string) => `${base}?${new URLSearchParams({ q, ...(type === "" ? {} : { type }) })}`;
  const first = of(only);
  const kinds = ([["", "Everything"], ...Object.entries(KINDS)] as [string, string][]).map(([type, label]) => ({
    href: of(type),
    label,
    current: type === only,
  }));
  const none = empty(
    "Nothing found",
    "Every word must occur. Try fewer words, or the key of an issue. Quotes find a phrase, and -word leaves out.",
  );
  return {
    title: q === "" ? "Search" : `${q} · Search`,
    status: refusal?.status ?? 200,
    body: html`<h1>Search</h1>
      <form action="${base}" class="search-form"><div class="field"><label for="q">What to look for</label>
        <div class="row"><input id="q" name="q" type="search" maxlength="200" value="${q}"${q === "" ? html` autofocus` : ""}><button>Search</button></div></div>
        ${only === "" ? "" : hidden("type", only)}</form>
      ${q === "" ? "" : tabs("Kinds", kinds)}
      ${refusal ? problemBox(refusal) : q === "" ? "" : found.data.length === 0 ? none : html`<h2 class="out">Results</h2><ol class="lines">${found.data.map((one) => result(one, call.here.now))}</ol>`}
      ${pager(found.next === null ? null : `${first}&cursor=${found.next}`, { first, isFirst: cursor === "", what: "results" })}`,
  };
}

/** All kinds, unless the address names some. */
function typesOf({ request }: WorkspaceCall): readonly (keyof typeof KINDS)[] {
  const asked = [request.query.type ?? []].flat();
  const known = SEARCH_TYPES.filter((type) => asked.includes(type));
  return known.length === 0 ? SEARCH_TYPES : known;
}

/** The API escapes everything in a snippet but its marks. */
function result({ type, title, url, key, status, snippet, updated_at }: SearchResultView, now: string): Html {
  const name = html`${key === null ? "" : html`<span class="quiet key">${key}</span> `}${title}`;
  return html`<li class="object-line"><div class="object-name">
    ${url === null ? html`<p class="strong" dir="auto">${name}</p>` : html`<a class="issue-title strong" href="${pathIn(url)}" dir="auto">${name}</a>`}
    ${snippet ? html`<p class="says snippet" dir="auto">${raw(withoutMarks(snippet))}</p>` : ""}
    <p class="marks quiet">${ONE[type]} <span>${ago(updated_at, now)}</span></p></div>
    ${status === null ? (type === "issue" ? "" : badge(ONE[type], "quiet")) : statusBadge({ status, status_name: null } as never)}</li>`;
}
