import type { Form } from "../site/forms.ts";
import type { Named } from "./mentions.ts";

/** The field of a form that tells whom its text mentions by name. */
export const FIELD = "mentions_was";
export const MOST = 50;
/** Characters of a name. Anybody can send longer ones, each of which is looked for at each sign. */
const LONGEST = 200;
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
      if (typeof id !== "string" || typeof name !== "string" || name.length > LONGEST) return [];
      return ID.test(id) ? [{ id, name }] : [];
    });
  } catch {
    return [];
  }
}
