import type { Context } from "koa";
import type { Warning } from "../../../domain/kernel/context.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { notice } from "./layout.ts";
import { ownCookie, readCookie, setCookie } from "./visitors.ts";

/** What the page after a sent form says about it. It travels in a cookie, so that a reload does not say it again. */

const NAME = "muster_said";
const MAX_LENGTH = 1_500;
const MAX_AGE_SECONDS = 60;

/** Keeps a sentence, and the warnings of the change, for the next page. What is too long for a cookie is cut. */
export function say(request: Context, baseUrl: string, said: string | undefined, warnings: readonly Warning[]): void {
  const texts = [...(said ? [said] : []), ...warnings.map(({ message }) => message)];
  if (texts.length === 0) return;
  // A character has up to three bytes per UTF-16 unit, and base64 makes four of three.
  const text = ((said ? "g" : "w") + texts.join("\n")).slice(0, MAX_LENGTH / 4);
  setCookie(request, baseUrl, ownCookie(baseUrl, NAME), Buffer.from(text).toString("base64url"), MAX_AGE_SECONDS);
}

/** The notices about the form that was sent before this page. */
export function heard(request: Context, baseUrl: string): Html {
  const name = ownCookie(baseUrl, NAME);
  const cookie = readCookie(request, name, MAX_LENGTH);
  if (!cookie) return html``;
  setCookie(request, baseUrl, name, "", 0);
  const [kind, ...rest] = Buffer.from(cookie, "base64url").toString();
  const [first = "", ...more] = rest.join("").split("\n").filter(Boolean);
  const warnings = kind === "g" ? more : [first, ...more];
  return html`${kind === "g" && first !== "" ? notice("good", first) : ""}${warnings.map((text) => notice("info", text))}`;
}
