import type { WebhookDeliveryView } from "../../../domain/delivery/webhooks/view.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { code, laidOut } from "../kit/code.ts";
import { act, crumbs, facts } from "../kit/pieces.ts";
import { exactly } from "../kit/times.ts";
import { actions } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { WEBHOOK, webhookPath } from "./webhook.ts";
import { answerOf, deliveryState } from "./webhook-words.ts";

/** One attempt to deliver a message: what was sent, and what came back. */

const DELIVERY = `${WEBHOOK}/:deliveryId`;

export function deliveryPage(site: Site): void {
  site.workspace("get", DELIVERY, (call) => show(site, call));
  actions(site, DELIVERY, (call, refusal) => show(site, call, refusal), {
    retry: {
      operation: "webhooks.deliveries.retry",
      to: (call, made: WebhookDeliveryView) => `${webhookPath(call)}/${made.id}`,
      said: "The message is sent again. Reload the page for its outcome.",
    },
  });
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { id = "", deliveryId = "" } = call.params;
  const one = await site.perform<WebhookDeliveryView>(call, "webhooks.deliveries.get", { params: { id, deliveryId } });
  const base = webhookPath(call);
  return {
    title: one.event_type,
    status: refusal?.status ?? 200,
    body: html`${crumbs([`/w/${call.here.workspace.slug}/webhooks`, "Webhooks"], [base, "Webhook"])}
      <div class="headline"><h1>${one.event_type}</h1>${deliveryState(one)}</div>
      ${refusal ? problemBox(refusal) : ""}
      ${facts([
        ["Answer", answerOf(one) || null],
        ["Error", one.status === 0 ? null : one.error || null],
        ["Attempt", String(one.attempt)],
        ["Recorded", exactly(one.ts)],
        ["Next attempt", one.next_attempt_at ? exactly(one.next_attempt_at) : null],
        ["Message", html`<code>${one.delivery_id}</code>`],
      ])}
      <div class="acts">${act(`${base}/${encodeURIComponent(deliveryId)}/retry`, one.next_attempt_at ? "Send now" : "Send again", { fields: onceField() })}</div>
      ${block("Sent headers", lines(one.request_headers))}
      ${one.body_hidden ? html`<p class="quiet">${HIDDEN[one.body_hidden]}</p>` : ""}
      ${block("Sent body", one.request_body && laidOut(one.request_body))}
      ${block("Answer", one.response_body && laidOut(one.response_body))}`,
  };
}

/** Why the bodies are not shown. */
const HIDDEN: Record<NonNullable<WebhookDeliveryView["body_hidden"]>, string> = {
  scope: "The bodies are not shown, because you may not read events of this type.",
  project: "The bodies are not shown, because you may not read events of this project.",
  private: "The bodies are not shown, because the message is about something private to others.",
};

const lines = (headers: Record<string, string> | null): string | null =>
  headers &&
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

const block = (title: string, text: string | null): Html | string =>
  text ? html`<section><h2>${title}</h2>${code(title, text)}</section>` : "";
