import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** Writes a file that only its owner can read. Readers see either the old or the new content. */
export function writePrivate(path: string, content: string): void {
  const unfinished = `${path}.${process.pid}.tmp`;
  writeFileSync(unfinished, content, { mode: 0o600 });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, path);
}

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * The parsed JSON of `path`. Undefined if there is no such file or it is not valid JSON (a crash of the machine may
 * truncate it).
 */
export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readText(path) ?? "") as T;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reads a secret from a file, or creates it. */
export function keptSecret(path: string, bytes: number, encoding: "base64" | "base64url"): string {
  const kept = readText(path)?.trim();
  if (kept) return kept;
  const made = randomBytes(bytes).toString(encoding);
  writePrivate(path, `${made}\n`);
  return made;
}
