import { z } from "zod";
import { view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutAgent } from "./descriptions.ts";

/** A program that works as a member of one workspace. */
export const AgentView = view("Agent", aboutAgent, {
  agent_id: id,
  name: z.string(),
  owner_user_id: id.nullable(),
  key_prefix: z.string().nullable(),
  key_revoked: z.boolean(),
  created_at: timestamp,
});
export type AgentView = z.output<typeof AgentView>;
