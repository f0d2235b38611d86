import type { Scope } from "../../access/identity/scopes.ts";
import type { SetUpBy } from "../../access/identity/set-up-by.ts";
import { inMs, type Lease, leasedRows } from "../../kernel/leases.sql.ts";
import type { ActionInput } from "../actions/inputs.ts";
import type { Values } from "../templates/template.ts";

/** Runs of automations as rows that workers claim. */

/**
 * How long a worker may take between two actions. An action itself may take longer, because its transaction locks the
 * row, and claims skip locked rows.
 */
const LEASE_MS = 5_000;
export const LEASE_END = inMs(LEASE_MS);

/** What a run needs of its automation, as it was when the run started. */
export type RunPlan = SetUpBy & {
  name: string;
  actions: ActionInput[];
  on_error: "stop" | "continue";
  /** The person or agent whose rights count. */
  creator_id: string;
  triggering_user_id: string | null;
  values: Values;
  /** The scopes that a key needs to read what started the run. Runs that began before these were kept have none. */
  reads?: Scope[];
  /** Number of earlier runs. */
  ordinal: number;
};

/** A run that this process works on. */
export type ClaimedRun = Lease & {
  id: string;
  workspace_id: string;
  automation_id: string;
  issue_id: string | null;
  trigger: string;
  root_event_id: string;
  depth: number;
  plan: RunPlan;
  next_action: number;
  /** Faults of the action that is next. */
  attempts: number;
};

export const RUN_COLUMNS =
  "id, workspace_id, automation_id, issue_id, trigger, root_event_id, depth, plan, next_action, attempts";

/** `$2` of a claim is the id of the worker process, and `$3` the workspace. */
export const runs = leasedRows<Omit<ClaimedRun, keyof Lease>>({
  table: "automation_run",
  key: "id",
  lease: "due_at",
  process: "held_by",
  open: "status is null",
  until: LEASE_END,
  only: "workspace_id = $3",
  columns: RUN_COLUMNS,
});

/** Gives back runs for another job. They are due at once. */
export const runPutBack = runs.ending("put_back", { due: "date_trunc('milliseconds', now())" });

/** An action failed for a reason outside of it, and is tried again in `$3` milliseconds. */
export const runFaulted = runs.ending("faulted", { set: "attempts = attempts + 1", due: inMs("$3") });
