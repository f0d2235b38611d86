export type { Call, Reply } from "./call.ts";
export type { EventStream, StreamOptions } from "./event-stream.ts";
export type { AgentEvent, ChannelEvent, WebhookEvent } from "./events.ts";
export type * from "./generated/operations.ts";
export type * from "./generated/schema.ts";
export type { List, Page } from "./list.ts";
export { Muster } from "./muster.ts";
export type { CallOptions, MusterOptions } from "./options.ts";
export {
  type AnyProblemCode,
  type FieldError,
  MusterConnectionError,
  MusterProblem,
  MusterStreamClosed,
} from "./problem.ts";
