import type { InIssue } from "../../access/identity/issue-row.ts";
import { isClosed } from "../../kernel/categories.ts";
import { extended, type Sharing } from "../../kernel/context.ts";
import { NotShared, type SharedWrite } from "../../kernel/lanes.ts";
import { lockBoards } from "../../kernel/locks.sql.ts";
import type { Transaction } from "../../kernel/ports/ports.ts";
import { Written } from "../../kernel/written.ts";
import { checkFieldPolicy } from "./allowed-fields.ts";
import { type ColumnWithEnd, columnsWithEnds } from "./board.sql.ts";
import { moveShared, type SharedMove } from "./change-shared.sql.ts";
import { BASE_LENGTH, eventsOf, lengthOf, recordedChange, stateOf, timeOfChange } from "./change-shared.ts";
import { differing } from "./changes-for.ts";
import { checkMove, columnFor, wipModeOf } from "./columns.ts";
import type { IssueTransitionInput } from "./inputs.ts";
import type { Gap } from "./ranks.sql.ts";
import { rankIn } from "./ranks.ts";
import { stamps } from "./stamps.ts";
import { type IssueView, labelsOf, viewOf } from "./view.ts";

/**
 * Moves of issues to the bottom of other columns of a board that arrive at the same time share a transaction: it locks the
 * board and reads its columns, then each call computes its move, and one statement stores all of them.
 */

const PLAIN: ReadonlySet<string> = new Set(["status", "status_id", "if_version"]);

/** Whether a body, as it was sent, moves an issue to the bottom of a column and does nothing else. */
export const isPlainMove = (body: unknown): boolean => Object.keys(body ?? {}).every((field) => PLAIN.has(field));

type Moved = { view: IssueView | Written<IssueView>; item: SharedMove | null };
/** A move, and how it is computed once the board is locked. Its error concerns its call alone. */
type Item = { ctx: InIssue & Sharing; wanted: IssueTransitionInput; state: ReturnType<typeof stateOf> };
type Result = Moved["view"] | { error: unknown };

/** @throws Refusal, NotShared */
export async function moveTogether(ctx: InIssue & Sharing, wanted: IssueTransitionInput): Promise<Moved["view"]> {
  if (!movesAlone(ctx)) throw new NotShared();
  const result = await ctx.shared.together(writeTo(ctx), { ctx, wanted, state: stateOf(ctx, wanted.if_version) });
  if ("error" in result) throw result.error;
  return result;
}

/** Whether only the issue and its columns change with its move. */
const movesAlone = ({ issue }: InIssue): boolean =>
  issue.parent_id === null &&
  issue.epic_id === null &&
  issue.link_count === 0 &&
  issue.open_blocker_count === 0 &&
  issue.status_id !== null &&
  // If it opens again, it may lose people and its sprint.
  !(isClosed(issue.status) && (issue.sprint_id !== null || issue.assignee_ids.length > 0));

const writeTo = ({ workspace, project, issue }: InIssue): SharedWrite<Item, Result> => ({
  lane: `moves ${project.id}`,
  part: project.id,
  begin: async (tx, items) => ({ rows: storeAll(tx, workspace.id, await computeAll(tx, items)) }),
  lengthOf: () => BASE_LENGTH + 2 * lengthOf(issue),
});

async function computeAll(tx: Transaction, items: Item[]): Promise<(Moved | { error: unknown })[]> {
  const board = await lockBoard(tx, items);
  const computed: (Moved | { error: unknown })[] = [];
  for (const item of items) {
    item.ctx.warnings.length = 0;
    computed.push(await moved(item, board).catch((error) => ({ error })));
  }
  return computed;
}

async function storeAll(
  tx: Transaction,
  workspaceId: string,
  computed: (Moved | { error: unknown })[],
): Promise<Result[]> {
  const moves = computed.flatMap((one) => ("item" in one && one.item ? [one.item] : []));
  const stored = moves.length > 0 ? await moveShared(tx, workspaceId, moves) : [];
  const done = new Set(moves.filter((_, n) => stored[n]));
  return computed.map((one) => {
    if ("error" in one) return one;
    return one.item === null || done.has(one.item) ? one.view : { error: new NotShared() };
  });
}

type Board = {
  /** The columns, with the ends of those that a body names. */
  columnsFor: (wanted: IssueTransitionInput) => ColumnWithEnd[];
  /** The gaps that moves of this transaction have begun to fill, by their first ends. */
  gaps: Map<string, Gap>;
};

const nameOf = ({ status, status_id }: IssueTransitionInput) => `${status} ${status_id}`;

async function lockBoard(tx: Transaction, items: Item[]): Promise<Board> {
  const [{ ctx }] = items as [Item];
  const locking = extended(ctx, { db: tx, tx, waited: () => {} });
  const wanted = new Map(items.map((item) => [nameOf(item.wanted), item.wanted]));
  const [boards, ...read] = await Promise.all([
    lockBoards(locking, [ctx.project.id]),
    ...[...wanted.values()].map(({ status, status_id }) =>
      columnsWithEnds(locking, { ...(status ? { status } : {}), ...(status_id ? { status_id } : {}) }, NO_ISSUE),
    ),
  ]);
  // Each call then finds that out itself.
  if (boards.some(({ archived_at }) => archived_at)) throw new NotShared();
  const columns = new Map([...wanted.keys()].map((name, n) => [name, read[n]!]));
  return { columnsFor: (one) => columns.get(nameOf(one))!, gaps: new Map() };
}

/** The issues that move are where they were. */
const NO_ISSUE = "00000000-0000-0000-0000-000000000000";

/** @throws Refusal, NotShared */
async function moved({ ctx, wanted, state }: Item, { columnsFor, gaps }: Board): Promise<Moved> {
  const { issue: before } = ctx;
  const columns = columnsFor(wanted);
  const column = (await columnFor(ctx, async () => columns, { ...wanted, must_agree: true }, before))!;
  if (column.id === before.status_id) return { view: viewOf(ctx, before, labelsOf(before)), item: null };
  // Others of this transaction may fill the column, or not come after all.
  if (column.wip_limit !== null && wipModeOf(ctx) !== "off") throw new NotShared();
  await checkMove(ctx, before, column);
  // An issue that is the end itself may keep its rank, which only a look at the others can tell.
  if (column.end?.low === before.rank) throw new NotShared();
  const rank = nextRank(column, gaps);
  if (rank === null) throw new NotShared();

  const now = timeOfChange(ctx);
  const next = { rank, status_id: column.id, status: column.category, ...stamps(now, before, column.category) };
  const changes = differing(before, next);
  checkFieldPolicy(ctx.principal, before, { ...wanted, must_agree: true }, changes);
  const shown = { status_name: column.name, version: before.version + 1, updated_at: now };
  const after = { ...before, ...changes, ...shown };
  const { view, recorded } = recordedChange(ctx, before, after);
  const { status, status_id, started_at, resolved_at } = after;
  const columnsOfMove = { status, status_id, rank: after.rank, started_at, resolved_at, left_id: before.status_id! };
  const item = { ...state, ...eventsOf(recorded), ...columnsOfMove, now };
  return { view: new Written(view, item.json), item };
}

/** Returns a rank behind the end of a column and behind those that were given before. Null if there is no short one. */
function nextRank({ end }: ColumnWithEnd, gaps: Map<string, Gap>): string | null {
  if (!end) return null;
  const name = `${end.low} ${end.high}`;
  const gap = gaps.get(name) ?? end;
  const rank = rankIn(gap, "after");
  if (rank !== null) gaps.set(name, { low: rank, high: gap.high });
  return rank;
}
