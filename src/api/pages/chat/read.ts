import type { ChatChannelMemberView, ChatChannelView } from "../../../domain/knowledge/chat/view.ts";
import type { ChatMessageView } from "../../../domain/knowledge/chat-messages/view.ts";
import { allPeople, type People, sortedByName } from "../issue/read.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";

/** The pages of chat: `/w/:slug/chat`, and below it each channel by its id. */

export const CHAT = "/w/:slug/chat";
export const CHANNEL = `${CHAT}/:channelId`;

export const chatPath = ({ here }: WorkspaceCall): string => `/w/${here.workspace.slug}/chat`;
export const channelPath = (call: WorkspaceCall, id = call.params.channelId ?? ""): string => `${chatPath(call)}/${id}`;

/** A message in its surroundings. */
export function messagePath(call: WorkspaceCall, id: string, thread = ""): string {
  const query = new URLSearchParams({ ...(thread === "" ? {} : { thread }), at: id });
  return `${channelPath(call)}?${query}#message-${id}`;
}

/** The channel as operations name it in their paths. */
export const inPath = ({ params }: WorkspaceCall) => ({ channelId: params.channelId ?? "" });

export const readMembers = async (site: Site, call: WorkspaceCall, channelId: string) =>
  sortedByName(
    (
      await site.list<ChatChannelMemberView>(call, "chat-members.list", {
        params: { channelId },
        query: { limit: "100" },
      })
    ).data,
  );

/** A direct message is called like the others in it. */
export function nameOf({ name, others }: ChatChannelView): string {
  if (name !== null) return name;
  const names = (others ?? []).map((other) => other.name ?? "Someone");
  return names.length > 0 ? names.join(", ") : "You";
}

/** Names of those who wrote. The members' ones are read anyway. */
export async function peopleOf(
  site: Site,
  call: WorkspaceCall,
  { members, messages }: { members: readonly ChatChannelMemberView[]; messages: readonly ChatMessageView[] },
): Promise<People> {
  const known: People = new Map(
    members.map(({ user_id: id, name, kind }) => [id, { id, name, kind: kind === "agent" ? "agent" : "user" }]),
  );
  return messages.every(({ author_id }) => known.has(author_id))
    ? known
    : new Map([...(await allPeople(site, call)), ...known]);
}
