import { hash } from "node:crypto";
import { HtmlSafeString } from "escape-html-template-tag";
import { LRUCache } from "lru-cache";
import { namesOf } from "../../../domain/access/identity/mention-names.sql.ts";
import type { InWorkspace } from "../../../domain/kernel/context.ts";
import type { Html } from "../../../domain/kernel/html.ts";
import { letOthersRun } from "../../../domain/kernel/let-others-run.ts";
import { renderedIds, renderedWith } from "../../../domain/kernel/markdown-names.ts";
import { renderMarkdown } from "../../../domain/work/comments/markdown.ts";
import { issueUrlIn } from "../../../domain/work/comments/write-body.ts";
import { levelsBelow } from "./levels.ts";

/** Texts that people wrote in Markdown. */

/**
 * What was rendered last. A page of a channel has fifty texts, which take most of its time; every page that is told of a
 * change loads them again. Characters of HTML, of which each is a byte or two.
 */
const rendered = new LRUCache<string, string>({ maxSize: 8_000_000, sizeCalculation: (text) => text.length + 200 });

/** Markdown as HTML. Mentions get their present names with the whole page (`withMentionNames`). */
export async function written(
  here: InWorkspace,
  markdown: string,
  project?: { key: string; slug: string },
): Promise<Html> {
  // Links lead to the workspace and its project.
  const about = [here.settings.baseUrl, here.workspace.slug, project?.key, project?.slug, markdown];
  const key = hash("sha256", JSON.stringify(about), "base64url");
  let text = rendered.get(key);
  if (text === undefined) {
    const context = { issueUrl: issueUrlIn(here, project), nameOf: (_: string, typed: string) => typed };
    text = prose(here, await renderMarkdown(markdown, context)).toString();
    rendered.set(key, text);
  }
  return raw(text);
}

/** Many texts as HTML, by their Markdown. Other calls run in between. */
export async function writtenAll(
  here: InWorkspace,
  texts: readonly (string | null | undefined)[],
  project?: { key: string; slug: string },
): Promise<ReadonlyMap<string, Html>> {
  const all = new Map<string, Html>();
  for (const markdown of texts) {
    if (!markdown) continue;
    all.set(markdown, await written(here, markdown, project));
    if (markdown.length > LONG) await letOthersRun();
  }
  return all;
}

const LONG = 500;

/** Rendered Markdown, as the API returns it of comments. It is sanitised already. */
export const prose = ({ settings }: InWorkspace, sanitised: string): Html =>
  raw(`<div class="prose">${forPages(sanitised, settings.baseUrl)}</div>`);

/**
 * Replaces the mentions of a page by current names. A mention of a user of no or another workspace becomes plain text. One
 * query a page, and none for pages without mentions.
 */
export async function withMentionNames(here: InWorkspace, page: Html): Promise<Html> {
  const shown = page.toString();
  const ids = renderedIds(shown);
  if (ids.length === 0) return page;
  const names = await namesOf(here, ids);
  const link = (_: string, text: string) => `<a class="mention" href="/w/${here.workspace.slug}/members">${text}</a>`;
  return raw(renderedWith(shown, names, link));
}

/** HTML that is known to be safe. */
export const raw = (text: string): Html => new HtmlSafeString([text], []);

/**
 * What pages may not contain: inline styles, and images that are no files of ours. Other sites would learn who reads what. Only tags
 * are replaced, because a text has no unescaped `<`. Headings begin below those of the page.
 */
function forPages(sanitised: string, baseUrl: string): string {
  return levelled(sanitised)
    .replaceAll(/<(t[hd]) style="text-align:(left|right|center)"/g, '<$1 class="$2"')
    .replaceAll(/<img ([^<>]*)>/g, (image, attributes: string) => {
      const source = SOURCE.exec(attributes)?.[1] ?? "";
      if (source.startsWith(`${baseUrl}/`) && FILE.test(source.slice(baseUrl.length))) return image;
      const words = ALTERNATIVE.exec(attributes)?.[1] || source;
      return source === "" ? words : `<a href="${source}" rel="nofollow noopener">${words}</a>`;
    })
    .replaceAll(
      /<li>(<p>)?\[([ xX])\] /g,
      (_, paragraph = "", done: string) => `<li class="step">${paragraph}${done === " " ? "☐" : "☑"} `,
    )
    .replaceAll("<table>", '<div class="scrolls" tabindex="0" role="region" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">');
}

/** Paths of attached files. An image of any other page would open it for everybody who reads the text. */
const FILE = /^(?:\/files\/[^/?]+|\/w\/[^/?]+\/p\/[^/?]+\/[^/?]+\/files\/[0-9a-f-]+)$/;

/** Attributes of sanitised HTML are escaped, and in this order. */
const SOURCE = /^src="([^"]*)"/;
const ALTERNATIVE = / alt="([^"]*)"/;

/** The headings of a text as those below a page's own `<h2>`, without leaving out a level. */
function levelled(sanitised: string): string {
  const levelOf = levelsBelow(3);
  let last = 3;
  return sanitised.replaceAll(/<(\/?)h([1-6])>/g, (_, end: string, level: string) => {
    if (end === "") last = levelOf(Number(level));
    return `<${end}h${last}>`;
  });
}
