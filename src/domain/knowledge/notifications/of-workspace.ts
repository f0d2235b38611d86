import { z } from "zod";
import { creditsLow } from "../../tenancy/credits/events.ts";
import { inviteAccepted } from "../../tenancy/invites/events.ts";
import { formSubmitted } from "../../work/forms/events.ts";
import { notice, rule } from "./notice.ts";

/** What forms, invites, credits and webhooks notify of. */

/** The event of another group, which this one does not import. */
const webhookDisabled = {
  name: "webhook.disabled",
  view: z.object({ id: z.string(), description: z.string().nullable() }),
} as const;

export const workspaceRules = [
  // The form's creator asked for it.
  rule(formSubmitted, "e.context ? 'creator_id'", ({ data, context }) => {
    const issue_id = data.created_issue_id ?? null;
    if (!context.creator_id || issue_id === null) return [];
    const rest = { people: [context.creator_id], title: `New answer: ${data.created_issue_key}` };
    return [notice("form_submitted", { issue_id }, { ...rest, body: context.form_title ?? "" })];
  }),
  rule(inviteAccepted, null, ({ data }) => {
    const people = data.invited_by_user_id ? [data.invited_by_user_id] : [];
    const title = `${data.email} accepted your invite`;
    return [notice("invite_accepted", { admins_only: true }, { people, title })];
  }),
  rule(creditsLow, null, ({ data }) => {
    const rest = { title: "Credits are running low", body: `${data.balance} credits are left.` };
    return [notice("credits_low", { admins_only: true }, { circle: "admins", byNobody: true, ...rest })];
  }),
  rule(webhookDisabled, null, ({ data }) => {
    const rest = { title: "A webhook was disabled", body: data.description ?? data.id ?? "" };
    return [notice("webhook_disabled", { admins_only: true }, { circle: "admins", ...rest })];
  }),
];
