import type { Cause } from "../../kernel/context.ts";

/** An event as automations read it. */
export type Happened = {
  id: string;
  type: string;
  project_id: string | null;
  issue_id: string | null;
  actor_id: string | null;
  actor_kind: string;
  actor_name: string | null;
  /** The chain of causes. It continues through an agent that an automation woke. */
  cause: Cause;
  data: Record<string, unknown>;
  /** Values of changed fields before the event, with the name of the former column. */
  previous: Record<string, unknown>;
  changed: readonly string[];
  /** Assignees that were added or removed. */
  context: { added?: string[]; removed?: string[] };
  /** Long texts in `data` were cut. */
  truncated: boolean;
  created_at: string;
};
