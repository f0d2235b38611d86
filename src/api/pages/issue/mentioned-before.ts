import type { Form } from "../site/forms.ts";
import type { Named } from "./mentions.ts";

/** The field of a form that tells whom its text mentions by name. */
export const FIELD = "mentions_was";
export const MOST = 50;
const ID = /^[0-9a-fA-F-]{32,36}$/;

/** Whom the text of a form mentioned when the form was made. */
export function mentionedBefore(form: Form): Named[] {
  const sent = form.text(FIELD);
  if (sent === "") return [];
  try {
    const all: unknown = JSON.parse(sent);
    if (!Array.isArray(all)) return [];
    return all.slice(0, MOST).flatMap((one: unknown) => {
      const [id, name] = Array.isArray(one) ? (one as unknown[]) : [];
      return typeof id === "string" && typeof name === "string" && ID.test(id) ? [{ id, name }] : [];
    });
  } catch {
    return [];
  }
}
