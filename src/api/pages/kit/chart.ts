import { type Html, html } from "../../../domain/kernel/html.ts";

/** A chart that the API draws. The narrow one is drawn for telephones, so that its texts keep their size. */
export const chart = ({ wide, narrow, alt }: { wide: string; narrow: string; alt: string }): Html =>
  html`<figure class="chart"><picture><source media="(max-width: 600px)" srcset="${narrow}"><img src="${wide}" alt="${alt}"></picture></figure>`;
