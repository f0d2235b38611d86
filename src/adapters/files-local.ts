import { randomUUID } from "node:crypto";
import { constants, createReadStream, createWriteStream } from "node:fs";
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { SignedAddresses } from "../domain/kernel/files/signed-addresses.ts";
import { type ObjectStore, StoreAway, WrongBytes } from "../domain/kernel/ports/ports.ts";
import { checked } from "./file-check.ts";

/** Folder of uploads in progress. It is on the same disk as the files, so that a finished upload is only renamed. */
const UNFINISHED = "unfinished";

// Keys are created by the server and never come from outside. A path that leads elsewhere would be a bug.
const KEY = /^(?!unfinished\/)[a-z]+(\/[0-9a-f-]+)+$/;

/**
 * The embedded store: a folder shared by all web and worker processes. A file is written under another name first, so
 * that a reader, or a restart after a crash, finds all of it or nothing.
 */
export function openLocalFiles(folder: string, addresses: SignedAddresses): ObjectStore {
  const root = resolve(folder);
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new Error(`${key} is no key of a file`);
    return join(root, key);
  };
  const until = (seconds: number) => new Date(Date.now() + seconds * 1000);

  /** Writes a file under a temporary name, syncs it to disk, and renames it. */
  async function arrive(key: string, make: (unfinished: string) => Promise<void>): Promise<void> {
    const target = pathOf(key);
    const unfinished = join(root, UNFINISHED, randomUUID());
    await Promise.all([mkdir(dirname(target), { recursive: true }), mkdir(dirname(unfinished), { recursive: true })]);
    try {
      await make(unfinished);
      await rename(unfinished, target);
      await syncFolder(dirname(target));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  return {
    signUpload: async (file, seconds) => ({
      url: addresses.upload(file, until(seconds)),
      headers: { "Content-Type": file.mime },
    }),

    signDownload: async (file, seconds) => addresses.download(file, until(seconds)),

    stat: (key) =>
      reaching(async () => {
        const found = await ifPresent(stat(pathOf(key)));
        return found && { byteSize: found.size, mime: null, sha256: null };
      }),

    open: (key, range) =>
      reaching(async () => {
        const file = await ifPresent(open(pathOf(key), constants.O_RDONLY));
        return file && createReadStream("", { fd: file, ...range });
      }),

    put: (file, bytes) =>
      reaching(() =>
        arrive(file.key, (unfinished) =>
          pipeline(checked(file, bytes), createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true })),
        ),
      ),

    copy: (from, to) =>
      reaching(async () => {
        const source = pathOf(from);
        const target = pathOf(to);
        await mkdir(dirname(target), { recursive: true });
        try {
          // A stored file is never overwritten, only replaced, so a hard link is safe.
          await link(source, target);
          await syncFolder(dirname(target));
        } catch (error) {
          if (codeOf(error) === "ENOENT") return false;
          // Some shared file systems have no hard links.
          if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS"].includes(codeOf(error))) throw error;
          await arrive(to, async (unfinished) => {
            await copyFile(source, unfinished, constants.COPYFILE_FICLONE);
            const handle = await open(unfinished, "r+");
            await handle.sync().finally(() => handle.close());
          });
        }
        return true;
      }),

    remove: (keys) =>
      reaching(async () => {
        for (const key of keys) await ifPresent(unlink(pathOf(key)));
        return [];
      }),

    tidy: (before) =>
      reaching(async () => {
        const unfinished = join(root, UNFINISHED);
        for (const name of (await ifPresent(readdir(unfinished))) ?? []) {
          const path = join(unfinished, name);
          const found = await ifPresent(stat(path));
          if (found && found.mtime.toISOString() < before) await rm(path, { force: true });
        }
      }),
  };
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

const ifPresent = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  });

/** Converts errors of the disk, which the operator must fix, to StoreAway. The call may be repeated then. */
const reaching = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    const ofTheDisk = ["ENOSPC", "EDQUOT", "EROFS", "EIO", "EACCES", "EPERM", "EMFILE", "ENFILE", "ENOTDIR", "ESTALE"];
    if (error instanceof WrongBytes || !ofTheDisk.includes(codeOf(error))) throw error;
    throw new StoreAway(`the files' folder cannot be used (${codeOf(error)})`, { cause: error });
  });
