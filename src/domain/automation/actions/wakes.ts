import { writeRecorded } from "../../events/events.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { Recorded } from "../../kernel/recorded.ts";
import type { Running } from "./action.ts";
import { insertWakesOf, type Through } from "./wakes.sql.ts";

/**
 * An agent that an automation or a workflow assigns to an issue, or mentions in it, is woken by that. Its changes then
 * continue the chain of causes, so a loop through an agent ends like any other.
 */

/** The automation or the run of a workflow that wakes an agent. */
export const throughOf = ({ source: { kind, id, runId } }: Running): Through => ({
  automation_id: kind === "automation" ? id : null,
  workflow_run_id: kind === "workflow" ? runId : null,
});

type Mark = { events: number; recorded: number };

/** How many events the transaction has by now. */
export const markEvents = ({ eventIds, recorded }: Writing): Mark => ({
  events: eventIds.length,
  recorded: recorded.length,
});

/** Stores that the agents are woken whom the events since `mark` name. */
export async function wakeNamed(
  ctx: Writing & Pick<InWorkspace, "workspace">,
  { events, recorded }: Mark,
  through: Through,
): Promise<void> {
  // Without an automation before it, a workflow begins no chain: what people do in its stages begins none either.
  if (ctx.cause.root_event_id === undefined) return;
  const [ids, waiting] = [ctx.eventIds.slice(events), ctx.recorded.slice(recorded)];
  // Those that were written at once may name anybody.
  if (ids.length === waiting.length && !waiting.some(namesSomebody)) return;
  await writeRecorded(ctx, ctx.recorded.splice(recorded));
  await insertWakesOf(ctx, ids, through);
}

function namesSomebody({ context, data }: Recorded): boolean {
  const { mentions } = data as { mentions?: unknown[] };
  return context?.added !== undefined || context?.mentioned !== undefined || (mentions ?? []).length > 0;
}
