import { type Html, html } from "../../../domain/kernel/html.ts";
import { idsIn, withNamesOnly } from "../../../domain/kernel/markdown-names.ts";
import { hidden, textArea } from "../kit/fields.ts";
import { FIELD, MOST } from "./mentioned-before.ts";
import { MARKDOWN, mentioning, type Named } from "./mentions.ts";

/** A stored text in a form: `@[Ada Lovelace](id)` stands there as `@Ada Lovelace`, as it was typed. */

type AsTyped = { text: string; mentioned: readonly Named[] };

/** The text with names only, if these lead back to the same text. If not, as it is stored. */
export function asTyped(stored: string): AsTyped {
  const ids = idsIn(stored);
  const raw = { text: stored, mentioned: [] };
  if (ids.length === 0 || ids.length > MOST) return raw;
  const mentioned = ids.map((id) => ({ id, name: nameOf(stored, id) }));
  const text = withNamesOnly(stored);
  return mentioning(text, mentioned) === stored ? { text, mentioned } : raw;
}

/** The name that the text gives to whom it mentions. */
function nameOf(text: string, id: string): string {
  const end = text.indexOf(`](${id})`);
  return text.slice(text.lastIndexOf("@[", end) + 2, end);
}

/** @param typed what was sent and refused, if it was */
export function mentionArea(
  field: Omit<Parameters<typeof textArea>[0], "value">,
  { stored, typed }: { stored: string; typed?: string | undefined },
): Html {
  const { text, mentioned } = asTyped(stored);
  return html`${textArea({ ...field, value: typed ?? text })}${
    mentioned.length === 0 ? "" : hidden(FIELD, JSON.stringify(mentioned.map(({ id, name }) => [id, name])))
  }`;
}

/** The field of a comment, but its value. */
export const commentField = (prefix: string, label: string) => ({
  name: "body_md",
  label,
  prefix,
  rows: 4,
  max: 64_000,
  required: true,
  hint: MARKDOWN,
});

/** A comment that is not stored yet. */
export const commentArea = (prefix: string, label: string, value: string): Html =>
  textArea({ ...commentField(prefix, label), value });
