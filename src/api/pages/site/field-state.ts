import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";

/** Id of the error box; see problemBox. */
export const PROBLEM_ID = "problem";

/** What was wrong with each field, as sentences. */
const errorsOf = (refusal: Refusal | undefined): { path: string; line: string }[] =>
  ((refusal?.details.errors ?? []) as { path: string; message: string }[]).map(({ path, message }) => ({
    path,
    line: lineOf(path, message),
  }));

export const errorLines = (refusal: Refusal): string[] => errorsOf(refusal).map(({ line }) => line);

const isAt = (path: unknown, field: string) => path === `/${field}` || String(path).startsWith(`/${field}/`);

/** What was wrong with a field. Null: nothing that is known. */
export const fieldError = (refusal: Refusal | undefined, field: string): string | null =>
  errorsOf(refusal)
    .filter(({ path }) => isAt(path, field))
    .map(({ line }) => line)
    .join(" ") || null;

/** `/your_name`, "is required" → "Your name is required". A whole sentence stays as it is. */
function lineOf(path: string, message: string): string {
  const [field = ""] = path.slice(1).split("/");
  const words = own(FIELDS, field) ?? field.replace(/_(?:md|ids?|at|usd|pct)$/, "").replaceAll("_", " ");
  const name = words.slice(0, 1).toUpperCase() + words.slice(1);
  return /^\p{Lu}/u.test(message) ? `${name}: ${message}`.replace(/^: /, "") : `${name} ${message}`.trim();
}

/** Fields that forms call otherwise than the API, even without the ending that says what kind of value it is. */
const FIELDS: Record<string, string> = {
  email: "The e-mail address",
  slug: "The address",
  url: "The address",
  expires_at: "The expiry",
  body_md: "The text",
  status_id: "The column",
  default_status_id: "The column",
  story_points: "The points",
  estimate_minutes: "The estimate",
  minutes: "The time",
  spent_on: "The day",
  target_key: "The issue",
  issue_key: "The issue",
  user_id: "The person",
  wip_limit: "The limit",
  rate_limit_per_minute: "The limit",
  spend_cap_usd: "The cap",
  start_at: "The beginning",
  end_at: "The end",
  due_at: "The due date",
  close_at: "The last day",
  cycle_start_at: "The beginning",
  cycle_due_at: "The due date",
  target_at: "The target date",
  default_locale: "The language",
};

/**
 * Accessibility attributes of a form's input: whether it is invalid, and what describes it.
 * @param field as the error names it
 * @param hint id of the text below the input
 * @param error id of the text that says what is wrong with this field. Without one, the box above the form does.
 */
export function fieldState(refusal: Refusal | undefined, field: string, hint?: string, error = PROBLEM_ID): Html {
  const paths = [...errorsOf(refusal).map(({ path }) => path), refusal?.details.path];
  const refused = paths.some((path) => isAt(path, field));
  const described = [refused ? error : "", hint ?? ""].filter(Boolean).join(" ");
  return html`${refused ? html` aria-invalid="true"` : ""}${described ? html` aria-describedby="${described}"` : ""}`;
}

/**
 * Puts the focus of a page that shows a refused form again on the first input that is wrong, otherwise on the box that
 * says why. A page that focuses something itself stays as it is.
 */
export function focusedOnProblem(page: string): string {
  if (page.includes(" autofocus")) return page;
  const input = page.replace(
    /(<(?:input|select|textarea) [^<>]{0,3000}) aria-invalid="true"/,
    '$1 autofocus aria-invalid="true"',
  );
  return input === page ? page.replace(` id="${PROBLEM_ID}"`, ` id="${PROBLEM_ID}" tabindex="-1" autofocus`) : input;
}

/** Whether the form shows what was typed. After a conflict it shows what is stored; the framework adds what was typed. */
export const showsTyped = (refusal: Refusal | undefined): refusal is Refusal =>
  refusal !== undefined && !refusal.is("precondition_failed");
