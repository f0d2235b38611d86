import { type Token, textOf } from "./token.ts";

/**
 * Returns a unique id for each heading, by its token. Ids are made as on GitHub, so that links between headings work.
 * They begin with `h-`, so that no heading takes the name of something else in a page.
 */
export function headingIds(tokens: readonly Token[]): Map<Token, string> {
  const ids = new Map<Token, string>();
  const used = new Set<string>();
  const counts = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const slug = slugOf(textOf(tokens[at + 1]));
    let id = slug;
    while (used.has(id)) {
      const count = (counts.get(slug) ?? 0) + 1;
      counts.set(slug, count);
      id = `${slug}-${count}`;
    }
    used.add(id);
    ids.set(token, id);
  }
  return ids;
}

/** Whether a document begins with its title as a headline. */
export const startsWithTitle = ([first, text]: readonly Token[], title: string): boolean =>
  first?.type === "heading_open" && first.tag === "h1" && textOf(text).trim() === title.trim();

/** Returns the id that a link such as `#two-words` names. */
export function idOfLink(href: string): string {
  try {
    return slugOf(decodeURIComponent(href.slice(1)));
  } catch {
    return "";
  }
}

const OTHER = /[^\p{L}\p{M}\p{N}\s_-]+/gu;
const SPACE = /\s/g;

const slugOf = (text: string): string =>
  `h-${text.slice(0, 100).toWellFormed().trim().toLowerCase().replace(OTHER, "").replace(SPACE, "-")}`;
