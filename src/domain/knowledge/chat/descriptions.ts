import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of channels and their members, for the API description. */

const topic = ["What the channel is about. `null` if not set.", "What is left to do until Friday"] as const;

export const aboutChannel = {
  id: idOf("channel", "channel"),
  name: ["Name of the channel. `null` for direct messages.", "Release 2.0"],
  topic,
  kind: [
    "`public`: everybody who sees the project, or all members of the workspace. `private`: its members only. `dm`: a direct message.",
    "public",
  ],
  slug: [
    "Name in URLs, unique among the channels that you see and that are not archived. `null` for direct messages.",
    "release-2-0",
  ],
  created_by: userId("User id of the person or agent who created the channel."),
  archived_at: [
    "When the channel was archived. Archived channels are read-only. Direct messages: when you archived it for yourself; the next message brings it back. `null` if it is not.",
    null,
  ],
  last_message_at: ["When the last message was written. `null` if there is none.", "2026-01-16T14:05:12.480Z"],
  created_at: timesOf("channel").created_at,
  updated_at: timesOf("channel").updated_at,
  member_count: countOf("How many people and agents are in the channel.", 3),
  is_member: ["Whether you are a member.", true],
  project_id: ["Id of the project that the channel belongs to. `null` for a channel of the workspace.", SAMPLE.project],
  unread_count: countOf("Messages of others that you have not read, at most 1,000. 0 if you are not a member.", 2),
  my_role: ["Your role in the channel. `null` if you are not a member.", "member"],
  others: ["Direct messages: the other people and agents in it. `null` for channels."],
} as const;

export const aboutOther = {
  user_id: userId("User id of the person or agent."),
  name: ["Display name. `null` until they choose one.", "Ada Lovelace"],
  kind: ["Whether it is a person or an agent.", "user"],
} as const;

export const aboutChannelInput = {
  name: ["Name of the channel. The slug made from it must not be in use.", "Release 2.0"],
  topic,
  kind: ["`public` or `private`. Direct messages have their own call.", "public"],
  project: ["Id, key or slug of the project that the channel belongs to. `null` for none.", "WEB"],
  member_ids: ["People and agents to add, by id or e-mail.", ["ada@example.com"]],
  archived: ["`true` archives the channel, `false` brings it back. For direct messages: for yourself only.", true],
} as const;

export const aboutDm = {
  user_ids: ["The other people and agents, by id or e-mail.", ["ada@example.com"]],
} as const;

export const aboutChannelQuery = {
  archived: ["`true`: archived channels instead of the others.", "true"],
} as const;

export const aboutChannelMember = {
  user_id: userId("User id of the person or agent."),
  role: ["Role in the channel. Owners manage it.", "member"],
  joined_at: ["When they joined.", "2026-01-15T09:30:00.000Z"],
  name: ["Display name. `null` until they choose one.", "Ada Lovelace"],
  kind: ["Whether it is a person or an agent.", "user"],
  muted: ["Whether you have muted the channel: only mentions of you notify you. `null` for others.", false],
} as const;

export const aboutChannelMemberPatch = {
  muted: ["`true` mutes the channel for you, `false` ends that. `null` changes nothing.", true],
} as const;

export const aboutChannelMemberInput = {
  user_id: [
    "Who joins, by id, e-mail or `me`. You can join public channels yourself; owners of a channel and admins add others.",
    "me",
  ],
} as const;

export const aboutChannelMemberRemoved = {
  channel_id: ["The channel that the stream listens to.", SAMPLE.channel],
  user_id: userId("User id of the person or agent who is no longer a member."),
  removed: ["Always `true`."],
} as const;
