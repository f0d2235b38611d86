import { refuse } from "../../domain/errors.ts";

/**
 * Writes of one project wait for each other on its board's lock, and every one that waits holds a database connection.
 * A lane lets only so many of a project in at a time; the others wait here, where waiting costs nothing, so that one
 * tenant's long change leaves connections for everybody else.
 */
export type Lanes = { enter(name: string): Promise<() => void> };

const PATIENCE_MS = 3_000;

/** `width`: calls of one lane at a time. */
export function openLanes(width: number): Lanes {
  const lanes = new Map<string, { inside: number; waiting: Set<() => void> }>();

  return {
    /** Answers how to leave. @throws Refusal unavailable, when no place came free in time */
    async enter(name) {
      let lane = lanes.get(name);
      if (!lane) {
        lane = { inside: 0, waiting: new Set() };
        lanes.set(name, lane);
      }
      if (lane.inside < width) lane.inside++;
      else await place(lane.waiting);

      return () => {
        const [next] = lane.waiting;
        if (next) {
          // The place is handed over, so that nobody overtakes those who wait.
          lane.waiting.delete(next);
          next();
        } else if (--lane.inside === 0) lanes.delete(name);
      };
    },
  };
}

function place(waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(enter);
      try {
        refuse("unavailable", {
          message: "A long change of this project is under way; retry shortly.",
          headers: { "Retry-After": "2" },
        });
      } catch (error) {
        reject(error);
      }
    }, PATIENCE_MS);
    waiting.add(enter);
  });
}
