import { DomUtils, parseDocument } from "htmlparser2";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { Form } from "./forms.ts";
import { notice } from "./layout.ts";

/** What is stored where it differs from what was typed: nobody replaces what somebody else wrote without seeing it. */

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** @param form HTML of a form of ours, with the values that are stored now */
export function storedMeanwhile(form: string, sent: Form): Html | "" {
  const root = parseDocument(form).children;
  const labels = new Map(tags("label", root).map((label) => [label.attribs.for ?? "", label]));
  const seen = new Set<string>();
  const pairs: [label: string, stored: string][] = [];
  for (const field of DomUtils.findAll(({ name }) => FIELDS.has(name), root)) {
    const { name = "", type = "text", id = "" } = field.attribs;
    if (name === "" || IGNORED.has(type) || seen.has(name)) continue;
    seen.add(name);
    const isTicked = type === "checkbox" || type === "radio";
    if (!isTicked && sent.all(name).length === 0) continue;
    const same = DomUtils.findAll(({ attribs }) => attribs.name === name, root);
    const [stored, words] = storedIn(same, labels);
    if (sameList(stored, sent.all(name))) continue;
    const legend = same.length > 1 ? legendOf(field) : undefined;
    pairs.push([legend ?? labelText(labels.get(id)) ?? name, words.join(", ") || "Nothing"]);
  }
  if (pairs.length === 0) return "";
  return notice(
    "bad",
    html`<p><strong>Somebody else changed this meanwhile.</strong> Where it differs from what you entered, it now is:</p>
    <dl class="facts">${pairs.map(([label, stored]) => html`<dt>${label}</dt><dd class="plain-text" dir="auto">${stored}</dd>`)}</dl>
    <p>Saving what you entered replaces it.</p>`,
  );
}

const FIELDS: ReadonlySet<string> = new Set(["input", "select", "textarea"]);
const IGNORED: ReadonlySet<string> = new Set(["hidden", "password", "file", "submit", "button"]);

const tags = (name: string, root: Parameters<typeof DomUtils.getElementsByTagName>[1]) =>
  DomUtils.getElementsByTagName(name, root);

/** Values of the fields of one name, and how people know them. */
function storedIn(fields: readonly Element[], labels: ReadonlyMap<string, Element>): [string[], string[]] {
  const [field] = fields;
  if (field?.name === "textarea") return twice(DomUtils.textContent(field).replace(/^\n/, ""));
  if (field?.name === "select") {
    const options = tags("option", field.children);
    const chosen = options.find(({ attribs }) => "selected" in attribs) ?? options[0];
    const text = chosen ? DomUtils.textContent(chosen) : "";
    return [[chosen?.attribs.value ?? text], [text]];
  }
  if (field?.attribs.type !== "checkbox" && field?.attribs.type !== "radio") return twice(field?.attribs.value ?? "");
  const on = fields.filter(({ attribs }) => "checked" in attribs);
  const values = on.map(({ attribs }) => attribs.value ?? "on");
  if (fields.length === 1) return [values, [on.length > 0 ? "Yes" : "No"]];
  return [values, on.map(({ attribs }) => labelText(labels.get(attribs.id ?? "")) ?? "")];
}

const twice = (value: string): [string[], string[]] => [[value], value === "" ? [] : [value]];

const plain = (value: string) => value.replaceAll("\r\n", "\n").trim();
const listed = (values: readonly string[]) => values.map(plain).filter(Boolean).sort().join("\n\n");
const sameList = (one: readonly string[], other: readonly string[]): boolean => listed(one) === listed(other);

/** Without what follows it, such as “optional”. */
const labelText = (label: Element | undefined): string | undefined =>
  label?.children
    .filter(({ type }) => type === "text")
    .map(DomUtils.textContent)
    .join("")
    .trim();

function legendOf(field: Element): string | undefined {
  for (let at = field.parent; at; at = at.parent) {
    if ("name" in at && at.name === "fieldset") return DomUtils.textContent(tags("legend", at.children).slice(0, 1));
  }
  return undefined;
}
