import Markdown from "markdown-it";
import { FOLDS } from "./markdown-elements.ts";

type Token = ReturnType<InstanceType<typeof Markdown>["parse"]>[number];

/** Folds within folds. Tags of further ones are left out. */
const MAX_FOLDS = 20;

/**
 * Makes elements whole, once the texts are parsed: all of a text end in it, and folds become blocks, which end in their
 * quote or list item. So an element that is not closed includes nothing outside.
 */
export function* placeFolds(tokens: readonly Token[]): Iterable<Token> {
  const placed: Token[] = [];
  /** The blocks around the present one: the tags of folds, and null for others. */
  const around: (string | null)[] = [];

  const push = (type: string, tag: string, nesting: 1 | -1, from?: Token) => {
    const token = Object.assign(new Markdown.Token(type, tag, nesting), { block: true });
    if (from) [token.attrs, token.hidden, token.map] = [from.attrs, from.hidden, from.map];
    placed.push(token);
  };
  const closeLast = () => {
    const tag = around.pop()!;
    push(`${tag}_close`, tag, -1);
  };
  function place(tag: string, token: Token) {
    if (token.type === "element_open") {
      const fits =
        tag === "details" ? around.filter((one) => one === tag).length < MAX_FOLDS : around.at(-1) === "details";
      if (!fits) return;
      push(`${tag}_open`, tag, 1);
      placed.at(-1)!.attrs = token.attrs;
      around.push(tag);
      return;
    }
    const at = around.lastIndexOf(tag);
    if (at === -1 || around.includes(null, at)) return;
    while (around.length > at) closeLast();
  }

  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (token.type === "paragraph_open" && after?.children?.some(isFold)) {
      for (const piece of piecesOf(after.children)) {
        if (!Array.isArray(piece)) place(piece.tag, piece);
        else {
          const hidden = token.hidden || around.at(-1) === "summary";
          push("paragraph_open", "p", 1, token);
          placed.at(-1)!.hidden = hidden;
          const text = Object.assign(new Markdown.Token("inline", "", 0), { children: whole(piece), map: after.map });
          text.content = piece.map(({ content }) => content).join("");
          placed.push(text);
          push("paragraph_close", "p", -1);
          placed.at(-1)!.hidden = hidden;
        }
      }
      at += 2;
      yield* placed.splice(0);
      continue;
    }
    if (token.type === "inline" && token.children?.some(isElement)) {
      const isCell = before?.tag === "td" || before?.tag === "th";
      token.children = whole(token.children.filter((child) => isCell || !isFold(child)));
    }
    if (token.nesting === -1) {
      while (around.at(-1) !== null && around.length > 0) closeLast();
      around.pop();
    }
    placed.push(token);
    if (token.nesting === 1) around.push(null);
    yield* placed.splice(0);
  }
  while (around.length > 0) closeLast();
  yield* placed;
}

const isElement = ({ type }: Token) => type === "element_open" || type === "element_close";
const isFold = (token: Token) => isElement(token) && FOLDS.includes(token.tag);

/** Divides a paragraph at the tags of folds: the tags, and the texts between them. Within links and the like, they are left out. */
function piecesOf(children: readonly Token[]): (Token | Token[])[] {
  const pieces: (Token | Token[])[] = [];
  let text: Token[] = [];
  let depth = 0;
  const endText = () => {
    while (isBlank(text[0])) text.shift();
    while (isBlank(text.at(-1))) text.pop();
    if (text.length > 0) pieces.push(text);
    text = [];
  };
  for (const child of children) {
    if (!isFold(child)) {
      if (!isElement(child)) depth += child.nesting;
      text.push(child);
    } else if (depth === 0) {
      endText();
      pieces.push(child);
    }
  }
  endText();
  return pieces;
}

const isBlank = (token: Token | undefined) =>
  token !== undefined &&
  (token.type === "softbreak" || token.type === "hardbreak" || (token.type === "text" && token.content.trim() === ""));

/** The tokens of a text with all elements within each other. An end without a beginning is left out. */
function whole(children: readonly Token[]): Token[] {
  const result: Token[] = [];
  /** The elements around the present token, and null for links and the like. */
  const open: (string | null)[] = [];
  const add = (type: string, tag: string, nesting: 1 | -1) => result.push(new Markdown.Token(type, tag, nesting));
  const closeElements = () => {
    while (open.length > 0 && open.at(-1) !== null) add("element_close", open.pop()!, -1);
  };
  for (const child of children) {
    const { type, tag, nesting } = child;
    if (type === "element_open") {
      if (open.length >= MAX_ELEMENTS) continue;
      open.push(tag);
      add(type, tag, 1);
      result.at(-1)!.attrs = child.attrs;
    } else if (type === "element_close") {
      const at = open.lastIndexOf(tag);
      if (at === -1 || open.includes(null, at)) continue;
      while (open.length > at) add("element_close", open.pop()!, -1);
    } else {
      if (nesting === -1) {
        closeElements();
        open.pop();
      }
      if (nesting === 1) open.push(null);
      result.push(child);
    }
  }
  closeElements();
  return result;
}

/** Elements within elements of a text. */
const MAX_ELEMENTS = 20;
