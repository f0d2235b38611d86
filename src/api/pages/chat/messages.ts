import type { ChatMessageView } from "../../../domain/knowledge/chat-messages/view.ts";
import type { List } from "../site/perform.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { inPath } from "./read.ts";

/** Which messages of a channel a page shows, read through the operations of the API. */

const PAGE = 50;

export type Wanted = {
  /** The first message of a thread. Empty: the channel. */
  thread: string;
  /** The message that the page is about. Empty: the newest ones. */
  message: string;
  cursor: string;
};

/** A form that was refused shows the page that it was on. */
export const wantedOf = ({ query, form, params }: WorkspaceCall): Wanted => ({
  thread: query("thread") || form.text("thread"),
  message: query("at") || (form.text("older") === "" ? "" : (params.messageId ?? "")),
  cursor: query("cursor"),
});

export type Shown = List<ChatMessageView> & {
  /** The first message of the thread. */
  first: ChatMessageView | undefined;
  /** Whether newer messages are on another page. */
  hasNewer: boolean;
};

/** One message; undefined if it is not in the channel. */
export const readMessage = async (site: Site, call: WorkspaceCall, id: string): Promise<ChatMessageView | undefined> =>
  (await listOf(site, call, { around: id, limit: "1" })).data.find((message) => message.id === id);

export async function readMessages(
  site: Site,
  call: WorkspaceCall,
  { thread, message, cursor }: Wanted,
): Promise<Shown> {
  const [list, first] = await Promise.all([
    listOf(site, call, {
      limit: String(PAGE),
      cursor,
      ...(message === "" ? {} : { around: message }),
      ...(thread === "" ? { top_level: "true" } : { root_id: thread }),
    }),
    thread === "" ? undefined : readMessage(site, call, thread),
  ]);
  const place = list.data.findIndex(({ id }) => id === message);
  return { ...list, first, hasNewer: cursor !== "" || place >= PAGE / 2 };
}

const listOf = (site: Site, call: WorkspaceCall, query: Record<string, string>) =>
  site.list<ChatMessageView>(call, "chat-messages.list", {
    params: inPath(call),
    // The page marks as read what the person sees.
    query: { mark_read: "false", ...query },
  });
