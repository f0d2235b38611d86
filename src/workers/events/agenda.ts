/** When the relay looks at each workspace. Null stands for events that belong to a person and no workspace. */
export type Place = string | null;

/** What a pass over a workspace found. */
export type Found = {
  /** Something was told of an event: a queue, or a webhook. */
  heard: boolean;
  /** There may be more events than were taken. */
  more: boolean;
  /** Another relay takes the events of this workspace. */
  busy: boolean;
  /** How long the pass took, in milliseconds. */
  ms: number;
};

/**
 * A pass costs about the same for one event as for fifty. So events that come shortly after a pass are gathered: the
 * first one after a pause is relayed at once.
 */
const PACE = {
  /** Pause after a pass, if somebody listens: so many times as long as the pass took. */
  share: 2,
  leastMs: 3,
  mostMs: 25,
  /** Pause if nobody has been told of the workspace's events for a while. */
  quietMs: 100,
  /** How long a workspace counts as listening after somebody was told of an event. */
  heardMs: 1_000,
};

/** How long until the next pass over a workspace whose events another relay is taking, and after an error. */
const BUSY_MS = 50;
const FAILED_MS = 1_000;

/** Pauses between two looks for workspaces with events: without hints, with hints that name one, with other hints. */
const LOOK = { pollMs: 1_000, namedMs: 250, unnamedMs: 5 };

type Pace = { freeAt: number; heardUntil: number };

/**
 * The workspaces that may have events, and when each of them is due. Hints are no more than hints: what they do not name
 * is found by looking.
 * @param clock milliseconds on a clock that never goes back
 */
export function openAgenda(clock: () => number) {
  const waiting = new Set<Place>();
  const paces = new Map<Place, Pace>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let lookAt = clock();
  const dueAt = (place: Place) => paces.get(place)?.freeAt ?? 0;

  return {
    /** @param workspaceId empty if the hint names none @returns whether the pause may have become shorter */
    hint(workspaceId: string): boolean {
      const now = clock();
      const look = workspaceId === "" ? Math.max(now, lookedAt + LOOK.unnamedMs) : now + LOOK.namedMs;
      const isSooner = look < lookAt;
      if (isSooner) lookAt = look;
      if (workspaceId === "" || waiting.has(workspaceId)) return isSooner;
      waiting.add(workspaceId);
      return true;
    },

    mustLook: (): boolean => lookAt <= clock(),

    /** @param places those with events at the time `at` */
    looked(places: readonly Place[], at: number): void {
      lookedAt = at;
      lookAt = at + LOOK.pollMs;
      for (const place of places) waiting.add(place);
      for (const [place, { freeAt, heardUntil }] of paces) if (Math.max(freeAt, heardUntil) <= at) paces.delete(place);
    },

    /** Returns the workspaces that are due. They are no longer waiting. */
    takeDue(): Place[] {
      const now = clock();
      const due = [...waiting].filter((place) => dueAt(place) <= now);
      for (const place of due) waiting.delete(place);
      return due;
    },

    passed(place: Place, { heard, more, busy, ms }: Found): void {
      const now = clock();
      const heardUntil = heard ? now + PACE.heardMs : (paces.get(place)?.heardUntil ?? 0);
      const gathering =
        heardUntil > now ? Math.min(Math.max(PACE.share * ms, PACE.leastMs), PACE.mostMs) : PACE.quietMs;
      const pause = busy ? BUSY_MS : more ? 0 : gathering;
      paces.set(place, { freeAt: now + pause, heardUntil });
      if (more || busy) waiting.add(place);
    },

    failed(place: Place): void {
      paces.set(place, { freeAt: clock() + FAILED_MS, heardUntil: 0 });
      waiting.add(place);
    },

    /** Milliseconds until something is due, unless a hint comes. */
    pause(): number {
      const next = [...waiting].reduce((soonest, place) => Math.min(soonest, dueAt(place)), lookAt);
      return Math.max(0, next - clock());
    },
  };
}

export type Agenda = ReturnType<typeof openAgenda>;
