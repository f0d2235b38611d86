import type { WebhookDeliveryView, WebhookReplayView, WebhookView } from "../../../domain/delivery/webhooks/view.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { hidden, select } from "../kit/fields.ts";
import { act, crumbs, empty, facts, fold, pager } from "../kit/pieces.ts";
import { table } from "../kit/tables.ts";
import { ago, exactly } from "../kit/times.ts";
import { numberOf } from "../kit/typed.ts";
import { actions, revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField, onceOf } from "../site/once.ts";
import type { List } from "../site/perform.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { valuesOf, webhookFields, webhookOf } from "./webhook-form.ts";
import { answerOf, deliveryState, STATE_FILTERS, webhookState } from "./webhook-words.ts";
import { eventsOf, secretBox } from "./webhooks.ts";

/** A webhook: what it has sent, and its settings. */

export const WEBHOOK = "/w/:slug/webhooks/:id";

export const webhookPath = ({ here, params }: WorkspaceCall): string =>
  `/w/${here.workspace.slug}/webhooks/${encodeURIComponent(params.id ?? "")}`;

export function webhookPage(site: Site): void {
  site.workspace("get", WEBHOOK, (call) => show(site, call));
  const to = webhookPath;
  actions(site, WEBHOOK, (call, refusal) => show(site, call, { refusal }), {
    change: {
      operation: "webhooks.patch",
      input: ({ form }) => ({ body: webhookOf(form) }),
      to,
      said: "The webhook is changed.",
    },
    enabled: {
      operation: "webhooks.patch",
      input: ({ form }) => ({ body: { enabled: form.text("enabled") === "true" } }),
      to,
      said: ({ enabled }: WebhookView) =>
        enabled
          ? "The webhook is enabled. Messages of the meantime are sent only if you send them again."
          : "The webhook is disabled.",
    },
    test: {
      operation: "webhooks.test",
      to: (call, made: WebhookDeliveryView) => `${to(call)}/${made.id}`,
      said: "A test message is sent.",
    },
    replay: {
      operation: "webhooks.replay",
      input: ({ form, here }) => ({ body: replayOf(form.text("since"), form.text("what"), here.now) }),
      to,
      said: ({ queued, clamped }: WebhookReplayView) =>
        `${queued === null ? "All messages" : counted(queued, "message")} of that time will be sent again.${clamped ? " Older ones are not kept." : ""}`,
    },
    delete: {
      operation: "webhooks.delete",
      to: ({ here }) => `/w/${here.workspace.slug}/webhooks`,
      said: "The webhook is deleted.",
    },
  });
  site.workspace("post", `${WEBHOOK}/secret`, async (call): Promise<PageAnswer> => {
    try {
      const made = await site.perform<WebhookView & { secret: string }>(call, "webhooks.rotate-secret", {
        params: { id: call.params.id ?? "" },
        body: { grace_seconds: numberOf(call.form.text("grace_seconds")) ?? undefined },
        once: onceOf(call.form, ["grace_seconds"]),
      });
      return await show(site, call, { told: secretBox(made, to(call)) });
    } catch (error) {
      return show(site, call, { refusal: refusalOf(error) });
    }
  });
}

/** In seconds. */
const GRACES = [
  { value: "0", label: "at once" },
  { value: "3600", label: "in an hour" },
  { value: "86400", label: "in a day" },
  { value: "604800", label: "in a week" },
] as const;

const HOUR = 3_600_000;
const SPANS = [
  { value: "1", label: "the last hour" },
  { value: "24", label: "the last day" },
  { value: "72", label: "the last three days" },
  { value: "720", label: "the last 30 days" },
] as const;
const LOST = { value: "lost", label: "Messages that did not arrive" };
const ALL = { value: "all", label: "All messages" };

const replayOf = (hours: string, what: string, now: string) => ({
  since: new Date(Date.parse(now) - (Number(hours) || 1) * HOUR).toISOString(),
  states: what === ALL.value ? ["failed", "skipped", "succeeded"] : ["failed", "skipped"],
});

type Before = { told?: Html; refusal?: Refusal };

