import type { InProject, Writing } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { lockIssues } from "../mass-changes/settle.ts";
import { listPlaces } from "./list.sql.ts";
import type { ListFilter } from "./list-conditions.sql.ts";
import { lockFirstFree } from "./next-ready.sql.ts";
import type { Readiness } from "./ready.ts";

/** Number of issues among which a call looks for one that no other call has locked. */
const CANDIDATES = 100;

/** How often a call waits for an issue that another call has locked, if all ready ones are locked. */
const MAX_WAITS = 3;

/**
 * Locks the first issue by rank that is ready and matches the filters, and returns its id; null if there is none. Issues
 * that other calls have locked are passed over, so calls wait for each other only if nothing else is left: then the
 * first one may become free again, for example because only its title was changed.
 */
export async function lockFirstReady(
  ctx: InProject & Writing,
  filters: ListFilter[],
  ready: Readiness,
): Promise<string | null> {
  for (let waits = 0; ; waits++) {
    let first: string | undefined;
    for (let after: Cursor | null = null; ; ) {
      const options = { sort: "rank", archived: false, ready, after, limit: CANDIDATES } as const;
      const places = await listPlaces(ctx.db, ctx.workspace.id, ctx.project.id, filters, options);
      const ids = places.map(({ id }) => id);
      const free = ids.length > 0 ? await lockFirstFree(ctx, ids, filters, ready) : null;
      if (free) return free;
      first ??= ids[0];
      if (places.length < CANDIDATES) break;
      const { rank, id } = places.at(-1)!;
      after = [rank, id];
    }
    if (first === undefined || waits === MAX_WAITS) return null;
    await lockIssues(ctx, [first]);
  }
}
