import { Refusal } from "../../../domain/kernel/errors.ts";
import { Busy } from "../../../domain/kernel/ports/ports.ts";
import type { NotificationView } from "../../../domain/knowledge/notifications/view.ts";
import { MOST_UNREAD } from "./navigation.ts";
import type { Site, WorkspaceCall } from "./site.ts";

/** How many notifications the person has not read, for the menu. None if that cannot be read: the page can. */
export async function unreadOf(site: Site, call: WorkspaceCall): Promise<number> {
  try {
    const query = { unread: "true", limit: String(MOST_UNREAD) };
    const { data } = await site.list<NotificationView>(call, "notifications.list", { query });
    return data.length;
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Busy)) throw error;
    return 0;
  }
}
