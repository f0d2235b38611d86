import { type Html, html } from "../../../domain/kernel/html.ts";
import type { About } from "./page.ts";
import type { Shown } from "./read.ts";

/** The Markdown texts that an issue's page shows, without its comments. */
export const textsOf = ({ issue, run, sessions }: Shown): (string | null | undefined)[] => [
  issue.description_md,
  run?.note_md,
  ...(run?.nodes ?? []).map(({ note_md }) => note_md),
  ...sessions.flatMap(({ question, summary }) => [question?.text, summary]),
];

/** Returns the HTML of one of these texts. */
export const textOf = ({ texts }: Pick<About, "texts">, markdown: string): Html =>
  texts.get(markdown) ?? html`${markdown}`;
