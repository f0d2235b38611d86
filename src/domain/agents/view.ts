import { z } from "zod";
import { id, timestamp } from "../wire.ts";

/** A program that works as a member of one workspace. */
export const AgentView = z
  .object({
    agent_id: id,
    name: z.string(),
    /** Who approved it; null of an agent that a key brought. */
    owner_user_id: id.nullable(),
    /** Beginning of its newest credential. */
    key_prefix: z.string().nullable(),
    /** Whether none of its credentials lives any more. */
    key_revoked: z.boolean(),
    created_at: timestamp,
  })
  .meta({ id: "Agent" });
export type AgentView = z.output<typeof AgentView>;
