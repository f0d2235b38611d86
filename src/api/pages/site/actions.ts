import { hash } from "node:crypto";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { revisionTag } from "../../engine/etag.ts";
import type { Form } from "./forms.ts";
import type { PerformInput } from "./perform.ts";
import { type PageAnswer, refusalOf, type Site, type WorkspaceCall } from "./site.ts";

/** Forms of workspace pages that run one operation each. */

type FormInput = Omit<PerformInput, "once" | "ifMatch">;

export type Action = {
  /** The operation, as the API names it, e.g. `issues.patch`. */
  operation: string;
  /** What the form says, as the input of the operation. Parameters of the page's path are passed on by name. */
  input?: (call: WorkspaceCall) => FormInput | Promise<FormInput>;
  /** Where to go then. `made`: what the operation returned. */
  to: (call: WorkspaceCall, made: never) => string;
  /** What the next page says. */
  said?: string | ((made: never) => string);
  /** For forms with texts that are longer than most may be. */
  maxBytes?: number;
};

/** Shows the page of the form again, with what was wrong and with what was typed. */
export type Again = (call: WorkspaceCall, refusal: Refusal) => Promise<PageAnswer>;

/**
 * Adds the forms of a page: each is a POST to `path` and its name. A form that is sent twice runs once, if it contains
 * `onceField()`. A form with `revisionField()` is refused if somebody else changed the object meanwhile.
 */
export function actions(site: Site, path: string, again: Again, all: Record<string, Action>): void {
  for (const [name, { operation, input, to, said, maxBytes }] of Object.entries(all)) {
    const run = async (call: WorkspaceCall): Promise<PageAnswer> => {
      try {
        const { params, ...rest } = (await input?.(call)) ?? {};
        const made = await site.perform<never>(call, operation, {
          ...rest,
          params: { ...call.params, ...params },
          ifMatch: call.form.text("revision"),
          repeatable: keyOf(call.form),
        });
        return { to: to(call, made), said: typeof said === "function" ? said(made) : (said ?? "") };
      } catch (error) {
        return again(call, refusalOf(error));
      }
    };
    site.workspace("post", `${path}/${name}`, run, maxBytes === undefined ? {} : { maxBytes });
  }
}

/** Null if the form has no `onceField()`. A form that is filled in differently is another one. */
const keyOf = ({ text, said = "" }: Form): string | null =>
  text("once") === "" ? null : hash("sha256", said, "base64url");

/** Makes a form refuse to overwrite what others changed since the page was made. */
export function revisionField(object: object): Html | string {
  const tag = revisionTag(object);
  return tag === null ? "" : html`<input type="hidden" name="revision" value="${tag}">`;
}
