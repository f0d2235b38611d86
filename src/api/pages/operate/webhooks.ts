import type { WebhookView } from "../../../domain/delivery/webhooks/view.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { adding, empty, pager } from "../kit/pieces.ts";
import { table } from "../kit/tables.ts";
import { ago } from "../kit/times.ts";
import { notice } from "../site/layout.ts";
import { onceField, onceOf } from "../site/once.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { WEBHOOK_FIELDS, webhookFields, webhookOf } from "./webhook-form.ts";
import { answerOfLast, webhookState } from "./webhook-words.ts";

/** The webhooks of a workspace. One is created here; its secret is in the reply to that form only. */

const PATH = "/w/:slug/webhooks";

export function webhooksPage(site: Site): void {
  site.workspace("get", PATH, (call) => show(site, call));
  site.workspace("post", PATH, async (call): Promise<PageAnswer> => {
    try {
      const made = await site.perform<WebhookView & { secret: string }>(call, "webhooks.create", {
        body: webhookOf(call.form),
        once: onceOf(call.form, WEBHOOK_FIELDS),
      });
      return await show(site, call, { told: secretBox(made, `/w/${call.here.workspace.slug}/webhooks/${made.id}`) });
    } catch (error) {
      return show(site, call, { refusal: refusalOf(error) });
    }
  });
}

/** The signing secret, which no other page shows. */
export const secretBox = ({ secret, url }: { secret: string; url: string }, to: string): Html =>
  notice(
    "good",
    html`<p>The signing secret of <a href="${to}">${url}</a>. Copy it now: it is not shown again.</p><code class="secret">${secret}</code>
      <p>Receivers verify messages with it: see <a href="/webhooks.md">receiving webhooks</a>.</p>`,
  );

type Before = { told?: Html; refusal?: Refusal };

async function show(site: Site, call: WorkspaceCall, { told, refusal }: Before = {}): Promise<PageAnswer> {
  const base = `/w/${call.here.workspace.slug}/webhooks`;
  const cursor = call.query("cursor");
  const { data, next } = await site.list<WebhookView>(call, "webhooks.list", { query: { limit: "50", cursor } });
  return {
    title: "Webhooks",
    seen: { kinds: "webhook_disabled" },
    status: refusal?.status ?? 200,
    body: html`<h1>Webhooks</h1>${refusal ? problemBox(refusal) : (told ?? "")}
      <p class="quiet">A webhook sends what happens here to a program of yours, signed, and again until it arrives.</p>
      ${data.length === 0 ? empty("No webhooks yet", "Create one to tell your own programs what happens.") : listOf(data, base, call.here.now)}
      ${pager(next && `${base}?cursor=${next}`, { first: base, isFirst: cursor === "", what: "webhooks" })}
      ${adding(
        "New webhook",
        html`<form method="post" action="${base}">${onceField()}${webhookFields(undefined, refusal && { form: call.form, refusal })}
          <button>Create the webhook</button></form>`,
        { open: refusal !== undefined || (data.length === 0 && told === undefined) },
      )}`,
  };
}

const listOf = (webhooks: readonly WebhookView[], base: string, now: string): Html =>
  table(
    ["Webhook", "State", "Events", "Last message"],
    webhooks.map((webhook) => [
      html`<a class="broken" href="${base}/${webhook.id}">${webhook.url}</a>${webhook.description ? html`<br><span class="quiet">${webhook.description}</span>` : ""}`,
      webhookState(webhook),
      eventsOf(webhook),
      webhook.last_delivery_at
        ? html`${ago(webhook.last_delivery_at, now)} <span class="quiet">${answerOfLast(webhook)}</span>`
        : html`<span class="quiet">none yet</span>`,
    ]),
  );

/** The first events, and how many more. */
export function eventsOf({ event_types: types }: WebhookView): string {
  if (types.includes("*")) return "Everything";
  const more = types.length - 3;
  return `${types.slice(0, 3).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
