import { Refusal } from "../../../domain/kernel/errors.ts";
import { Busy } from "../../../domain/kernel/ports/ports.ts";
import type { MarkedReadView, NotificationView } from "../../../domain/knowledge/notifications/view.ts";
import { withMentionNames } from "../kit/written.ts";
import { MOST_UNREAD } from "./navigation.ts";
import type { PageAnswer, Site, WorkspaceCall } from "./site.ts";

/** What a page says of notifications. */
export type Notifying = {
  /**
   * What the page shows, as the query of `notifications.mark-all-read` names it: the person's notifications about it become
   * read, if the person sees the page.
   */
  seen?: Readonly<Record<string, string>>;
  /** Unread ones of the person, for the menu. Pages of workspaces get it on their own. */
  unread?: number;
};

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
 * Also marks what the person sees as read, and only if something is unread.
 * @param isExpected whether a page is expected. If so, the count is read together with it, otherwise after the answer, and
 * only if that is a page.
 */
export async function withUnread(
  site: Site,
  call: WorkspaceCall,
  answering: Promise<PageAnswer>,
  isExpected: boolean,
): Promise<PageAnswer> {
  const unread = isExpected ? unreadOf(site, call) : null;
  // If the page fails, it says so itself. No statement is left to run after the reply.
  const ended = unread?.catch(() => {});
  const answer = await answering.finally(() => ended);
  if (!("body" in answer)) return answer;
  const body = await withMentionNames(call.here, answer.body);
  const before = await (unread ?? unreadOf(site, call));
  if (before === 0 || answer.seen === undefined || !isSeen(call)) return { ...answer, body, unread: before };
  const hasMarked = await markSeen(site, call, answer.seen);
  return { ...answer, body, unread: hasMarked ? await unreadOf(site, call) : before };
}

/**
 * Whether the person sees the answer. Browsers load pages in advance, and programs ask for headers alone. The script that
 * keeps a page current loads it only while it is visible.
 */
export function isSeen({ request }: WorkspaceCall): boolean {
  const purposes = [request.get("sec-purpose"), request.get("purpose"), request.get("x-moz")];
  return request.method === "GET" && !purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose));
}

/** Returns whether something was unread. A workspace that takes no changes can be read nevertheless. */
async function markSeen(site: Site, call: WorkspaceCall, query: Record<string, string>): Promise<boolean> {
  try {
    const { count } = await site.perform<MarkedReadView>(call, "notifications.mark-all-read", { query });
    return count > 0;
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Busy)) throw error;
    return false;
  }
}
