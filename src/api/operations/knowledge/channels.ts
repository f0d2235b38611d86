import * as channels from "../../../domain/knowledge/chat/channels.ts";
import { openDm } from "../../../domain/knowledge/chat/dms.ts";
import {
  ChatChannelCreateInput,
  ChatChannelMemberInput,
  ChatChannelMemberPatchInput,
  ChatChannelPatchInput,
  ChatChannelQuery,
  ChatDmInput,
} from "../../../domain/knowledge/chat/inputs.ts";
import * as members from "../../../domain/knowledge/chat/members.ts";
import {
  ChatChannelMemberRemoved,
  ChatChannelMemberView,
  ChatChannelView,
} from "../../../domain/knowledge/chat/view.ts";
import { MarkReadQuery } from "../../../domain/knowledge/notifications/view.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";
import { markIfAsked } from "./mark-read.ts";

export const channelOperations = [
  ...resource("W/chat/channels", {
    id: "chat-channels",
    view: ChatChannelView,
    read: "chat:read",
    write: "chat:write",
    limitedKeys: "filter",
    private: true,
    param: "channelId",
    entity: channels.lockWithNames,
    list: {
      summary: "List public channels and your own private channels and direct messages, newest first",
      about:
        "Agents see the channels that they are in, like people. `unread_count` counts messages of others after your read mark.",
      query: ChatChannelQuery,
      handle: ({ ctx, query, paging }) => channels.listPage(ctx, query, paging),
    },
    create: {
      summary: "Create a channel",
      about:
        "You become its owner. `slug` is made from the name and is unique among live channels (409 `already_exists`). A public channel with `project` is seen by those who see the project. Direct messages are opened with `POST …/chat/dms`.",
      body: ChatChannelCreateInput,
      example: { name: "Release 2.0", topic: "What is left to do until Friday", project: "WEB" },
      handle: ({ ctx, body, project }) => channels.create(ctx, body, project),
    },
    get: {
      summary: "Read a channel",
      row: channels.read,
      query: MarkReadQuery,
      seen: (ctx, query, { id }) => markIfAsked(ctx, query, { channel_id: id }),
    },
    patch: {
      summary: "Rename a channel, set its topic, or archive it",
      about:
        "The owners of the channel and admins may. In an archived channel messages can be read, but not written (409 `archived`). A direct message can only be archived, and only for yourself: the next message brings it back.",
      // Everybody archives a direct message for themselves. The domain checks who manages a channel.
      writers: "viewers",
      body: ChatChannelPatchInput,
      example: { topic: "What is left to do until Monday" },
      handle: ({ ctx, on, body }) => channels.change(ctx, on, body),
    },
  }),
  operation({
    id: "chat-channels.dm",
    route: "POST W/chat/dms",
    summary: "Open a direct message; the same people always have the same one",
    about: "`user_ids` are the other people or agents, 1 to 8.",
    needs: "chat:write",
    limitedKeys: "refuse",
    writers: "viewers",
    body: ChatDmInput,
    example: { user_ids: ["ada@example.com"] },
    returns: ChatChannelView,
    status: 201,
    handle: ({ ctx, body }) => openDm(ctx, body),
  }),
  ...resource("W/chat/channels/{channelId}/members", {
    id: "chat-members",
    view: ChatChannelMemberView,
    read: "chat:read",
    write: "chat:write",
    limitedKeys: "filter",
    private: true,
    writers: "viewers",
    param: "userId",
    within: channels.byId,
    entity: members.lockMember,
    current: members.read,
    list: {
      summary: "List a channel's members, most recently joined first",
      handle: ({ ctx, parent, paging }) => members.listPage(ctx, parent, paging),
    },
    create: {
      summary: "Join a public channel, or add somebody to a channel that you own",
      about:
        "Without `user_id`, or with `me`, you join. Adding somebody again changes nothing; the reply is 201 in any case.",
      body: ChatChannelMemberInput,
      example: { user_id: "me" },
      handle: ({ ctx, parent, body }) => members.add(ctx, parent, body),
    },
    patch: {
      summary: "Mute a channel for yourself, or end that",
      about:
        "In a muted channel only mentions of you notify you; its messages still count as unread. Everybody mutes for themselves only.",
      body: ChatChannelMemberPatchInput,
      example: { muted: true },
      handle: ({ ctx, on, parent, body }) => members.change(ctx, parent, on, body),
    },
    remove: {
      summary: "Leave a channel, or remove somebody from a channel that you own",
      about:
        "They no longer see a private channel, and their streams of it end. When the last owner leaves, the oldest member becomes the owner.",
      returns: ChatChannelMemberRemoved,
      handle: ({ ctx, on, parent }) => members.remove(ctx, parent, on),
    },
  }),
];
