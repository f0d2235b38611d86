import { recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { milestoneUpdated, releaseUpdated, sprintUpdated } from "./events.ts";
import { listPlanned, setRanks, type Table } from "./planning.sql.ts";
import { milestoneView, releaseView, sprintView } from "./views.ts";

/**
 * Gives milestones, sprints or releases new ranks because there is no room between two of them. Clients see other ranks,
 * so each is a change with its event. The caller has locked the board.
 */
export async function giveRanks(
  ctx: InProject & Writing,
  table: Table,
  ranks: ReadonlyMap<string, string>,
): Promise<void> {
  const toGive = <Row extends { id: string; rank: string }>(rows: Row[]) =>
    rows.filter(({ id, rank }) => ranks.has(id) && ranks.get(id) !== rank);
  const given = ({ id }: { id: string }) => ({ rank: ranks.get(id)!, updated_at: ctx.now });

  if (table === "milestone") {
    for (const row of toGive(await listPlanned(ctx, table, ALL))) {
      recordChange(ctx, milestoneUpdated, { rank: row.rank }, milestoneView({ ...row, ...given(row) }));
    }
  } else if (table === "sprint") {
    for (const row of toGive(await listPlanned(ctx, table, ALL))) {
      recordChange(ctx, sprintUpdated, { rank: row.rank }, sprintView({ ...row, ...given(row) }));
    }
  } else {
    for (const row of toGive(await listPlanned(ctx, table, ALL))) {
      recordChange(ctx, releaseUpdated, { rank: row.rank }, releaseView({ ...row, ...given(row) }));
    }
  }
  await setRanks(ctx, table, ranks);
}

/** The query needs a limit. */
const ALL = { after: null, limit: 1_000_000 };
