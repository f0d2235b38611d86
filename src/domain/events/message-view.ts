import { z } from "zod";
import { ACTOR_KINDS } from "../kernel/context.ts";
import { part, view } from "../kernel/described.ts";
import { id, timestamp } from "../kernel/wire.ts";
import { aboutActor, aboutCause, aboutMessage, aboutMessageWorkspace } from "./descriptions.ts";

/** The body that a receiver gets. */
export const MessageView = view("WebhookMessage", aboutMessage, {
  id,
  type: z.string(),
  timestamp,
  sequence: z.number().int().nullable(),
  workspace: part(aboutMessageWorkspace, { id, slug: z.string() }),
  actor: part(aboutActor, { id: id.nullable(), kind: z.enum(ACTOR_KINDS), name: z.string().nullable() }),
  cause: part(aboutCause, {
    automation_id: id.nullable(),
    agent_session_id: id.nullable(),
    workflow_run_id: id.nullable(),
  }),
  data: z.unknown(),
  previous: z.record(z.string(), z.unknown()).optional(),
  changed: z.array(z.string()).optional(),
  truncated: z.literal(true).optional(),
});
export type Message = z.output<typeof MessageView>;
