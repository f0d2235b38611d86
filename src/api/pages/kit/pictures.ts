import { type Html, html } from "../../../domain/kernel/html.ts";

/** A drawing of the service itself, with a text for those who do not see it. As an image its styles stay its own. */
export const picture = (svg: string, alternative: string): Html =>
  html`<div class="picture" tabindex="0" role="region" aria-label="Picture"><img src="data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}" alt="${alternative}"></div>`;
