import { type Html, html } from "../../../domain/kernel/html.ts";

/** A picture that the API draws. With its size, the page keeps its room and does not shift. */
export type Drawing = { src: string; width?: number; height?: number };

const sized = ({ width, height }: Drawing): Html | string =>
  width && height ? html` width="${width}" height="${height}"` : "";

/** A chart that the API draws. The narrow one is drawn for telephones, so that its texts keep their size. */
export function chart({ wide, narrow, alt }: { wide: Drawing | string; narrow: Drawing | string; alt: string }): Html {
  const [large, small] = [wide, narrow].map((one) => (typeof one === "string" ? { src: one } : one)) as [
    Drawing,
    Drawing,
  ];
  return html`<figure class="chart"><picture><source media="(max-width: 600px)" srcset="${small.src}"${sized(small)}><img src="${large.src}" alt="${alt}"${sized(large)}></picture></figure>`;
}
