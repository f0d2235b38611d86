import { messageOf } from "../../events/message.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { BODY_SHOWN, type DeliveryRow, listDeliveries } from "./deliveries.sql.ts";
import type { WebhookDeliveryView } from "./view.ts";

/** A webhook's attempts, newest first. */
export async function listPage(ctx: InWorkspace, webhookId: string, paging: Paging) {
  const deliveries = { workspaceId: ctx.workspace.id, webhookId, readerId: ctx.principal.user_id };
  const rows = await listDeliveries(ctx.db, deliveries, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.id]);
  return { rows: page.rows.map((row) => deliveryView(row, ctx.workspace)), next_cursor: page.next_cursor };
}

/** Returns the view of a delivery. The body is not stored, but built from the event while that exists. */
export function deliveryView(
  { event, event_created_at, sequence, ...row }: DeliveryRow,
  workspace: Workspace,
): WebhookDeliveryView {
  const body = event && JSON.stringify(messageOf({ ...event, created_at: event_created_at }, workspace, sequence));
  return { ...row, request_body: body?.slice(0, BODY_SHOWN) ?? null };
}
