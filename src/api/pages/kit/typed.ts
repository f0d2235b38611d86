import { readMinutes, TIME_FORMS } from "../../../domain/kernel/durations.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { showsTyped } from "../site/field-state.ts";
import type { Form } from "../site/forms.ts";
import { dayHere } from "../site/zone.ts";

/** What people typed, as the API reads it, and as the form shows it again. */

/** An empty field clears the value. */
export const orNull = (text: string): string | null => (text === "" ? null : text);

/** An empty field leaves the value to the API. */
export const orAbsent = (text: string): string | undefined => (text === "" ? undefined : text);

/** Browsers send texts of several lines with CRLF. */
export const long = (text: string): string => text.replaceAll("\r\n", "\n");

/**
 * A number. Other text is passed on, and the API refuses it with the field's name. A comma begins the decimals. In `1,000` it may
 * also stand between thousands, so that is refused, too.
 */
export function numberOf(text: string): number | string | null {
  if (text === "") return null;
  if (/^-?[1-9]\d{0,2}(?:,\d{3}){1,6}$/.test(text)) return text;
  const number = Number(text.replace(",", "."));
  return Number.isNaN(number) ? text : number;
}

/** Minutes, from a time as people write it. The API refuses other texts. */
export const minutesOf = (text: string): number | string | null => (text === "" ? null : (readMinutes(text) ?? text));

/** The hint of a field for times. */
export const TIME_HINT = `${TIME_FORMS[0]!.toUpperCase()}${TIME_FORMS.slice(1)}.`;

/** A day that the person left as it was keeps its time of day. See `dayWas`. */
export function dayOf(form: Form, name: string): string | null {
  const [day, was, shown] = [form.text(name), form.text(`${name}_was`), form.text(`${name}_shown`)];
  return was !== "" && shown === day ? was : orNull(day);
}

/**
 * Hidden fields for `dayOf`: the stored date, and the day that the form shows for it, which depends on the page's zone.
 */
export const dayWas = (name: string, date: string | null): Html | string =>
  date === null
    ? ""
    : html`<input type="hidden" name="${name}_was" value="${date}"><input type="hidden" name="${name}_shown" value="${dayHere(date)}">`;

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
