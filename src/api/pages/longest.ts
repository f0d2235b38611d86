import { type Html, html } from "../../domain/kernel/html.ts";

/**
 * The attribute that stops typing where a text is surely too long. Browsers count UTF-16 units, of which a character has
 * one or two, so a text of `characters` is never stopped. The server counts characters.
 */
export const longest = (characters: number): Html => html` maxlength="${2 * characters}"`;
