import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** Writes a file that only its owner can read; a reader sees the old or the new content, never a half of it. */
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

/** What `path` holds, or undefined when there is no such file or it is not JSON (a crash of the machine may truncate it). */
export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readText(path) ?? "") as T;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A secret made once and kept in a file. */
export function keptSecret(path: string, bytes: number, encoding: "base64" | "base64url"): string {
  const kept = readText(path)?.trim();
  if (kept) return kept;
  const made = randomBytes(bytes).toString(encoding);
  writePrivate(path, `${made}\n`);
  return made;
}
