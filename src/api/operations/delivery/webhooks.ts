import * as deliveries from "../../../domain/delivery/webhooks/deliveries.ts";
import {
  WebhookCreateInput,
  WebhookDeliveryQuery,
  WebhookPatchInput,
  WebhookReplayInput,
  WebhookRotateSecretInput,
} from "../../../domain/delivery/webhooks/inputs.ts";
import { replay } from "../../../domain/delivery/webhooks/replay.ts";
import { retry } from "../../../domain/delivery/webhooks/retry.ts";
import { countTest, outcome, send } from "../../../domain/delivery/webhooks/test-delivery.ts";
import {
  WebhookDeliveryView,
  WebhookReplayView,
  WebhookView,
  WebhookWithSecretView,
} from "../../../domain/delivery/webhooks/view.ts";
import {
  byId,
  change,
  create,
  listPage,
  read,
  remove,
  rotateSecret,
} from "../../../domain/delivery/webhooks/webhooks.ts";
import { deletedView } from "../../../domain/kernel/wire.ts";
import { definedBy, readableNamesIn, typesOf, usable, withEventTypes } from "../../../domain/webhook-events.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

export const webhookOperations = [
  ...resource("W/webhooks", {
    id: "webhooks",
    view: WebhookView,
    read: "webhooks:read",
    write: "webhooks:write",
    limitedKeys: "filter",
    entity: byId,
    list: {
      summary: "List the workspace's webhooks, newest first",
      handle: ({ ctx, paging }) => listPage(ctx, paging),
    },
    create: {
      summary: "Create a webhook; its signing `secret` is shown only once",
      about:
        "Messages are signed as Standard Webhooks has it; verify them with the `secret` of this reply, which is shown only here. An event comes at least once: skip a `webhook-id` that you know. A delivery that fails is repeated for about three days; a webhook that answers 410, or nothing but errors for days, is disabled. Try it with `POST …/webhooks/{id}/test`. A webhook with `project_ids` gets only events of these projects.",
      body: WebhookCreateInput,
      example: {
        url: "https://example.com/hooks/muster",
        event_types: ["issue.created"],
        description: "Posts new issues to the team chat",
      },
      returns: WebhookWithSecretView,
      secret: true,
      handle: ({ ctx, body }) => {
        const read = withEventTypes(ctx, body);
        return create(ctx, read, definedBy(ctx, read.event_types));
      },
    },
    get: { summary: "Read a webhook", row: read },
    patch: {
      summary: "Change a webhook, or enable it again",
      about:
        "`enabled: true` enables a disabled webhook again and clears its failures. Messages of the time in which it was disabled are not sent by themselves.",
      body: WebhookPatchInput,
      example: { description: "Posts new issues to the support chat" },
      handle: ({ ctx, on, body }) => {
        const read = withEventTypes(ctx, body);
        const { description: _, enabled, ...more } = read;
        const defines = enabled === true || Object.keys(more).length > 0;
        const { owner_id, event_types = on.event_types } = { ...read, owner_id: on.owner_id };
        const by = definedBy(ctx, defines ? typesOf({ owner_id, event_types }) : []);
        return change(ctx, on, read, by);
      },
    },
    remove: {
      summary: "Delete a webhook",
      about: "Nothing more is sent, and its deliveries can no longer be read.",
      returns: deletedView("webhook"),
      handle: ({ ctx, on }) => remove(ctx, on),
    },
  }),
  operation({
    id: "webhooks.deliveries",
    route: "GET W/webhooks/{id}/deliveries",
    summary: "List a webhook's delivery attempts, newest first",
    about: "One row for each attempt; `delivery_id` is the id of the message, the same on every attempt.",
    needs: "webhooks:read",
    limitedKeys: "filter",
    on: read,
    query: WebhookDeliveryQuery,
    returns: WebhookDeliveryView,
    shape: "list",
    handle: ({ ctx, on, query, paging }) => deliveries.listPage(ctx, on, query, paging),
  }),
  operation({
    id: "webhooks.deliveries.get",
    route: "GET W/webhooks/{id}/deliveries/{deliveryId}",
    summary: "Read an attempt by its `id`, or a message's newest attempt by its `delivery_id`",
    needs: "webhooks:read",
    limitedKeys: "filter",
    within: read,
    on: deliveries.read,
    returns: WebhookDeliveryView,
    handle: async ({ on }) => on,
  }),
  operation({
    id: "webhooks.deliveries.retry",
    route: "POST W/webhooks/{id}/deliveries/{deliveryId}/retry",
    summary: "Send a message again now, by its `delivery_id` or the `id` of one of its attempts",
    about:
      "The message has the same id, so a receiver that has handled it can skip it. One that waits for its next attempt is sent at once; any other gets one more attempt. While it waits or is being sent, the call adds nothing and returns that attempt. 409 while the webhook is disabled.",
    needs: "webhooks:write",
    limitedKeys: "filter",
    within: byId,
    on: deliveries.read,
    returns: WebhookDeliveryView,
    status: 202,
    handle: ({ ctx, parent, on }) => retry(ctx, usable(ctx, parent, on), on),
  }),
  operation({
    id: "webhooks.replay",
    route: "POST W/webhooks/{id}/replay",
    summary: "Send a webhook's messages since a time again, oldest first",
    about:
      "By default those whose newest attempt is `failed` or `skipped`, as far back as the plan keeps deliveries. They keep their ids, so a receiver that has handled one can skip it. They wait in the background however many there are, and take turns with new messages. The same call made twice at a time sends each message once. 409 while the webhook is disabled.",
    needs: "webhooks:write",
    limitedKeys: "filter",
    on: byId,
    body: WebhookReplayInput,
    example: { since: "2026-01-15T09:30:00.000Z", event_types: ["issue.*"] },
    returns: WebhookReplayView,
    status: 202,
    handle: ({ ctx, on, body }) => replay(ctx, usable(ctx, on), body, readableNamesIn(ctx, body.event_types)),
  }),
  operation({
    id: "webhooks.rotate-secret",
    route: "POST W/webhooks/{id}/rotate-secret",
    summary: "Rotate a webhook's signing `secret`, which is shown only once",
    about:
      "For 24 hours (or `grace_seconds`) messages are signed with both secrets, so receivers can change over without a gap.",
    needs: "webhooks:write",
    limitedKeys: "filter",
    on: byId,
    body: WebhookRotateSecretInput,
    example: { grace_seconds: 3_600 },
    returns: WebhookWithSecretView,
    secret: true,
    handle: ({ ctx, on, body }) => rotateSecret(ctx, usable(ctx, on), body.grace_seconds),
  }),
  operation({
    id: "webhooks.test",
    route: "POST W/webhooks/{id}/test",
    summary: "Send one signed `webhook.test`; waits up to 3 s for the outcome",
    about:
      "Works while the webhook is disabled, is tried once, and does not count for its health. If the outcome takes longer than 3 seconds, the reply has `state: pending`; the list of deliveries shows it later.",
    needs: "webhooks:write",
    limitedKeys: "filter",
    on: byId,
    returns: WebhookDeliveryView,
    status: 202,
    prepare: ({ ctx, params }) => countTest(ctx, params.id ?? ""),
    handle: ({ ctx, on }) => send(ctx, usable(ctx, on)),
    finishAfterCommit: (ctx, sent) => outcome(ctx, sent as Awaited<ReturnType<typeof send>>),
  }),
];
