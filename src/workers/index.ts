import { QUEUE_FILES } from "../queues/index.ts";
import type { QueueDefinition } from "../queues/queue.ts";
import type { QueueWorker } from "./worker.ts";

/** Every worker, from the files that src/queues/index.ts lists. A missing or invalid file aborts the start. */
export const workers: readonly QueueWorker[] = await Promise.all(QUEUE_FILES.map(load));

export const queues: readonly QueueDefinition[] = workers.map(({ queue }) => queue);

/** @throws Error unless the file exports, as `worker`, the worker of a queue with the file's name */
export async function load(file: string): Promise<QueueWorker> {
  const { worker }: { worker?: QueueWorker } = await import(/* @vite-ignore */ `./${file}.ts`);
  if (!worker) throw new Error(`src/workers/${file}.ts exports no \`worker\`: make one with serve().`);
  const { name } = worker.queue;
  if (!`/${file}`.endsWith(`/${name}`)) throw new Error(`src/workers/${file}.ts serves ${name}: give both one name.`);
  return worker;
}
