import { attributeOf, type Markdown, type Token } from "./token.ts";

/**
 * Makes a Markdown parser keep only addresses that an exported file may contain.
 *
 * Links: http, https, mailto, and headings of the same document. A relative address means nothing in a file. Images: only
 * those that are part of the text (`data:`); others become links. So opening the file requests nothing, and the owner of
 * an image's server does not learn who reads the document.
 */
export function checkAddresses(markdown: Markdown): void {
  // An image in the text that is not embedded, such as SVG, becomes its description. The parser would show its source.
  const isValid = markdown.validateLink;
  markdown.validateLink = (address) => ANY_IMAGE.test(address) || isValid(address);

  markdown.core.ruler.push("addresses", ({ tokens, Token }) => {
    let left = MAX_CHARACTERS;
    /** Returns an address if the file may contain it and it is not one too many. */
    const take = (address: string | null) => {
      left -= address?.length ?? 0;
      return left < 0 ? null : address;
    };
    const make = (type: string, tag: string, nesting: 1 | 0 | -1, content = "") =>
      Object.assign(new Token(type, tag, nesting), { content });

    for (const inline of tokens) {
      if (inline.type !== "inline") continue;
      let inLink = false;
      inline.children = (inline.children ?? []).flatMap((token): Token[] => {
        if (token.type === "link_open" || token.type === "link_close") inLink = token.type === "link_open";
        if (token.type === "link_open")
          return [withAddress(token, "href", take(linkAddress(attributeOf(token, "href"))))];
        if (token.type !== "image") return [token];

        const source = attributeOf(token, "src");
        if (IMAGE.test(source)) {
          const image = take(source);
          return image ? [withAddress(token, "src", image)] : [make("text", "", 0, token.content)];
        }
        const address = linkAddress(source);
        const text = make("text", "", 0, token.content || address || "");
        if (inLink) return [text];
        const link = withAddress(make("link_open", "a", 1), "href", take(address));
        return [link, text, make("link_close", "a", -1)];
      });
    }
  });
}

/**
 * Characters of all addresses together. A document that repeats a long address by reference would become hundreds of
 * megabytes long.
 */
const MAX_CHARACTERS = 4_000_000;
const MAX_LENGTH = 4_096;

const LINK = /^(?:https?:\/\/|mailto:)/i;
const ANY_IMAGE = /^data:image\//i;
const IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;

/** Returns a link's address as browsers read it, so that it means the same in every viewer. */
function linkAddress(address: string): string | null {
  if (address === "" || address.length > MAX_LENGTH) return null;
  if (address.startsWith("#")) return address;
  if (!LINK.test(address)) return null;
  const url = URL.parse(address);
  if (!url || !["http:", "https:", "mailto:"].includes(url.protocol)) return null;
  // Encoding may have made it longer. Typst fails at addresses of more than 8,000 characters.
  return url.href.length > MAX_LENGTH ? null : url.href;
}

function withAddress(token: Token, name: string, address: string | null): Token {
  token.attrs = address === null ? [] : [[name, address]];
  return token;
}
