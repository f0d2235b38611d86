import type { ChatChannelMemberView, ChatChannelView } from "../../../domain/knowledge/chat/view.ts";
import type { ChatMessageView } from "../../../domain/knowledge/chat-messages/view.ts";
import { withMentions } from "../issue/mentions.ts";
import { long, orNull } from "../kit/typed.ts";
import { actions } from "../site/actions.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { channelPage } from "./channel.ts";
import { listPage } from "./list.ts";
import { CHANNEL, CHAT, channelPath, chatPath, messagePath } from "./read.ts";

/** The pages of chat. */
export function chatPages(site: Site): void {
  const toChannel = (call: WorkspaceCall, { id }: ChatChannelView) => channelPath(call, id);
  const toAbout = (call: WorkspaceCall) => `${channelPath(call)}?about=open`;
  /** The message in its thread or channel: in its surroundings, if the form was there. */
  const toMessage = (call: WorkspaceCall, id = call.params.messageId ?? "") => {
    const thread = call.form.text("thread");
    if (call.form.text("older") !== "") return messagePath(call, id, thread);
    return `${channelPath(call)}${thread === "" ? "" : `?thread=${encodeURIComponent(thread)}`}#message-${id}`;
  };
  const text = (call: WorkspaceCall) => withMentions(site, call, long(call.form.all("body_md")[0] ?? ""));

  site.workspace("get", CHAT, (call) => listPage(site, call));
  actions(site, `${CHAT}/new`, (call, refusal) => listPage(site, call, refusal), {
    create: {
      operation: "chat-channels.create",
      input: ({ form }) => ({
        body: {
          name: form.text("name"),
          topic: orNull(form.text("topic")),
          kind: form.text("kind") || "public",
          project: orNull(form.text("project")),
        },
      }),
      to: toChannel,
      said: "The channel is created.",
    },
    dm: {
      operation: "chat-channels.dm",
      input: ({ form }) => ({ body: { user_ids: form.all("user_ids") } }),
      to: toChannel,
    },
  });

  site.workspace("get", CHANNEL, (call) => channelPage(site, call));
  actions(site, CHANNEL, (call, refusal) => channelPage(site, call, refusal), {
    write: {
      operation: "chat-messages.create",
      input: async (call) => ({ body: { body_md: await text(call), parent_id: orNull(call.form.text("thread")) } }),
      to: (call, { id }: ChatMessageView) => toMessage(call, id),
    },
    join: {
      operation: "chat-members.create",
      input: () => ({ body: {} }),
      to: (call) => channelPath(call),
      said: "You are in the channel now.",
    },
    leave: {
      operation: "chat-members.delete",
      input: ({ visitor }) => ({ params: { userId: visitor.user.id } }),
      to: chatPath,
      said: "You have left the channel.",
    },
    mute: {
      operation: "chat-members.patch",
      input: ({ form }) => ({ params: { userId: "me" }, body: { muted: form.text("muted") === "true" } }),
      to: toAbout,
      said: ({ muted }: ChatChannelMemberView) =>
        muted ? "The channel is muted: only mentions of you notify you." : "The channel notifies you again.",
    },
    add: {
      operation: "chat-members.create",
      input: ({ form }) => ({ body: { user_id: form.text("user_id") } }),
      to: toAbout,
      said: ({ name }: ChatChannelMemberView) => `${name ?? "Somebody"} is in the channel now.`,
    },
    remove: {
      operation: "chat-members.delete",
      input: ({ form }) => ({ params: { userId: form.text("user_id") } }),
      to: toAbout,
      said: "They are not in the channel any more.",
    },
    save: {
      operation: "chat-channels.patch",
      input: ({ form }) => ({ body: { name: form.text("name"), topic: orNull(form.text("topic")) } }),
      to: toChannel,
      said: "Saved.",
    },
    archive: {
      operation: "chat-channels.patch",
      input: () => ({ body: { archived: true } }),
      to: toChannel,
      said: "The channel is archived.",
    },
    restore: {
      operation: "chat-channels.patch",
      input: () => ({ body: { archived: false } }),
      to: toChannel,
      said: "The channel is restored.",
    },
  });
  actions(site, `${CHANNEL}/messages/:messageId`, (call, refusal) => channelPage(site, call, refusal), {
    react: {
      operation: "chat-messages.react",
      input: ({ form }) => ({ body: { emoji: form.text("emoji") } }),
      to: (call) => toMessage(call),
    },
    unreact: {
      operation: "chat-messages.unreact",
      input: ({ form }) => ({ params: { emoji: form.text("emoji") } }),
      to: (call) => toMessage(call),
    },
    save: {
      operation: "chat-messages.patch",
      input: async (call) => ({ body: { body_md: await text(call) } }),
      to: (call) => toMessage(call),
      said: "The message is changed.",
    },
    delete: { operation: "chat-messages.delete", to: (call) => toMessage(call), said: "The message is deleted." },
  });
}
