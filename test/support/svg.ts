import { expect } from "vitest";

/** Pictures that the API draws. */

export const SVG = "image/svg+xml";

/** The texts of an SVG in their order. Fails if it is not well formed, or has anything but the elements of a picture. */
export function textsOf(svg: string): string[] {
  const open: string[] = [];
  const texts: string[] = [];
  const allowed = /^(svg|title|desc|style|defs|marker|path|clipPath|rect|g|use|text|circle)$/;
  const parts = svg.matchAll(/<(\/?)([A-Za-z]+)((?: [a-z][A-Za-z-]*="[^"<]*")*)(\/?)>|([^<]+)|(<)/g);
  for (const [, closing, name, attributes, single, text, stray] of parts) {
    expect(stray, svg.slice(0, 500)).toBeUndefined();
    if (text !== undefined) {
      if (open.at(-1) !== "style") expect(text).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
      if (open.at(-1) === "text") texts.push(unescaped(text));
    } else if (closing) expect(open.pop()).toBe(name);
    else {
      expect(name).toMatch(allowed);
      expect(attributes).not.toMatch(/ on|href="(?!#)/);
      if (!single) open.push(name!);
    }
  }
  expect(open).toEqual([]);
  return texts;
}
const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
