import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { showsTyped } from "../site/field-state.ts";
import type { Form } from "../site/forms.ts";

/** What people typed, as the API reads it, and as the form shows it again. */

/** An empty field clears the value. */
export const orNull = (text: string): string | null => (text === "" ? null : text);

/** An empty field leaves the value to the API. */
export const orAbsent = (text: string): string | undefined => (text === "" ? undefined : text);

/** Browsers send texts of several lines with CRLF. */
export const long = (text: string): string => text.replaceAll("\r\n", "\n");

/**
 * A number; what is none is refused by the API, with the field's name. A comma begins the decimals. In `1,000` it may
 * also stand between thousands, so that is refused, too.
 */
export function numberOf(text: string): number | string | null {
  if (text === "") return null;
  if (/^-?[1-9]\d{0,2}(?:,\d{3}){1,6}$/.test(text)) return text;
  const number = Number(text.replace(",", "."));
  return Number.isNaN(number) ? text : number;
}

/** `3 h 30 min`, `1h`, `45m`, `45`, `1:30` → minutes. A minus comes first. What is none of these the API refuses. */
export function minutesOf(text: string): number | string | null {
  if (text === "") return null;
  const parts = /^(-?)(?:(\d{1,6}) ?(?:h|hours?|:))? ?(?:(\d{1,6}) ?(?:m|min|minutes?)?)?$/i.exec(text.slice(0, 40));
  if (!parts || (parts[2] === undefined && parts[3] === undefined)) return text;
  const minutes = 60 * Number(parts[2] ?? 0) + Number(parts[3] ?? 0);
  return parts[1] === "-" ? -minutes : minutes;
}

/** A day that the person left as it was keeps its time of day. See `dayWas`. */
export function dayOf(form: Form, name: string): string | null {
  const [day, was] = [form.text(name), form.text(`${name}_was`)];
  return was !== "" && was.slice(0, 10) === day ? was : orNull(day);
}

/** A hidden field with the time that is stored, for `dayOf`. */
export const dayWas = (name: string, at: string | null): Html | string =>
  at === null ? "" : html`<input type="hidden" name="${name}_was" value="${at}">`;

/** Values of a form's fields: as stored, or as typed, if the form was refused. */
export type Values = {
  of(name: string, stored: string | number | null | undefined): string;
  all(name: string, stored: readonly string[]): readonly string[];
  on(name: string, stored: boolean): boolean;
  refusal: Refusal | undefined;
};

/** @param refusal of this form; undefined if the page has other forms, and one of them was refused */
export const valuesOf = (form: Form, refusal: Refusal | undefined): Values => ({
  of: (name, stored) => (showsTyped(refusal) ? form.text(name) : String(stored ?? "")),
  all: (name, stored) => (showsTyped(refusal) ? form.all(name) : stored),
  on: (name, stored) => (showsTyped(refusal) ? form.text(name) !== "" : stored),
  refusal,
});
