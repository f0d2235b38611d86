import { randomBytes } from "node:crypto";
import { readJson, writePrivate } from "../files.ts";
import type { Kind, Objects } from "./objects.ts";

/** A reply stored under an idempotency key. `at`: Unix seconds. */
export type Kept = { request: string; requestId: string; status: number; body: unknown; at: number };

type Saved = { objects: Objects[Kind][]; kept: [key: string, answer: Kept][] };

export type Store = ReturnType<typeof openStore>;

const WRITE_AFTER_MS = 100;
const DAY = 24 * 3600;
const KEPT_FOR = DAY;
const EVENTS_FOR = 30 * DAY;

/** The emulator's state, in memory. @param file keeps it over a restart; a crash may lose the last moment */
export function openStore(file?: string) {
  const objects = new Map<string, Objects[Kind]>();
  const kept = new Map<string, Kept>();
  let timer: NodeJS.Timeout | undefined;
  if (file) load(readJson<Saved>(file));

  function load(saved: Saved | undefined) {
    const age = (at: number) => Date.now() / 1000 - at;
    for (const object of saved?.objects ?? []) {
      if (object.object !== "event" || age(object.created) < EVENTS_FOR) objects.set(object.id, object);
    }
    for (const [key, answer] of saved?.kept ?? []) if (age(answer.at) < KEPT_FOR) kept.set(key, answer);
  }

  function flush() {
    clearTimeout(timer);
    timer = undefined;
    if (file) writePrivate(file, JSON.stringify({ objects: [...objects.values()], kept: [...kept] } satisfies Saved));
  }

  return {
    kept,
    flush,

    add<T extends Objects[Kind]>(object: T): T {
      objects.set(object.id, object);
      return object;
    },

    remove: (id: string) => objects.delete(id),

    get<K extends Kind>(kind: K, id: string): Objects[K] | undefined {
      const found = objects.get(id);
      return found?.object === kind ? (found as Objects[K]) : undefined;
    },

    any: (id: string): Objects[Kind] | undefined => objects.get(id),

    /** Newest first. */
    all: <K extends Kind>(kind: K): Objects[K][] =>
      [...objects.values()].filter((object): object is Objects[K] => object.object === kind).reverse(),

    /** Call this after a change. Changes are written together. */
    changed() {
      if (file) timer ??= setTimeout(flush, WRITE_AFTER_MS);
    },

    clear() {
      objects.clear();
      kept.clear();
    },
  };
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;
