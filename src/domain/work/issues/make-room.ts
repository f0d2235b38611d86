import type { InProject, Writing } from "../../kernel/context.ts";
import { keysBetween } from "../../kernel/rank-keys.ts";
import { giveRanks } from "./new-ranks.ts";
import { type Beside, equalsAt, type Gap, surroundings } from "./ranks.sql.ts";

/** Makes room on the board for a rank. Each rank that is replaced is a change of its issue. */

/**
 * If a new rank would be longer than LONG, the issues around it get new ranks. As many of them get one as it takes to make
 * all of these ranks at most SHORT.
 */
export const LONG = 40;
const SHORT = 20;
/** Issues on each side that get new ranks in the first attempt. */
const SURROUNDINGS = 50;

/** Makes room in a gap, which a position has, and which has no short rank left. `without` is the issue that moves. */
export async function makeRoom(
  ctx: InProject & Writing,
  { low, high }: Gap,
  at: Beside,
  without: string | null,
): Promise<void> {
  if (low !== null && low === high && (await separate(ctx, at, without))) return;
  await rebalance(ctx, (low ?? high)!, without);
}

/**
 * Separates the issues before a position from those with the same rank behind it: the smaller part gets new ranks, and all
 * others keep theirs. Returns false if there is no room for the part.
 */
async function separate(ctx: InProject & Writing, at: Beside, without: string | null): Promise<boolean> {
  const { earlier, later, low, high } = await equalsAt(ctx, at, without);
  const { rank } = earlier[0]!;
  // One more, for the issue that comes: if its rank were too long, the others would have to change twice.
  const [issues, ranks] =
    earlier.length < later.length
      ? [earlier, keysBetween(low, rank, earlier.length + 1)]
      : [later, keysBetween(rank, high, later.length + 1)];
  if (ranks.some((key) => key.length > SHORT)) return false;
  await giveRanks(ctx, issues, issues === earlier ? ranks.slice(0, -1) : ranks.slice(1));
  return true;
}

/** Gives the issues around a rank, and all issues that share it, short and different ranks in their present order. */
async function rebalance(ctx: InProject & Writing, around: string, without: string | null): Promise<void> {
  for (let reach = SURROUNDINGS; ; reach *= 4) {
    const { issues, low, high, isWhole } = await surroundings(ctx, around, reach, without);
    const ranks = keysBetween(low, high, issues.length);
    if (isWhole || ranks.every((rank) => rank.length <= SHORT)) return giveRanks(ctx, issues, ranks);
  }
}
