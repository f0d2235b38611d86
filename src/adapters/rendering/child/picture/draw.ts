import type { PictureEdge, PictureNode, PictureToDraw } from "../../../../domain/kernel/ports/document-renderer.ts";
import { iconOf, outlineOf } from "./icons.ts";
import { LABEL, type Layout, layOut, NODE, type Point } from "./layout.ts";
import { STATES, STYLE } from "./style.ts";
import { cutTo, escaped, plain } from "./texts.ts";

/** Characters of texts for those who do not see the picture. */
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 2_000;
/** Characters of a text that is shown when the pointer is on a node. */
const MAX_WHOLE = 50;
const MAX_LABEL_WIDTH = 120;

/** Draws a graph as SVG. It contains no scripts and no links, and every text is escaped. */
export function draw({ title, description, ...graph }: PictureToDraw): string {
  const nodes = graph.nodes.map((node) => ({ ...node, title: plain(node.title), detail: plain(node.detail) }));
  const edges = graph.edges.map((edge) => ({ ...edge, label: labelOf(edge) }));
  const layout = layOut(nodes, edges);
  const { width, height } = layout;
  // Strong edges are above others, and nodes above all edges.
  const lines = edges.map((edge, n) => ({ strong: edge.strong, text: lineOf(edge, layout.edges[n]!) }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escaped(plain(title).slice(0, MAX_TITLE).toWellFormed())}</title>`,
    `<desc id="description">${escaped(plain(description).slice(0, MAX_DESCRIPTION).toWellFormed())}</desc>`,
    `<style>${STYLE}</style>`,
    `<defs>${arrow("arrow")}${arrow("strong")}${CLIP}${symbols(nodes)}</defs>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...lines.sort((a, b) => Number(a.strong) - Number(b.strong)).map(({ text }) => text),
    ...edges.map((edge, n) => drawnLabel(edge.label, layout.edges[n]!.label)),
    ...nodes.map((node, n) => drawnNode(node, layout.nodes[n]!)),
    "</svg>",
  ].join("");
}

const arrow = (id: string) =>
  `<marker id="${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.500L10 5L0 9.500z"/></marker>`;

/** No text leaves its node, whatever the font. */
const CLIP = `<clipPath id="inside"><rect x="${4 - NODE.width / 2}" y="${-NODE.height / 2}" width="${NODE.width - 8}" height="${NODE.height}"/></clipPath>`;

/** The outline and the icon of each kind of node. */
const symbols = (nodes: readonly PictureNode[]): string =>
  [...new Set(nodes.map(({ kind }) => kind))]
    .map((kind) => `<g id="o-${kind}">${outlineOf(kind, NODE)}</g><path id="i-${kind}" d="${iconOf(kind)}"/>`)
    .join("");

function labelOf({ label }: PictureEdge): string | null {
  const text = cutTo(plain(label ?? ""), LABEL.size, MAX_LABEL_WIDTH);
  return text === "" ? null : text;
}

/** A line with round corners. */
function lineOf({ strong }: PictureEdge, { points }: Layout["edges"][number]): string {
  const [first, ...rest] = points;
  let path = `M${at(first!)}`;
  for (const [n, point] of rest.entries()) {
    const next = rest[n + 1];
    path += next
      ? `${n === 0 ? `L${at(between(first!, point))}` : ""}Q${at(point)} ${at(between(point, next))}`
      : `L${at(point)}`;
  }
  return `<path class="edge${strong ? " strong" : ""}" d="${path}"/>`;
}

const at = ({ x, y }: Point): string => `${Math.round(x)} ${Math.round(y)}`;
const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

const drawnLabel = (label: string | null, { x, y }: Point): string =>
  label === null ? "" : `<text class="label" x="${Math.round(x)}" y="${Math.round(y) + 4}">${escaped(label)}</text>`;

const LEFT = 46 - NODE.width / 2;
/** Texts end before the slope of a condition and the bars of a fork. */
const ROOM = NODE.width - 46 - 28;

function drawnNode({ kind, title, detail, state }: PictureNode, place: Point): string {
  const known = STATES.find((name) => name === state?.name);
  const [first, second, third] = state ? [-14, 5, 24] : [-4, 15, 0];
  const shown = cutTo(title, 14, ROOM);
  const more = cutTo(detail, 12, ROOM);
  const isCut = shown !== title || more !== detail;
  const whole = `${title}${detail && ` · ${detail}`}`.slice(0, MAX_WHOLE).toWellFormed();
  return [
    `<g transform="translate(${at(place)})"${known ? ` class="${known}"` : ""}>`,
    isCut ? `<title>${escaped(whole)}</title>` : "",
    `<use href="#o-${kind}" class="box"/><g class="in"><use href="#i-${kind}" class="icon" x="${LEFT - 28}" y="-10"/>`,
    `<text class="title" x="${LEFT}" y="${first}">${escaped(shown)}</text>`,
    more && `<text class="detail" x="${LEFT}" y="${second}">${escaped(more)}</text>`,
    state
      ? `<circle class="dot" cx="${LEFT + 4}" cy="${third! - 4}" r="4"/><text class="word" x="${LEFT + 14}" y="${third}">${escaped(cutTo(plain(state.words), 12, ROOM - 14))}</text>`
      : "",
    "</g></g>",
  ].join("");
}
