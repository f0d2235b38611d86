import { z } from "zod";
import { defineEvent } from "../../events/define-event.ts";
import { view } from "../../kernel/described.ts";
import { id } from "../../kernel/wire.ts";
import { IssueView } from "../../work/issues/view.ts";
import { aboutFired, aboutWake } from "./descriptions.ts";

/** What a `send_webhook` action sends. */
const AutomationFired = view("AutomationFired", aboutFired, {
  automation_id: id.nullable(),
  workflow_id: id.nullable(),
  name: z.string(),
  run_id: id,
  trigger: z.string().nullable(),
  issue: IssueView.nullable(),
});
export type AutomationFired = z.output<typeof AutomationFired>;

/** What wakes an agent. */
const AgentWake = view("AgentWake", aboutWake, {
  agent_id: id,
  automation_id: id.nullable(),
  workflow_run_id: id.nullable(),
  prompt: z.string().nullable(),
  issue: IssueView.nullable(),
});
export type AgentWake = z.output<typeof AgentWake>;

/** Goes to the webhook that the action names, and to those that subscribe to it. */
export const automationFired = defineEvent("automation.fired", { view: AutomationFired, audience: "project" });
export const agentWake = defineEvent("agent.wake", { view: AgentWake, audience: "person" });
