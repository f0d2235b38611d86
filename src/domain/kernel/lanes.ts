import { Busy, type Database, type Db, type Transaction, type WriteTarget } from "./ports/ports.ts";

/**
 * Writes of calls that share a statement and its commit. A lane runs one statement at a time. What arrives meanwhile
 * waits, and then shares the next one. A write that finds its lane empty runs at once.
 */
export type Lanes = {
  /**
   * Stores the item together with those of other calls in the lane, and returns its row.
   * @throws Busy, or the error that the item has alone
   */
  share<Item, Row>(write: SharedWrite<Item, Row>, item: Item, target: WriteTarget): Promise<Row>;
};

/** A statement that stores the items of several calls, all or none. */
export type SharedWrite<Item, Row> = {
  /** Only items with the same lane share a statement. All else that the statement needs is in the items. */
  lane: string;
  /**
   * What the statement locks for the item. Items of different parts share no statement while a lock stays taken. Null if it
   * waits for no lock.
   */
  part: string | null;
  /** Length of an item in characters. */
  lengthOf(item: Item): number;
} & (
  | {
      /** Returns the rows in the order of the items. */
      run(db: Db, items: Item[]): Promise<Row[]>;
    }
  | {
      /** The same in a transaction. The rows arrive together with the reply to the commit. */
      begin(tx: Transaction, items: Item[]): Promise<{ rows: Promise<Row[]> }>;
    }
);

/** What a call whose only write is a statement may do with it. */
export type SharedWrites = {
  together<Item, Row>(write: SharedWrite<Item, Row>, item: Item): Promise<Row>;
  /** Runs a statement that is not shared. */
  alone<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

/** What a call read for a shared write is not true any more, or was not read. Nothing was written; it needs a transaction. */
export class NotShared extends Error {}

/** Items of a statement, and their characters. More would keep the locks of the statement for too long. */
const MAX_ITEMS = 50;
const MAX_LENGTH = 512 * 1024;
/** Items of a lane that may wait. */
const MAX_WAITING = 500;
/**
 * If a statement takes longer, in milliseconds, because it waits for a lock, the next one need not wait for it. So no
 * item waits in a lane for longer than this, and then has the same limits of time as a statement of its own.
 */
const SLOW_MS = 100;
/** For how long the parts of a lane have lanes of their own after one of them stayed locked, in milliseconds. */
const APART_MS = 5_000;

/** Hears of writes that wait for their lane, and of statements. */
export type LaneWatch = {
  /** Returns what to call when the write's statement begins. */
  queued(): () => void;
  /** A statement of so many writes begins. */
  began(writes: number): void;
};

type Waiting = {
  item: unknown;
  left?: (() => void) | undefined;
  length: number;
  write: SharedWrite<unknown, unknown>;
  target: WriteTarget;
  done(row: unknown): void;
  failed(error: unknown): void;
};
type Lane = { name: string; waiting: Waiting[]; isFree: boolean };

export function openLanes(database: Pick<Database, "write" | "transaction">, watch?: LaneWatch): Lanes {
  const lanes = new Map<string, Lane>();
  /** Lanes whose parts are apart. */
  const apart = new Set<string>();

  function laneOf({ lane: name, part }: SharedWrite<unknown, unknown>): Lane {
    const own = apart.has(name) ? `${name} ${part}` : name;
    const lane = lanes.get(own) ?? { name: own, waiting: [], isFree: true };
    lanes.set(own, lane);
    return lane;
  }

  const next = (lane: Lane) => {
    if (lane.waiting.length > 0) void run(lane, firstOf(lane));
    else lanes.delete(lane.name);
  };

  async function run(lane: Lane, batch: Waiting[]): Promise<void> {
    lane.isFree = false;
    for (const { left } of batch) left?.();
    watch?.began(batch.length);
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      lane.isFree = true;
      next(lane);
    };
    const slow = setTimeout(over, SLOW_MS);
    try {
      await store(batch);
    } finally {
      clearTimeout(slow);
      over();
    }
  }

  async function store(batch: Waiting[]): Promise<void> {
    if (batch.length === 1) return storeAlone(batch[0]!);
    const left = await storeTogether(batch);
    await Promise.all(left.map(store));
  }

  /** Returns what has to be tried again, apart, because the statement failed for some of what is in it. */
  async function storeTogether(batch: Waiting[]): Promise<Waiting[][]> {
    const [{ write, target }] = batch as [Waiting];
    const items = batch.map(({ item }) => item);
    let left: Waiting[][] = [];
    const attempt = async (run: () => Promise<unknown[]>) => {
      try {
        return await run();
      } catch (error) {
        const parts = [...Map.groupBy(batch, (one) => one.write.part).values()];
        if (isRejected(error)) left = batch.map((one) => [one]);
        else if (isLocked(error) && parts.length > 1) {
          left = parts;
          apart.add(write.lane);
          setTimeout(() => apart.delete(write.lane), APART_MS).unref();
        } else throw error;
        return null;
      }
    };
    try {
      const rows =
        "run" in write
          ? await database.write((db) => attempt(() => write.run(db, items)), target)
          : await attempt(() => inTransaction(write, items, target));
      if (rows) for (const [index, { done }] of batch.entries()) done(rows[index]);
      return left;
    } catch (error) {
      // No lock in time, or no Postgres: that would have happened to each of them.
      for (const { failed } of batch) failed(error);
      return [];
    }
  }

  const storeAlone = ({ item, write, target, done, failed }: Waiting) =>
    ("run" in write
      ? database.write((db) => write.run(db, [item]), target)
      : inTransaction(write, [item], target)
    ).then(([row]) => done(row), failed);

  async function inTransaction(
    { begin }: Extract<SharedWrite<unknown, unknown>, { begin: unknown }>,
    items: unknown[],
    target: WriteTarget,
  ): Promise<unknown[]> {
    const begun = async (tx: Transaction) => {
      const { rows } = await begin(tx, items);
      // If they fail, so does the commit.
      rows.catch(() => {});
      return { rows };
    };
    const { rows } = await database.transaction(begun, "", target);
    return rows;
  }

  return {
    share<Item, Row>(write: SharedWrite<Item, Row>, item: Item, target: WriteTarget) {
      const lane = laneOf(write as SharedWrite<unknown, unknown>);
      const { waiting, isFree } = lane;
      if (waiting.length >= MAX_WAITING) return Promise.reject(new Busy());
      const stored = new Promise<Row>((done, failed) => {
        const length = write.lengthOf(item);
        waiting.push({ item, length, write, target, left: watch?.queued(), done, failed } as Waiting);
      });
      if (isFree) next(lane);
      return stored;
    },
  };
}

/** Takes the items of the next statement from a lane: at least one. */
function firstOf({ waiting }: Lane): Waiting[] {
  let length = 0;
  const after = waiting.findIndex((one, index) => {
    length += one.length;
    return index === MAX_ITEMS || (index > 0 && length > MAX_LENGTH);
  });
  return waiting.splice(0, after === -1 ? waiting.length : after);
}

/**
 * SQLSTATEs that say nothing about the values: lost connections, too few resources, locks that stay taken, and
 * interventions of an operator.
 */
const OF_NO_ITEM = /^(08|25|53|55|57|58)/;

/** Whether a lock was not to be had in time. */
const isLocked = (error: unknown): boolean => (error as { code?: string }).code === "55P03";

/** Whether Postgres rejected a statement for its values or for rows that they name. Then nothing of it was stored. */
function isRejected(error: unknown): boolean {
  const { severity, code = "" } = error as { severity?: string; code?: string };
  return severity === "ERROR" && !OF_NO_ITEM.test(code);
}
