import { createHash } from "node:crypto";
import { refuse } from "../errors.ts";
import { type ObjectStore, StoreAway } from "../ports.ts";

/** How long a file may wait until it is read. */
const PATIENCE_MS = 60_000;

const turns = new Map<string, Promise<unknown>>();

/**
 * The checksum of a stored file, for which all of it is read; null when it is not there. A process reads a workspace's
 * files one after the other, or whoever commits large ones again and again would leave no time for anybody else.
 * @throws Refusal unavailable, when its turn does not come in time
 */
export function checksumOf(files: ObjectStore, workspaceId: string, key: string): Promise<string | null> {
  const asked = performance.now();
  const read = () => {
    if (performance.now() - asked < PATIENCE_MS) return readChecksum(files, key);
    const message = "Other files of the workspace are being checked; commit this one again shortly.";
    return refuse("unavailable", { message, headers: { "Retry-After": "10" } });
  };
  const turn = (turns.get(workspaceId) ?? Promise.resolve()).then(read, read);
  turns.set(workspaceId, turn);
  const leave = () => turns.get(workspaceId) === turn && turns.delete(workspaceId);
  turn.then(leave, leave);
  return turn;
}

async function readChecksum(files: ObjectStore, key: string): Promise<string | null> {
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
