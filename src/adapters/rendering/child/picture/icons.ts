/** Shapes of nodes and their icons. Icons are paths in a square of 20. */

const ICONS = new Map([
  ["start", "M6 4l10 6-10 6z"],
  ["end", "M5 5h10v10H5z"],
  ["person", "M10 9.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM3.8 17c.5-3.6 3-5.2 6.2-5.2s5.700 1.600 6.200 5.200"],
  ["agent", "M4 7h12v9H4zM10 7V3.500M7.500 11v1M12.500 11v1"],
  ["condition", "M10 3l7 7-7 7-7-7z"],
  ["parallel", "M10 3v4M4 17v-4l6-6 6 6v4"],
  ["approval", "M3.500 10a6.500 6.500 0 1 0 13 0 6.500 6.500 0 0 0-13 0zM7 10.200l2.200 2.200L13.300 8"],
  ["action", "M11 2.500L4.500 11.500H9.500L9 17.500 15.500 8.500H10.500z"],
  ["wait", "M3.500 10a6.500 6.500 0 1 0 13 0 6.500 6.500 0 0 0-13 0zM10 6.200V10l2.800 1.800"],
]);

export const iconOf = (kind: string): string => ICONS.get(kind) ?? "";

/** The outline of a node around its middle, as SVG elements. */
export function outlineOf(kind: string, { width, height }: { width: number; height: number }): string {
  const [x, y] = [width / 2, height / 2];
  const rectangle = (radius: number) =>
    `<rect x="${-x}" y="${-y}" width="${width}" height="${height}" rx="${radius}"/>`;
  if (kind === "start" || kind === "end") return rectangle(y);
  if (kind === "condition") {
    const slope = 22;
    return `<path d="M${-x} 0L${slope - x} ${-y}H${x - slope}L${x} 0L${x - slope} ${y}H${slope - x}z"/>`;
  }
  if (kind === "parallel") return `${rectangle(2)}<path d="M${6 - x} ${-y}V${y}M${x - 6} ${-y}V${y}"/>`;
  return rectangle(kind === "agent" || kind === "action" ? 4 : 12);
}
