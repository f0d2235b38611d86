import { refuseField } from "../../kernel/errors.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { lengthOf, withLineFeeds } from "../../kernel/text.ts";
import { MAX_BODY_CHARACTERS } from "./inputs.ts";
import { isRichText, markdownOf } from "./rich-text.ts";

/** What a doc stores of its text: Markdown, and any JSON as text. */
export type DocBody = { body_md: string | null; body_json: string | null };

/** Bytes of the JSON, as UTF-8. */
const MAX_JSON_BYTES = 1024 * 1024;

/**
 * The text that a body asks for; null if it asks for none. Markdown wins: it is stored with the JSON that came along, and
 * without JSON it clears what was stored. A rich-text tree that comes alone is rendered to Markdown, any other JSON that
 * comes alone has no Markdown. `null` as Markdown beside JSON counts as absent. Other calls run between writing the JSON
 * and rendering it, which take up to 30 ms each.
 * @throws Refusal validation_failed
 */
export async function bodyOf(sent: {
  body_md?: string | null | undefined;
  body_json?: unknown;
}): Promise<DocBody | Pick<DocBody, "body_json"> | null> {
  const { body_md, body_json } = sent;
  if (body_json === undefined) return body_md === undefined ? null : { body_md, body_json: null };
  if (body_json === null) return body_md === undefined ? { body_json: null } : { body_md, body_json: null };
  const json = JSON.stringify(body_json);
  if (Buffer.byteLength(json) > MAX_JSON_BYTES) {
    refuseField("/body_json", "too_long", `must have at most ${MAX_JSON_BYTES} bytes`, { maximum: MAX_JSON_BYTES });
  }
  if (typeof body_md === "string") return { body_md, body_json: json };
  if (!isRichText(body_json)) return { body_md: null, body_json: json };
  await letOthersRun();
  const rendered = checkLength(withLineFeeds(await markdownOf(body_json)), "/body_json");
  await letOthersRun();
  return { body_md: rendered, body_json: json };
}

/** @throws Refusal validation_failed */
export function checkLength(body: string, path: string): string {
  if (lengthOf(body) > MAX_BODY_CHARACTERS) {
    refuseField(path, "too_long", `makes a text of more than ${MAX_BODY_CHARACTERS} characters`, {
      maximum: MAX_BODY_CHARACTERS,
    });
  }
  return body;
}
