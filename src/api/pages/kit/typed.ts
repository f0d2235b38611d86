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
 * A number; what is none is refused by the API, with the field's name. A comma begins the decimals. In `1,000` it may
 * also stand between thousands, so that is refused, too.
 */
export function numberOf(text: string): number | string | null {
  if (text === "") return null;
  if (/^-?[1-9]\d{0,2}(?:,\d{3}){1,6}$/.test(text)) return text;
  const number = Number(text.replace(",", "."));
  return Number.isNaN(number) ? text : number;
}

/** Of a working day. */
const MINUTES_OF_DAY = 8 * 60;

/**
 * `3 h 30 min`, `1.5h`, `1,5 h`, `2d 4h`, `45m`, `45`, `1:30` → minutes. A day is a working day of 8 hours. A minus comes
 * first. The API refuses other texts.
 */
export function minutesOf(text: string): number | string | null {
  if (text === "") return null;
  const parts = TIME.exec(text.slice(0, 40).trim());
  const { minus = "", days, hours, clock, minutes } = parts?.groups ?? {};
  if ([days, hours, clock, minutes].every((part) => part === undefined)) return text;
  const number = (part = "0") => Number(part.replace(",", "."));
  const sum = MINUTES_OF_DAY * number(days) + 60 * (number(hours) + number(clock)) + number(minutes);
  return (minus === "-" ? -1 : 1) * Math.round(sum);
}

const TIME =
  /^(?<minus>-?)(?:(?<days>\d{1,6}(?:[.,]\d{1,2})?) ?d(?:ays?)?)? ?(?:(?<hours>\d{1,6}(?:[.,]\d{1,2})?) ?h(?:ours?)?|(?<clock>\d{1,6}):(?=\d))? ?(?:(?<minutes>\d{1,6}) ?(?:m|min|minutes?)?)?$/i;

/** What the hint of a field for times says. */
export const TIME_FORMS = "Such as 3 h 30 min, 1.5 h, 45 min or 2 d 4 h; a day has 8 hours.";

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
