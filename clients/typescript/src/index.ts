export type { Call, Reply } from "./call.ts";
export type { EventStream, StreamOptions } from "./event-stream.ts";
export type { AgentEvent, ChannelEvent, WebhookEvent } from "./events.ts";
export type * from "./generated/operations.ts";
export type * from "./generated/schema.ts";
export type { List, Page } from "./list.ts";
export { Muster } from "./muster.ts";
export type { CallOptions, MusterOptions } from "./options.ts";
export {
  MusterPaymentRefused,
  MusterPaymentUnknown,
  type Pack,
  type PaymentCredential,
  type PaymentMeans,
  type PaymentOptions,
  type PaymentRequest,
} from "./payment.ts";
export {
  type AnyProblemCode,
  type FieldError,
  MusterConnectionError,
  MusterProblem,
  MusterStreamClosed,
} from "./problem.ts";
export { isGenuineReceipt, type SigningKey } from "./receipt.ts";
export {
  type RequestHeaders,
  verifyWebhook,
  type WebhookOptions,
  type WebhookProblem,
  WebhookVerificationError,
} from "./webhook.ts";
