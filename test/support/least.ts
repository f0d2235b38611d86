/**
 * The least CPU time that the work takes, in ms of this thread. Of several runs, because files of one process share a
 * heap: collecting its garbage may fall into one of them.
 */
export function leastCpu(work: () => void, runs = 3): number {
  const took = Array.from({ length: runs }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...took);
}

/** The least time that the work takes, in ms, of several runs: a machine that has much else to do delays some of them. */
export async function leastTime(work: () => unknown, runs = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    await work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}