async function show(site: Site, call: WorkspaceCall, { told, refusal }: Before = {}): Promise<PageAnswer> {
  const params = { id: call.params.id ?? "" };
  const [status, cursor] = [call.query("status"), call.query("cursor")];
  const [webhook, deliveries, projects] = await Promise.all([
    site.perform<WebhookView>(call, "webhooks.get", { params }),
    site.list<WebhookDeliveryView>(call, "webhooks.deliveries", {
      params,
      query: { limit: "50", cursor, ...(status ? { status } : {}) },
    }),
    site.list<ProjectView>(call, "projects.list", { query: { limit: "100" } }),
  ]);
  const base = webhookPath(call);
  const changing = refusal && call.request.path.endsWith("/change") ? { form: call.form, refusal } : undefined;
  return {
    title: webhook.url,
    seen: { kinds: "webhook_disabled" },
    status: refusal?.status ?? 200,
    body: html`${crumbs([`/w/${call.here.workspace.slug}/webhooks`, "Webhooks"])}
      <div class="headline"><h1>${webhook.url}</h1>${webhookState(webhook)}</div>
      ${refusal ? problemBox(refusal) : (told ?? "")}
      ${about(webhook, projects.data, call.here.now)}
      <div class="acts">${act(`${base}/test`, "Send a test", { fields: onceField() })}
        ${act(`${base}/enabled`, webhook.enabled ? "Disable" : "Enable", { fields: hidden("enabled", String(!webhook.enabled)) })}</div>
      ${sent(deliveries, base, call)}
      ${fold(
        "Send messages again",
        html`<form method="post" action="${base}/replay">${onceField()}
          ${select({ name: "what", label: "Which", value: LOST.value, options: [LOST, ALL], required: true })}
          ${select({ name: "since", label: "Of", value: "24", options: SPANS, required: true })}
          <button>Send again</button></form>`,
      )}
      ${fold(
        "Change the webhook",
        html`<form method="post" action="${base}/change">${revisionField(webhook)}${webhookFields(valuesOf(webhook, projects.data), changing)}
          <button>Save</button></form>`,
        { open: changing !== undefined },
      )}
      <div class="acts">${askFirst({
        ask: "New secret",
        action: `${base}/secret`,
        consequence:
          "Until the present secret ends, messages are signed with both, so that your receiver can change over.",
        confirm: "Make a new secret",
        fields: html`${onceField()}${select({ name: "grace_seconds", label: "The present secret ends", value: "86400", required: true, options: GRACES })}`,
      })}
      ${askFirst({
        ask: "Delete",
        action: `${base}/delete`,
        consequence: "Nothing more is sent, and what was sent can no longer be read.",
        confirm: `Delete the webhook`,
      })}</div>`,
  };
}

function about(webhook: WebhookView, projects: readonly ProjectView[], now: string): Html {
  const {
    project_ids: ids,
    previous_secret_expires_at: until,
    last_success_at: success,
    secret_rotated_at: rotated,
  } = webhook;
  return facts([
    ["For", webhook.description],
    ["Events", eventsOf(webhook)],
    [
      "Projects",
      ids === null ? "All" : ids.map((id) => projects.find((one) => one.id === id)?.name ?? "another").join(", "),
    ],
    ["Delivered", success ? ago(success, now) : "Nothing yet"],
    ["Failed in a row", webhook.consecutive_failures > 0 ? counted(webhook.consecutive_failures, "message") : null],
    [
      "Secret",
      html`<code>${webhook.secret_prefix}…</code>${until ? html` and the one before until ${exactly(until)}` : ""}${rotated ? html` <span class="quiet">made ${ago(rotated, now)}</span>` : ""}`,
    ],
    ["Made", ago(webhook.created_at, now)],
    ["Disabled", webhook.disabled_at && ago(webhook.disabled_at, now)],
    ["Headers", Object.keys(webhook.headers).join(", ") || null],
  ]);
}

function sent({ data, next }: List<WebhookDeliveryView>, base: string, { here, query }: WorkspaceCall): Html {
  const [status, cursor] = [query("status"), query("cursor")];
  const first = `${base}${status ? `?status=${encodeURIComponent(status)}` : ""}`;
  return html`<section aria-labelledby="sent"><h2 id="sent">Deliveries</h2>
    <form method="get" action="${base}" class="acts">
      <label class="out" for="status">State</label>
      <select id="status" name="status"><option value="">All</option>${STATE_FILTERS.map(({ value, label }) => html`<option value="${value}"${value === status ? html` selected` : ""}>${label}</option>`)}</select>
      <button class="second">Show</button></form>
    ${
      data.length === 0
        ? empty("No deliveries", status ? "None in this state." : "Messages appear here as soon as something happens.")
        : table(
            ["Event", "State", "Answer", "When"],
            data.map((one) => [
              html`<a href="${base}/${one.id}">${one.event_type}</a>${one.attempt > 1 ? html` <span class="quiet">attempt ${one.attempt}</span>` : ""}`,
              deliveryState(one),
              answerOf(one),
              ago(one.ts, here.now),
            ]),
          )
    }
    ${pager(next && `${first}${status ? "&" : "?"}cursor=${next}`, { first, isFirst: cursor === "", what: "deliveries" })}</section>`;
}
