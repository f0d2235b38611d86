import { Parser } from "htmlparser2";
import { html } from "../../../domain/kernel/html.ts";
import type { Form } from "./forms.ts";
import { storedMeanwhile } from "./meanwhile.ts";

/** A refused form keeps what was typed, on every page: nobody types a text twice because its title was too long. */

/** A part of the page to replace: from, to, by. */
type Change = readonly [from: number, to: number, text: string];

/** These say what the form is about, not what the person typed. */
const KEPT: ReadonlySet<string> = new Set(["hidden", "password", "file", "submit", "button"]);
/** Hidden fields that differ between loads of a page. `…_was` and `…_shown` are the values when the page was loaded. */
const ANEW = /^(once|revision|filters|order)$|_(was|shown)$/;

/**
 * Fills in the page's form that has this address with what was sent, and unfolds it. If several forms have the address,
 * their hidden fields tell which was sent.
 * @param page HTML of ours
 * @param isConflict Somebody else changed the object meanwhile. The page has the values that are stored now.
 */
export function typedAgain(page: string, action: string, sent: Form, isConflict = false): string {
  const folds: Change[] = [];
  const read = new Map<string, number>();
  let found: readonly Change[] = [];
  let form: { changes: Change[]; isIt: boolean; hasFields: boolean; from: number } | null = null;
  let list = "";
  let text: { typed: string; from: number } | null = null;

  /** The next value of the name that was sent. */
  function nextOf(name: string): string | undefined {
    const at = read.get(name) ?? 0;
    read.set(name, at + 1);
    return sent.all(name)[at];
  }

  const sets = new Map<string, ReadonlySet<string>>();
  /** Thousands of values may be sent for a field that has hundreds of choices. */
  function wasChosen(name: string, value: string): boolean {
    const chosen = sets.get(name) ?? new Set(sent.all(name));
    sets.set(name, chosen);
    return chosen.has(value);
  }

  /** Changes to the form's field whose tag is at this place. */
  function fieldChange(tag: string, { name = "", type = "text", value }: Record<string, string>, at: Place): Change[] {
    if (tag === "option")
      return sent.all(list).length > 0 ? [marked(page, at, "selected", wasChosen(list, value ?? ""))] : [];
    if (tag !== "input" || name === "") return [];
    if (type === "radio" && sent.all(name).length === 0) return [];
    if (type === "checkbox" || type === "radio") return [marked(page, at, "checked", wasChosen(name, value ?? "on"))];
    const typed = KEPT.has(type) ? undefined : nextOf(name);
    return typed === undefined ? [] : [valued(page, at, typed)];
  }

  const meanwhile = (from: number): Change => [
    from,
    from,
    storedMeanwhile(page.slice(from, parser.startIndex), sent).toString(),
  ];

  const parser: Parser = new Parser({
    onopentag(tag, attributes) {
      const at = [parser.startIndex, parser.endIndex] as const;
      if (tag === "details") folds.push([at[1], at[1], "open" in attributes ? "" : " open"]);
      if (tag === "form" && attributes.action === action && found.length === 0)
        form = { changes: [...folds], isIt: true, hasFields: false, from: at[1] + 1 };
      if (!form) return;
      const { name = "", type, value = "" } = attributes;
      if (tag === "details") form.changes.push(...folds.slice(-1));
      if (tag === "select") list = name;
      if (name !== "" && tag !== "button" && type !== "hidden") form.hasFields = true;
      if (tag === "textarea") {
        const typed = nextOf(name);
        if (typed !== undefined) text = { typed, from: at[1] + 1 };
      }
      if (type === "hidden" && !ANEW.test(name) && !isSame(sent, name, value)) form.isIt = false;
      form.changes.push(...fieldChange(tag, attributes, at));
    },
    onclosetag(tag) {
      if (tag === "details") folds.pop();
      if (tag === "textarea" && form && text) {
        form.changes.push([text.from, parser.startIndex, html`\n${text.typed}`.toString()]);
        text = null;
      }
      if (tag !== "form" || !form) return;
      if (form.isIt && form.hasFields) found = isConflict ? [...form.changes, meanwhile(form.from)] : form.changes;
      form = null;
      read.clear();
    },
  });
  parser.end(page);
  return changed(page, found);
}

/** Whether a hidden field is as it was sent. There may be several of a name. */
const isSame = (sent: Form, name: string, value: string): boolean =>
  sent.all(name).length === 0 ? value === "" : sent.all(name).some((one) => one.trim() === value.trim());

/** The first and the last character of a tag. */
type Place = readonly [first: number, last: number];

/** With or without an attribute that has no value. */
function marked(page: string, [first, last]: Place, attribute: string, isOn: boolean): Change {
  const tag = page.slice(first, last);
  const bare = tag.replace(` ${attribute}`, "");
  return [first, last, (bare !== tag) === isOn ? tag : `${bare}${isOn ? ` ${attribute}` : ""}`];
}

function valued(page: string, [first, last]: Place, typed: string): Change {
  const bare = page.slice(first, last).replace(/ value="[^"]*"/, "");
  return [first, last + 1, bare + html` value="${typed}">`.toString()];
}

function changed(page: string, changes: readonly Change[]): string {
  let made = "";
  let at = 0;
  for (const [from, to, text] of changes.toSorted(([a], [b]) => a - b)) {
    made += page.slice(at, from) + text;
    at = to;
  }
  return made + page.slice(at);
}
