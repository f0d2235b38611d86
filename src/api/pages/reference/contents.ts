import { type Html, html } from "../../../domain/kernel/html.ts";
import { closest } from "../../../domain/kernel/text.ts";
import { GUIDES } from "../../discovery/guides.ts";
import type { Call, Description } from "./description.ts";
import { inlineMarkdown } from "./markdown.ts";

/** The first page of the reference: a search, the guides, and all operations and events by chapter. */
export function contentsPage(api: Description, asked: string): Html {
  const found = asked ? searched(api, asked) : null;
  return html`<h1>API reference</h1>
<form class="inline-form" role="search" action="/docs" method="get">
  <div class="field"><label for="q">Find an operation or event</label>
  <input id="q" name="q" type="search" value="${asked}" maxlength="200" placeholder="create issue"></div>
  <button>Search</button>
</form>
${found ? results(asked, found) : contents(api)}`;
}

type Entry = { href: string; code: string; summary: string; words: string };

const entryOf = (call: Call): Entry => ({
  href: `/docs/${call.operationId}`,
  code: `${call.method} ${call.path}`,
  summary: call.summary,
  words: `${call.operationId} ${call.tags[0]} ${call.method} ${call.path} ${call.summary} ${call.description ?? ""}`,
});

const eventEntries = (api: Description): Entry[] =>
  Object.entries(api.webhooks).map(([name, { post }]) => ({
    href: `/docs/events/${name}`,
    code: name,
    summary: post.summary,
    words: `${name} event webhook ${post.summary}`,
  }));

/** The entries that contain all words of a search, those first that have them as words of code and summary. */
function searched(api: Description, asked: string): Entry[] {
  const entries = [...[...api.calls.values()].map(entryOf), ...eventEntries(api)];
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const found = withAll(entries, words);
  if (found.length > 0) return found;
  const known = [...new Set(entries.flatMap((entry) => wordsIn(`${entry.code} ${entry.summary}`)))];
  return withAll(
    entries,
    words.map((word) => closest(word, known) ?? word),
  );
}

function withAll(entries: readonly Entry[], words: readonly string[]): Entry[] {
  const places = ({ code, summary }: Entry) => {
    const heading = wordsIn(`${summary} ${code}`);
    return words.filter((word) => heading.some((one) => one.startsWith(word))).length;
  };
  return entries
    .filter((entry) => words.every((word) => entry.words.toLowerCase().includes(word)))
    .map((entry) => ({ entry, rank: places(entry) }))
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
}

const wordsIn = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

const results = (asked: string, found: Entry[]): Html =>
  found.length > 0
    ? html`<h2>${found.length} for “${asked}”</h2>${list(found)}<p><a href="/docs">All operations</a></p>`
    : html`<p>Nothing has all of these words. Use fewer or shorter ones, or see <a href="/docs">all operations</a>.</p>`;

const list = (entries: Entry[]): Html =>
  html`<ul class="fields">${entries.map(
    ({ href, code, summary }) => html`<li><a href="${href}">${summary}</a> <code>${code}</code></li>`,
  )}</ul>`;

function contents(api: Description): Html {
  const byTag = Map.groupBy(api.calls.values(), ({ tags: [tag] }) => tag);
  const abouts = new Map(api.tags.map(({ name, description }) => [name, description]));
  const chapters = api["x-tagGroups"].map(
    ({ name, tags }) => html`<section class="card" aria-label="${name}"><h2>${name}</h2>
${tags.map(
  (tag) => html`<h3 id="${tag}">${tag}</h3><p>${inlineMarkdown(abouts.get(tag) ?? "")}</p>
${list((byTag.get(tag) ?? []).map(entryOf))}`,
)}</section>`,
  );
  return html`<p>One REST API for people's programs and agents. A key has fine scopes, and never more rights than its owner.
  <a href="/api/v1/openapi.json">openapi.json</a> describes it for programs, <a href="/llms.txt">llms.txt</a> introduces
  agents, <a href="/auth.md">auth.md</a> says how to connect, and <a href="/problems">errors</a> has a page for each code.
  <a href="/readyz">Health</a> says whether the service is ready, and <a href="/sign-in">sign in</a> to get a key.</p>
<nav class="card" aria-labelledby="contents"><h2 id="contents">Contents</h2><ul class="fields">
${api["x-tagGroups"].map(
  ({ name, tags }) =>
    html`<li>${name}: ${tags.map((tag, n) => html`${n ? ", " : ""}<a href="#${tag}">${tag}</a>`)}</li>`,
)}
<li><a href="#events">Events</a></li></ul></nav>
<section class="card" aria-labelledby="guides"><h2 id="guides">Guides</h2><ul>
${Object.entries(GUIDES).map(([name, { title, about }]) => html`<li><a href="/${name}.md">${title}</a>: ${about}</li>`)}
<li><a href="/changelog.md">Changes of the API</a></li></ul></section>
${chapters}
<section class="card" aria-labelledby="events"><h2 id="events">Events</h2>
<p>Webhooks and event streams send them. <a href="/webhooks.md">Webhooks</a> says how to receive them.</p>
${list(eventEntries(api))}</section>`;
}
