import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of messages, for the API description. */

const body = [
  "Text as Markdown. `@[Name](user id)` mentions somebody who can read the channel.",
  "The release is **ready**.",
] as const;

const clientId = [
  "Your own id of the message. If you send it again, you get the same message, and no second one is created.",
  "msg-812",
] as const;

export const aboutMessage = {
  id: idOf("message", "message"),
  channel_id: ["Id of the channel that the message belongs to.", SAMPLE.channel],
  author_id: userId("User id of the person or agent who wrote the message."),
  body_md: ["Text as Markdown. Empty if the message was deleted but has replies.", body[1]],
  parent_id: ["Id of the message that this one answers. `null` if it is not a reply.", null],
  root_id: ["Id of the first message of the thread. `null` if the message is not a reply.", null],
  reply_count: countOf("First message of a thread: all replies of the thread. Replies: the direct answers.", 0),
  last_reply_at: ["When the last of these replies was written. `null` if there is none.", null],
  edited_at: ["When the text was last changed. `null` if never.", null],
  deleted_at: [
    "When the message was deleted. Deleted messages are listed only if they have replies; else `null`.",
    null,
  ],
  created_at: timesOf("message").created_at,
  updated_at: timesOf("message").updated_at,
  reactions: ["Reactions, in the order in which they were first added."],
  author_kind: ["Whether the author is a person or an agent.", "user"],
  mentions: ["People and agents that the text mentions."],
  streaming: ["Whether the author is still writing the message.", false],
  seq: ["Number of the last part of a streamed message. `null` for other messages.", null],
  stream_status: ["State of a streamed message. `null` for other messages.", null],
} as const;

export const aboutReaction = {
  emoji: ["The emoji or short text.", "🎉"],
  count: countOf("How many people and agents have added it.", 2),
  user_ids: ["Who has added it, those first who did so first; at most 100.", [SAMPLE.user]],
} as const;

export const aboutMention = {
  id: userId("User id of the person or agent."),
  kind: ["Whether it is a person or an agent.", "user"],
} as const;

export const aboutMessageInput = {
  body_md: body,
  parent_id: ["Id of the message to answer. `null` for none.", SAMPLE.message],
  client_id: clientId,
} as const;

export const aboutMessageQuery = {
  root_id: ["Only the replies of the thread that begins with this message.", SAMPLE.message],
  top_level: ["`true`: only messages that are not replies.", "true"],
  around: [
    "A page with this message in its middle: half of the page is newer. With `limit=1`, this message only.",
    SAMPLE.message,
  ],
  mark_read: ["`false`: the newest page marks nothing as read.", "false"],
} as const;

export const aboutReactionInput = {
  emoji: ["The emoji or short text to react with.", "🎉"],
} as const;

export const aboutReactions = {
  message_id: ["The message that the part belongs to.", SAMPLE.message],
  reactions: ["All reactions to the message now."],
} as const;

export const aboutRead = {
  message_id: ["The last message that you have read. Default: the newest of the channel.", SAMPLE.message],
} as const;

export const aboutStreamInput = {
  message_id: ["Id of the message to continue. Leave it out to open a new one.", SAMPLE.message],
  delta: ["Text to add at the end, at most 16,000 characters. A message has at most 64,000.", "Hel"],
  done: ["`true`: the message is complete.", false],
  seq: [
    "Number of this part: the open is 0, each append is one more. Repeats are ignored, and a gap is refused. Without it, parts are added as they come.",
    1,
  ],
  parent_id: ["Only for the open: id of the message to answer. `null` for none.", null],
  client_id: clientId,
  body_md: ["Only with `done`: the whole text, which replaces all parts.", "Hello"],
} as const;

export const aboutStreamReply = {
  message_id: ["The message that the part belongs to.", SAMPLE.message],
  done: ["Whether the message is complete.", false],
  seq: ["Number of the last part that was added.", 1],
  length: ["Length of the text in characters.", 3],
} as const;
