import { Refusal } from "../../../domain/kernel/errors.ts";
import { Busy } from "../../../domain/kernel/ports/ports.ts";
import type { NotificationView } from "../../../domain/knowledge/notifications/view.ts";
import { MOST_UNREAD } from "./navigation.ts";
import type { PageAnswer, Site, WorkspaceCall } from "./site.ts";

/** How many notifications the person has not read, for the menu. None if that cannot be read: the page can. */
async function unreadOf(site: Site, call: WorkspaceCall): Promise<number> {
  try {
    const query = { unread: "true", limit: String(MOST_UNREAD) };
    const { data } = await site.list<NotificationView>(call, "notifications.list", { query });
    return data.length;
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Busy)) throw error;
    return 0;
  }
}

/** Paths of files and pictures. */
export const NO_MENU = /\.(?:svg|csv)$|\/(?:files|export)\//;

/**
 * @param isRead whether a page is expected. If so, the count is read together with it, otherwise after the answer, and
 * only if that is a page.
 */
export async function withUnread(
  site: Site,
  call: WorkspaceCall,
  answering: Promise<PageAnswer>,
  isRead: boolean,
): Promise<PageAnswer> {
  const unread = isRead ? unreadOf(site, call) : null;
  // If the page fails, it says so itself. No statement is left to run after the reply.
  const ended = unread?.catch(() => {});
  const answer = await answering.finally(() => ended);
  return "body" in answer ? { ...answer, unread: await (unread ?? unreadOf(site, call)) } : answer;
}
