import { recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import type { SetRanks } from "../positions.ts";
import { statusUpdated } from "./events.ts";
import { StatusView } from "./status-view.ts";
import { setRanks } from "./statuses.sql.ts";

/** Gives columns of a board new ranks. Clients see other ranks, so each is a change of its column with its event. */
export const giving =
  (ctx: InProject & Writing, board: StatusView[]): SetRanks =>
  async (ranks) => {
    await setRanks(ctx, ranks);
    for (const { id, rank } of ranks) {
      const before = board.find((column) => column.id === id) as StatusView;
      recordChange(ctx, statusUpdated, before, StatusView.parse({ ...before, rank, updated_at: ctx.now }));
    }
  };
