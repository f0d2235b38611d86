import { refuse } from "../../kernel/errors.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { checkLength } from "./body.ts";
import { docErrors } from "./errors.ts";
import { findAll } from "./find-all.ts";
import { nearestTo } from "./nearest.ts";

export type Edits = { append: string; replace: readonly { find: string; with: string }[] };

/** Places of an ambiguous text that an error lists. */
const MAX_PLACES = 10;

/**
 * The text with replacements made, one after the other, and then with the addition. Other calls run between two
 * replacements.
 * @throws Refusal replace_not_found with the nearest text, replace_ambiguous with the lines, validation_failed
 */
export async function editedText(text: string, { append, replace }: Edits): Promise<string> {
  let edited = text;
  for (const [n, { find, with: by }] of replace.entries()) {
    if (n > 0) await letOthersRun();
    const at = await onlyPlace(edited, find, n);
    edited = checkLength(edited.slice(0, at) + by + edited.slice(at + find.length), `/replace/${n}/with`);
  }
  return append === "" ? edited : checkLength(appended(edited, append), "/append");
}

/** An addition begins on a new line, unless the text is empty or ends with a line break. */
const appended = (text: string, more: string): string =>
  text === "" || text.endsWith("\n") ? text + more : `${text}\n${more}`;

async function onlyPlace(text: string, find: string, n: number): Promise<number> {
  const { count, positions } = await findAll(text, find, MAX_PLACES);
  if (count === 1) return positions[0]!;
  const where = { path: `/replace/${n}/find`, index: n, count };
  if (count > 1) refuse(docErrors.replace_ambiguous, { ...where, lines: linesOf(text, positions) });
  await letOthersRun();
  refuse(docErrors.replace_not_found, { ...where, nearest: await nearestTo(text, find) });
}

/** Numbers of the lines in which these places are, from 1. */
function linesOf(text: string, positions: readonly number[]): number[] {
  const lines: number[] = [];
  let [line, from] = [1, 0];
  for (const position of positions) {
    for (let at = text.indexOf("\n", from); at !== -1 && at < position; at = text.indexOf("\n", from)) {
      line++;
      from = at + 1;
    }
    lines.push(line);
  }
  return lines;
}
