import type { Db } from "../domain/kernel/ports/ports.ts";
import { isForEvents, type QueueDefinition, type QueueRows } from "../queues/queue.ts";
import { reactionsOf } from "./events/reactions.sql.ts";

/** Counts the rows behind queues, in all workspaces, from what each queue declares. */

/** The largest count, which is enough to see that a queue is behind. */
const MAX_COUNTED = 10_000;

const rowsOf = (queue: QueueDefinition): QueueRows[] => [
  ...(isForEvents(queue) ? [reactionsOf(queue)] : []),
  ...(queue.rows ? [queue.rows] : []),
];

/** The statements of this process, one for each set of queues. */
const texts: string[] = [];

async function count<Name extends string>(
  db: Db,
  queues: readonly QueueDefinition[],
  kinds: Record<Name, (rows: QueueRows) => string>,
): Promise<({ queue: string } & Record<Name, number>)[]> {
  const counted = queues.flatMap((queue) =>
    rowsOf(queue).map((rows) => {
      const numbers = Object.entries<(rows: QueueRows) => string>(kinds).map(
        ([name, where]) =>
          `(select count(*)::int from (select from ${rows.table} where ${where(rows)} limit ${MAX_COUNTED}) r) as ${name}`,
      );
      return `select '${queue.name}' as queue, ${numbers.join(", ")}`;
    }),
  );
  if (counted.length === 0) return [];
  const text = counted.join(" union all ");
  // Prepared, because planning it takes much longer than running it.
  if (!texts.includes(text)) texts.push(text);
  return db.query({ name: `count_rows_${texts.indexOf(text)}`, text });
}

/** Returns the number of rows that are due and that no worker works on, by queue. */
export async function countDue(db: Db, queues: readonly QueueDefinition[]): Promise<Record<string, number>> {
  const rows = await count(db, queues, { due: ({ due }) => due });
  const sum = new Map<string, number>();
  for (const { queue, due } of rows) sum.set(queue, (sum.get(queue) ?? 0) + due);
  return Object.fromEntries(sum);
}

/** Returns the number of rows with work left, by queue: due `now`, including claimed rows, or `later`. */
export const countOpen = (db: Db, queues: readonly QueueDefinition[]) =>
  count(db, queues, {
    now: ({ open, later = "false" }) => `(${open}) and not (${later})`,
    later: ({ later = "false" }) => later,
  });
