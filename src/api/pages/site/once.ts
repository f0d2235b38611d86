import { createHash } from "node:crypto";
import type { InWorkspace, WithCredential, Writing } from "../../../domain/kernel/context.ts";
import { refuse } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { newId } from "../../../domain/kernel/ids.ts";
import { lockCall } from "../../engine/idempotency.sql.ts";
import { claimFor, claimKey, retryWhileClaimed, storeReply } from "../../engine/idempotency.ts";
import type { Form } from "./forms.ts";
import type { Site, WorkspaceCall } from "./site.ts";

/**
 * Forms that create a secret. Reloading the page sends the form again, which would create a second secret unnoticed.
 */

/** A hidden input that identifies this sending of the form. */
export const onceField = (): Html => html`<input type="hidden" name="once" value="${newId()}">`;

/**
 * A key for one sending of a form. If the form is filled in differently, the key differs. Null if the form has no
 * such input.
 */
export function onceOf(form: Form, fields: readonly string[]): string | null {
  const once = form.text("once");
  if (once === "") return null;
  const said = JSON.stringify([once, ...fields.map((field) => form.text(field))]);
  return createHash("sha256").update(said).digest("base64url");
}

/** Runs `work` in one transaction, at most once per key. @throws Refusal already_exists, idempotency_in_progress */
export function doOnce<T>(
  site: Site,
  { here, request }: WorkspaceCall,
  key: string | null,
  work: (ctx: InWorkspace & WithCredential & Writing) => Promise<T>,
): Promise<T> {
  if (key === null) return site.write(here, work);
  const { credential, workspace } = here;
  const call = { keyId: credential.id, method: "POST", path: request.path, key, workspaceId: workspace.id };
  const claim = claimFor(call, undefined);
  return retryWhileClaimed(() =>
    site.write(
      here,
      async (ctx) => {
        if (await claimKey(ctx, claim)) return refuseRepeat();
        const made = await work(ctx);
        await storeReply(ctx, claim, { status: 200, body: "" });
        return made;
      },
      lockCall(claim),
    ),
  );
}

export const refuseRepeat = (): never =>
  refuse("already_exists", {
    message:
      "This form was already sent, and the secret was shown then. If you don't have it, revoke it and create another.",
  });
