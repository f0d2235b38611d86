import { hasScope } from "../../../domain/access/identity/scopes.ts";
import type { InWorkspace, WithCredential } from "../../../domain/kernel/context.ts";
import { refuse } from "../../../domain/kernel/errors.ts";
import type { Seen } from "../../../domain/knowledge/notifications/notifications.sql.ts";
import { markAbout } from "../../../domain/knowledge/notifications/notifications.ts";
import type { MarkReadQuery } from "../../../domain/knowledge/notifications/view.ts";

const SCOPE = "notifications:write";

/** Marks the caller's notifications about an object that is read as read, if the call asks for it. @throws Refusal insufficient_scope */
export async function markIfAsked(
  ctx: InWorkspace & WithCredential,
  { mark_read }: MarkReadQuery,
  seen: Seen,
): Promise<void> {
  if (mark_read !== "true") return;
  if (!hasScope(ctx.principal, ctx.credential, SCOPE)) {
    refuse("insufficient_scope", {
      message: `With mark_read, the key needs the scope ${SCOPE}.`,
      required_scope: SCOPE,
      granted: ctx.credential.scopes,
    });
  }
  await markAbout(ctx, seen);
}
