import { expand } from "../../access/identity/scopes.ts";
import { messageOf } from "../../events/message.ts";
import { type Found, limitedTo } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { closest } from "../../kernel/text.ts";
import { BODY_SHOWN, type DeliveryRow, findDelivery, listDeliveries } from "./deliveries.sql.ts";
import type { WebhookDeliveryQuery } from "./inputs.ts";
import { DELIVERY_STATES, type DeliveryState, type WebhookDeliveryView } from "./view.ts";

/** A webhook's attempts, newest first. @throws Refusal invalid_parameter */
export async function listPage(ctx: InWorkspace, hook: { id: string }, query: WebhookDeliveryQuery, paging: Paging) {
  const { after, limit } = paging;
  const wanted = { states: statesIn(query.status), after, limit: limit + 1 };
  const rows = await listDeliveries(ctx.db, deliveriesOf(ctx, hook), wanted);
  const page = pageOf(rows, paging, (row) => [row.id]);
  return { rows: page.rows.map((row) => deliveryView(row, ctx.workspace)), next_cursor: page.next_cursor };
}

function statesIn(text: string | undefined): DeliveryState[] | null {
  const words = (text ?? "").split(",").flatMap((word) => word.trim() || []);
  const states = words.map((word) => DELIVERY_STATES.find((state) => state === word.toLowerCase()) ?? wrongState(word));
  return states.length === 0 ? null : [...new Set(states)];
}

const wrongState = (value: string): never => {
  const meant = closest(value, DELIVERY_STATES);
  refuse("invalid_parameter", {
    message: `status: ${value} is not a state of deliveries.${meant ? ` Did you mean ${meant}?` : ""}`,
    parameter: "status",
    value,
    allowed: DELIVERY_STATES,
    ...(meant ? { did_you_mean: meant } : {}),
  });
};

/** An attempt by its own id, or the newest attempt of the message with this id. */
export async function read(
  ctx: InWorkspace,
  text: string,
  hook: Hook,
): Promise<Found<WebhookDeliveryView & Pick<Hook, "project_ids">> | null> {
  const id = readId(text);
  const row = id && (await findDelivery(ctx.db, deliveriesOf(ctx, hook), id));
  return limitedTo(row && { ...deliveryView(row, ctx.workspace), project_ids: hook.project_ids });
}

type Hook = { id: string; project_ids: string[] | null };

export const deliveriesOf = ({ workspace, principal }: InWorkspace, { id }: { id: string }) => ({
  workspaceId: workspace.id,
  webhookId: id,
  readerId: principal.user_id,
  readerProjects: principal.project_ids,
  readerScopes: principal.key && [...expand(principal.key.scopes)],
});

/** Returns the view of a delivery. The body is not stored, but built from the event while that exists. */
export function deliveryView(
  { event, event_created_at, sequence, ...row }: DeliveryRow,
  workspace: Workspace,
): WebhookDeliveryView {
  const body = event && JSON.stringify(messageOf({ ...event, created_at: event_created_at }, workspace, sequence));
  return { ...row, request_body: body?.slice(0, BODY_SHOWN) ?? null };
}
