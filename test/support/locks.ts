import { expect } from "vitest";
import type { World } from "./world.ts";

/** Waits until so many statements on this file's database wait for a lock. */
export const waitersFor = ({ sql }: World, count: number): Promise<void> =>
  expect
    .poll(async () => {
      const [row] = await sql<{ waiting: number }>(
        `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.waiting;
    })
    .toBe(count);
