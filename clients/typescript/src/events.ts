import type {
  AgentDetail,
  AgentEvent as AgentMessage,
  AgentSession,
  ChatMessage,
  Comment,
  Doc,
  DocComment,
  Issue,
  WebhookData,
  WebhookMessage,
  WorkflowRunDetail,
} from "./generated/schema.ts";
import type { Frame } from "./sse-parser.ts";

/** A message to a webhook. Ignore types that you do not know: new ones are added. */
export type WebhookEvent = {
  [Type in keyof WebhookData]: Omit<WebhookMessage, "type" | "data"> & { type: Type; data: WebhookData[Type] };
}[keyof WebhookData];

/** What each event of an agent's stream is about. */
type AgentData = {
  "issue.assigned": Told<Issue, { assigned_by: string | null }>;
  "issue.unassigned": Told<Issue, { assigned_by: string | null }>;
  "mention.created": Told<Comment | DocComment | ChatMessage | Issue | Doc, MentionContext>;
  "agent_session.created": Told<AgentSession>;
  "agent_session.state_changed": Told<AgentSession>;
  "agent_session.updated": Told<AgentSession>;
  "agent_session.input": Told<Comment, { session_id: string; issue_key: string; answer_to?: string | null }>;
  "agent.wake": Told<Issue | null, { automation_id?: string | null; prompt?: string | null }>;
  "workflow.stage_activated": Told<WorkflowRunDetail, StageContext>;
  "workflow.stage_cancelled": Told<WorkflowRunDetail, StageContext>;
  "agent.paused": Told<AgentDetail>;
  "agent.resumed": Told<AgentDetail>;
  "agent.spend_warning": Told<AgentDetail>;
  "agent.spend_cap_reached": Told<AgentDetail>;
  "chat.message.created": Told<ChatMessage, { channel: { id: string; kind: string; name: string | null } }>;
};

type Told<Data, Context = Record<string, never>> = { data: Data; context: Context };

type MentionContext = {
  source: "issue_comment" | "doc_comment" | "chat" | "issue" | "doc";
  text: string;
  issue_key?: string | null;
  doc_id?: string | null;
  channel_id?: string | null;
};

type StageContext = { node_id: string; issue_key: string; title?: string | null; instructions?: string | null };

/** What concerns an agent. Ignore types that you do not know: new ones are added. */
export type AgentEvent = {
  [Type in keyof AgentData]: Omit<AgentMessage, "type" | "data" | "context"> & { type: Type } & AgentData[Type];
}[keyof AgentData];

/**
 * What happens in a channel. `stream.ready` comes at each connection: what happened before it is not repeated, so read
 * the messages then. Skip a delta whose `seq` is not higher than that of the text that you have.
 */
export type ChannelEvent =
  | { type: "stream.ready"; data: { channel_id: string } }
  | { type: "chat.message.created" | "chat.message.updated" | "chat.message.deleted"; data: ChatMessage }
  | {
      type: "chat.message.delta";
      data: { message_id: string; channel_id: string; seq: number; delta: string; done: boolean };
    }
  | { type: "chat.message.reactions"; data: { message_id: string; reactions: ChatMessage["reactions"] } };

export const readAgentEvent = ({ event, data }: Frame): AgentEvent | null =>
  event === "stream.ready" ? null : (JSON.parse(data) as AgentEvent);

export const readChannelEvent = ({ event, data }: Frame): ChannelEvent =>
  ({ type: event, data: JSON.parse(data) }) as ChannelEvent;
