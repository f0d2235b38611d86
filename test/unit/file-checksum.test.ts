import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openChecksums } from "../../src/adapters/file-checksum.ts";
import { StoreAway } from "../../src/domain/kernel/ports/ports.ts";
import { sha256 } from "../support/files.ts";

/** Files that take a while to read; counts how many of a workspace are read at once. */
function slowFiles() {
  const open = new Map<string, number>();
  let most = 0;
  let inAll = 0;
  const files = {
    async open(key: string) {
      const workspace = key.slice(0, 1);
      const now = (open.get(workspace) ?? 0) + 1;
      open.set(workspace, now);
      most = Math.max(most, now);
      inAll = Math.max(
        inAll,
        [...open.values()].reduce((sum, count) => sum + count),
      );
      return Readable.from(
        (async function* () {
          try {
            await sleep(20);
            if (key.endsWith("broken")) throw new Error("the disk is gone");
            yield Buffer.from(key);
          } finally {
            open.set(workspace, open.get(workspace)! - 1);
          }
        })(),
      );
    },
  };
  return { checksum: openChecksums(files), most: () => most, inAll: () => inAll };
}

test("files of one workspace are read one after the other, those of others meanwhile", async () => {
  const { checksum, most, inAll } = slowFiles();
  const keys = ["a/1", "a/2", "a/broken", "a/3", "b/1"];
  const read = await Promise.allSettled(keys.map(checksum));
  const values = read.map((one) => (one.status === "fulfilled" ? one.value : "failed"));
  expect(values).toEqual([sha256("a/1"), sha256("a/2"), "failed", sha256("a/3"), sha256("b/1")]);
  expect([most(), inAll()]).toEqual([1, 2]);
});

test("a caller that waits too long is told to retry", async () => {
  const { checksum } = slowFiles();
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  try {
    const waiting = [checksum("a/1"), checksum("a/2")];
    clock.mockReturnValue(61_000);
    const read = await Promise.allSettled(waiting);
    expect(read.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(read[1]).toMatchObject({ reason: expect.any(StoreAway) });
  } finally {
    clock.mockRestore();
  }
});
