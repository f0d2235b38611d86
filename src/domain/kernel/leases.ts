/** What long work on claimed rows needs of the process that it runs in. */
export type Host = {
  /** Names the process, as in the table worker_process. */
  processId: string;
  stopping: Pick<AbortSignal, "aborted">;
  /** Milliseconds on a clock that never goes back. */
  clock(): number;
};

/**
 * Claims a few rows at a time and works on them, until none is due or `stopping` is aborted. Between two claims, rows of other
 * workspaces get their turn. Returns how many were begun.
 */
export async function workInTurns<Row>(
  claim: (limit: number) => Promise<Row[]>,
  options: Parameters<typeof workOn<Row>>[1],
  work: (row: Row) => Promise<unknown>,
): Promise<number> {
  for (let begun = 0; ; ) {
    const rows = options.stopping.aborted ? [] : await claim(options.atOnce);
    if (rows.length === 0) return begun;
    begun += await workOn(rows, options, work);
  }
}

/**
 * Works on claimed rows, `atOnce` at a time, until all are done or `stopping` is aborted. Rows that were not begun, and
 * rows whose work threw, are due again when their lease ends. Returns how many were begun.
 */
export async function workOn<Row>(
  rows: readonly Row[],
  options: { atOnce: number; stopping: Pick<AbortSignal, "aborted">; onError: (row: Row, error: unknown) => void },
  work: (row: Row) => Promise<unknown>,
): Promise<number> {
  const { atOnce, stopping, onError } = options;
  let begun = 0;
  const one = async () => {
    while (begun < rows.length && !stopping.aborted) {
      const row = rows[begun++]!;
      await work(row).catch((error) => onError(row, error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return begun;
}
