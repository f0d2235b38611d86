import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { type FileChecksum, type ObjectStore, StoreAway } from "../domain/kernel/ports/ports.ts";

/** How long a file may wait to be read. */
const PATIENCE_MS = 60_000;

/**
 * Reads files to compute checksums. Files of one workspace share a folder and are read one after another, so that one
 * workspace's large files do not delay everyone else's.
 */
export function openChecksums(files: Pick<ObjectStore, "open">): FileChecksum {
  const pending = new Map<string, Promise<unknown>>();

  return (key) => {
    const asked = performance.now();
    const read = () => {
      if (performance.now() - asked < PATIENCE_MS) return readChecksum(files, key);
      throw new StoreAway("too many files of a workspace are being checked");
    };
    const folder = dirname(key);
    const current = (pending.get(folder) ?? Promise.resolve()).then(read, read);
    pending.set(folder, current);
    const leave = () => pending.get(folder) === current && pending.delete(folder);
    current.then(leave, leave);
    return current;
  };
}

async function readChecksum(files: Pick<ObjectStore, "open">, key: string): Promise<string | null> {
  const bytes = await files.open(key);
  if (!bytes) return null;
  const hash = createHash("sha256");
  try {
    for await (const chunk of bytes) hash.update(chunk);
  } catch (error) {
    throw new StoreAway("a file could not be read to its end", { cause: error });
  }
  return hash.digest("hex");
}
