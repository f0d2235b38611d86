import { Busy, type Lane } from "../domain/ports.ts";

/**
 * Which writes hold a connection. One that waits for a lock holds it without using it, so writes have only some of a
 * process's connections, and who may wait in Postgres is decided here:
 * - A tenant holds at most as many places as are free, so that there is always one for the next tenant.
 * - A write that waited for a lock in vain gives its place back and tries again, for five seconds altogether.
 * - Until one gets through, its item and its lane count as blocked: one write at a time tries for each, and all that is
 *   blocked together holds few places.
 */
export type WritePlaces = {
  /**
   * Runs `attempt` with a place, again when it waited for a lock in vain.
   * @throws Busy, or whatever `attempt` throws otherwise
   */
  run<T>(lane: Lane | undefined, attempt: (lockMs: number | null) => Promise<T>): Promise<T>;
  /** Runs `work` once, with a place. @throws Busy when none comes free in time */
  hold<T>(work: () => Promise<T>): Promise<T>;
};

const PATIENCE_MS = 5_000;

/** How long a lock is waited for while places are scarce. Otherwise the connection's own limit holds. */
const SHORT_WAIT_MS = 200;

const LOCK_NOT_AVAILABLE = "55P03";

/** A tenant, a lane or an item: `calls` have to do with it, `inside` of them hold a place. */
type Group = { name: string | undefined; calls: number; inside: number; blocked: boolean };
type Tenant = Group & { blockedLanes: number };
type Call = {
  tenant: Tenant;
  lane: Group;
  item: Group;
  /** It holds one of the places of what is blocked. */
  probing: boolean;
  lockMs: number | null;
  enter: () => void;
};

/**
 * @param most writes that hold a connection at the same time
 * @param patienceMs how long a write is tried for altogether
 */
export function openWritePlaces(most: number, patienceMs = PATIENCE_MS): WritePlaces {
  const tenants = openGroups<Tenant>((name) => ({ ...newGroup(name), blockedLanes: 0 }));
  const lanes = openGroups(newGroup);
  const items = openGroups(newGroup);
  const waiting = new Set<Call>();
  const probes = Math.max(1, Math.floor(most / 3));
  let free = most;
  let probing = 0;

  const join = (lane: Lane | undefined): Call => ({
    tenant: tenants.join(lane?.tenant),
    lane: lanes.join(lane?.name),
    item: items.join(lane?.item),
    probing: false,
    lockMs: null,
    enter: () => {},
  });

  function part(call: Call) {
    if (call.lane.calls === 1) setBlocked(call, false);
    items.part(call.item);
    lanes.part(call.lane);
    tenants.part(call.tenant);
  }

  function setBlocked({ lane, tenant }: Call, blocked: boolean) {
    if (lane.blocked !== blocked) tenant.blockedLanes += blocked ? 1 : -1;
    lane.blocked = blocked;
  }

  function mayEnter({ tenant, lane, item }: Call): boolean {
    if (lane.blocked && lane.inside > 0) return false;
    if (item.blocked && item.inside > 0) return false;
    if (lane.blocked || item.blocked) return probing < probes;
    return tenant.inside === 0 || tenant.inside < free;
  }

  function next(): Call | undefined {
    let best: Call | undefined;
    for (const call of waiting) {
      if (!mayEnter(call) || (best && rankOf(best) <= rankOf(call))) continue;
      best = call;
      if (rankOf(call) === 0) break;
    }
    return best;
  }

  function admit() {
    while (free > 0) {
      const call = next();
      if (!call) return;
      waiting.delete(call);
      free--;
      for (const group of groupsOf(call)) group.inside++;
      call.probing = call.lane.blocked || call.item.blocked;
      if (call.probing) probing++;
      const scarce = free < Math.floor(most / 2) || (call.probing && waiting.size > 0);
      call.lockMs = scarce ? SHORT_WAIT_MS : null;
      call.enter();
    }
  }

  function leave(call: Call) {
    free++;
    for (const group of groupsOf(call)) group.inside--;
    if (call.probing) probing--;
  }

  async function enter(call: Call, until: number): Promise<void> {
    let entered = false;
    call.enter = () => {
      entered = true;
    };
    waiting.add(call);
    admit();
    if (entered) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(call);
        reject(new Busy());
      }, until - performance.now());
      call.enter = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function attemptUntilDone<T>(call: Call, until: number, attempt: (lockMs: number | null) => Promise<T>) {
    for (;;) {
      await enter(call, until);
      let failed: unknown;
      try {
        const result = await attempt(call.lockMs);
        call.item.blocked = false;
        setBlocked(call, false);
        return result;
      } catch (error) {
        failed = error;
      } finally {
        leave(call);
      }
      if ((failed as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw failed;
      if (performance.now() >= until) throw new Busy({ cause: failed });
      // That an item is still locked is no news of its lane.
      if (!call.item.blocked) setBlocked(call, true);
      call.item.blocked = true;
    }
  }

  return {
    async run(lane, attempt) {
      const call = join(lane);
      try {
        return await attemptUntilDone(call, performance.now() + patienceMs, attempt);
      } finally {
        part(call);
        admit();
      }
    },
    async hold(work) {
      const call = join(undefined);
      await enter(call, performance.now() + patienceMs);
      try {
        return await work();
      } finally {
        leave(call);
        admit();
      }
    },
  };
}

const groupsOf = ({ tenant, lane, item }: Call) => [tenant, lane, item];

/** Writes that probably need not wait go first. */
function rankOf({ tenant, lane, item }: Call): number {
  if (item.blocked) return 3;
  if (lane.blocked) return 2;
  return tenant.blockedLanes > 0 ? 1 : 0;
}

const newGroup = (name: string | undefined): Group => ({ name, calls: 0, inside: 0, blocked: false });

/** Groups by name, as long as calls have to do with them. Without a name, a call has a group to itself. */
function openGroups<G extends Group>(make: (name: string | undefined) => G) {
  const groups = new Map<string, G>();
  return {
    join(name: string | undefined): G {
      let group = name === undefined ? undefined : groups.get(name);
      if (!group) {
        group = make(name);
        if (name !== undefined) groups.set(name, group);
      }
      group.calls++;
      return group;
    },
    part(group: G) {
      if (--group.calls === 0 && group.name !== undefined) groups.delete(group.name);
    },
  };
}
