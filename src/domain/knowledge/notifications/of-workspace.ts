import { z } from "zod";
import { own } from "../../kernel/own.ts";
import { creditsLow } from "../../tenancy/credits/events.ts";
import { inviteAccepted } from "../../tenancy/invites/events.ts";
import { formSubmitted } from "../../work/forms/events.ts";
import { notice, rule } from "./notice.ts";

/** What forms, invites, credits, webhooks and automations notify of. */

/** Events of other groups, which this one does not import. */
const webhookDisabled = {
  name: "webhook.disabled",
  view: z.object({ id: z.string(), description: z.string().nullable() }),
} as const;
const automationDisabled = {
  name: "automation.disabled",
  view: z.object({ name: z.string(), disabled_reason: z.string().nullable() }),
} as const;

const WHY_DISABLED: Record<string, string> = {
  rights: "Its creator may no longer do what it does.",
  loop: "It caused the changes that start it.",
  failing: "Its last runs ended with an error.",
  plan: "The plan allows no more automations.",
};

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
    const rest = { title: "Credits are running low", body: `Credits left: ${data.balance}.` };
    return [notice("credits_low", { admins_only: true }, { circle: "admins", byNobody: true, ...rest })];
  }),
  rule(webhookDisabled, null, ({ data }) => {
    const rest = { title: "A webhook was disabled", body: data.description ?? data.id ?? "" };
    return [notice("webhook_disabled", { admins_only: true }, { circle: "admins", ...rest })];
  }),
  rule(automationDisabled, null, ({ data }) => {
    const why = own(WHY_DISABLED, data.disabled_reason ?? "") ?? "";
    const rest = { title: `The automation ${data.name ?? ""} was disabled`, body: why, byNobody: true };
    return [notice("automation_disabled", { admins_only: true }, { circle: "admins", ...rest })];
  }),
];
