import type { Background } from "../../events/background.ts";
import {
  endUploads,
  freeFiles,
  issuesPastRestoring,
  objectRemoved,
  removableObjects,
  workspacesWithEndedUploads,
} from "./collect.sql.ts";

/** Removes unused files. The rows say what has to be removed, so if a run dies, the next one continues. */

const BATCH = 500;
/** Longer than a restore that began within its window can take. */
const MARGIN_MS = 86_400_000;
/** No upload takes longer. */
const UNFINISHED_MS = 2 * 86_400_000;

type Stop = Pick<AbortSignal, "aborted">;

/** Ends uploads that were not committed in time, and removes the bytes of files that are gone. */
export async function collectFiles(ctx: Background, stopping: Stop): Promise<{ ended: number; removed: number }> {
  const { db, now } = ctx;
  let ended = 0;
  for (const workspaceId of await workspacesWithEndedUploads(db, now, BATCH)) {
    ended += await inBatches(stopping, () => endUploads(db, workspaceId, now, BATCH));
  }
  const removed = await inBatches(stopping, async () => {
    const claimed = await removableObjects.claimDue(db, BATCH);
    // Objects that the store does not remove are due again when their lease ends.
    const refused = new Set(await ctx.ports.files.remove(claimed.map(({ key }) => key)));
    if (refused.size > 0) {
      const keys = [...refused].slice(0, 10);
      ctx.log.warn({ keys, count: refused.size }, "the store does not remove some files");
    }
    const gone = claimed.filter(({ key }) => !refused.has(key));
    await objectRemoved(db, gone);
    return claimed.length;
  });
  return { ended, removed };
}

/** Frees the files of issues and projects that were archived too long ago to be restored, and tidies up the store. */
export async function freeArchivedFiles(ctx: Background): Promise<number> {
  const { db, now, settings } = ctx;
  const before = (ms: number) => new Date(Date.parse(now) - ms).toISOString();
  await ctx.ports.files.tidy(before(UNFINISHED_MS));
  if (settings.restoreWindowDays === null) return 0;

  const archivedBefore = before(settings.restoreWindowDays * 86_400_000 + MARGIN_MS);
  let total = 0;
  for (let freed = 1; freed > 0; total += freed) {
    freed = 0;
    for (const issue of await issuesPastRestoring(db, archivedBefore, BATCH))
      freed += await inBatches({ aborted: false }, () => freeFiles(db, issue, now, BATCH));
  }
  return total;
}

async function inBatches(stopping: Stop, work: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let done = BATCH; done === BATCH && !stopping.aborted; total += done) done = await work();
  return total;
}
