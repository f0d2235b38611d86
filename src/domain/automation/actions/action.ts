import type { Background } from "../../events/background.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { Values } from "../templates/template.ts";

/** Actions of automations, and of stages of workflows. */

/** What an action knows of its run. */
export type Running = {
  /** The issue that the run is about. Null for runs without one. */
  issueId: string | null;
  /** Values for `{{…}}` in texts. */
  values: Values;
  /** Who caused the event: for `assign_to` with `triggering_user`. Null for schedules and the system. */
  triggeringUserId: string | null;
  /** Number of earlier runs: for `round_robin`. */
  ordinal: number;
  /** The automation or the workflow, for `automation.fired` and for wakes. Workflows have no trigger. */
  source: { kind: "automation" | "workflow"; id: string; name: string; runId: string; trigger?: string };
};

/**
 * What became of an action on one target.
 * - `done`: `detail` says what changed
 * - `skipped`: there was nothing to do, for example because an earlier action archived the issue
 * A refusal is thrown; the runner stores it as a failure.
 */
export type Effect = { result: "done" | "skipped"; detail: string | null };

/** The transaction of one action, with the rights of the person for whom it acts. */
export type Acting = Background & InWorkspace & Writing;
