import { isDeepStrictEqual } from "node:util";
import type { Host } from "./leases.ts";

/**
 * Work on a claimed row that changes very many objects: it is made in pieces, each a transaction of its own, so that others
 * wait no longer than a piece takes. An object that was changed is found no more, so a process that dies repeats and loses
 * nothing.
 */
export type InPieces<Row, Item> = {
  /** Claims the next row of the workspace. */
  claim(): Promise<Row | undefined>;
  /** Returns the beginning of what is left to change. */
  left(row: Row): Promise<Item[]>;
  /** Splits it into what one transaction changes. */
  split(items: Item[]): Iterable<Item[]>;
  /** Changes a piece, and returns how many. Null: the row is no longer this process's. */
  change(row: Row, piece: Item[]): Promise<number | null>;
  ended(row: Row): Promise<unknown>;
  /** Gives the row back. */
  yields(row: Row): Promise<unknown>;
};

export type PiecesHost = Host & {
  /** Shows how far the work has come. */
  progress(state: object): void;
};

/** Other workspaces get their turn after that. */
const TURN_MS = 500;

/** Works on the rows of a workspace for a turn. Returns the number of objects, and whether something is left to do. */
export async function workInPieces<Row, Item>(
  work: InPieces<Row, Item>,
  { clock, stopping }: Host,
): Promise<{ changed: number; left: boolean }> {
  const end = clock() + TURN_MS;
  const isOver = () => stopping.aborted || clock() > end;
  for (let changed = 0; ; ) {
    const row = await work.claim();
    if (!row) return { changed, left: false };
    const made = await oneRow(work, row, isOver);
    changed += made.changed;
    if (!made.ended) return { changed, left: true };
  }
}

async function oneRow<Row, Item>(work: InPieces<Row, Item>, row: Row, isOver: () => boolean) {
  let changed = 0;
  for (let first: Item | undefined; ; ) {
    const items = await work.left(row);
    if (items.length === 0) {
      await work.ended(row);
      return { changed, ended: true };
    }
    // Otherwise it would go on for ever.
    if (isDeepStrictEqual(items[0], first)) throw new Error(`A piece left ${JSON.stringify(first)} unchanged.`);
    first = items[0];
    for (const piece of work.split(items)) {
      if (isOver()) {
        await work.yields(row);
        return { changed, ended: false };
      }
      const done = await work.change(row, piece);
      if (done === null) return { changed, ended: true };
      changed += done;
    }
  }
}

/** Splits a list into parts of up to `size`. */
export function* partsOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
