import type { Site } from "../site/site.ts";
import { deliveryPage } from "./delivery.ts";
import { webhookPage } from "./webhook.ts";
import { webhooksPage } from "./webhooks.ts";

/** Pages of what runs by itself, and of the workspace's administration. */
export function operatePages(site: Site): void {
  webhooksPage(site);
  webhookPage(site);
  deliveryPage(site);
}
