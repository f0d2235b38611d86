import type { Site } from "../site/site.ts";
import { auditPage } from "./audit.ts";
import { automationPage } from "./automation.ts";
import { automationsPage } from "./automations.ts";
import { deliveryPage } from "./delivery.ts";
import { formPage } from "./form.ts";
import { formsPage } from "./forms.ts";
import { settingsPage } from "./settings.ts";
import { webhookPage } from "./webhook.ts";
import { webhooksPage } from "./webhooks.ts";
import { workflowPage } from "./workflow.ts";
import { workflowRunPage } from "./workflow-run.ts";
import { workflowsPage } from "./workflows.ts";

/** Pages of what runs by itself, and of the workspace's administration. */
export function operatePages(site: Site): void {
  automationsPage(site);
  automationPage(site);
  workflowsPage(site);
  workflowPage(site);
  workflowRunPage(site);
  auditPage(site);
  formsPage(site);
  formPage(site);
  settingsPage(site);
  webhooksPage(site);
  webhookPage(site);
  deliveryPage(site);
}
