import { Busy, type WriteTarget } from "../domain/kernel/ports/ports.ts";

/**
 * Limits how many of a process's connections the writes of a tenant use. A write that waits for a lock occupies a
 * connection without using it. So writes get only some of the connections ("slots"), by these rules:
 * - The writes of one tenant and kind use at most as many slots as are free, so there is always one for another tenant. A
 *   short write never waits for longer writes of its tenant.
 * - A write whose lock wait timed out gives its slot back and tries again, for five seconds in total.
 * - Until it succeeds, its item and its resource count as blocked. One write at a time tries each of them, and all writes
 *   to blocked resources together use at most a third of the slots.
 * - If a tenant has hundreds of waiting writes, further ones are rejected with a retry time.
 */
export type TenantLimiter = {
  /**
   * Runs `attempt` with a slot, and again if it did not get a lock in time.
   * @throws Busy, or any other error of `attempt`
   */
  run<T>(target: WriteTarget | undefined, attempt: (lockMs: number | null) => Promise<T>): Promise<T>;
  /** Runs `work` once, with a slot. @throws Busy if no slot is free in time */
  withSlot<T>(work: () => Promise<T>): Promise<T>;
};

const PATIENCE_MS = 5_000;

/** Writes of one tenant and kind that are running or waiting in this process. */
const MAX_CALLS = 500;

/** The lock timeout while slots are scarce. Otherwise the connection's own limit applies. */
const SHORT_WAIT_MS = 200;

const LOCK_NOT_AVAILABLE = "55P03";

/** A tenant, a resource or an item. `calls` are all calls that concern it; `inside` are those with a slot. */
type Group = { name: string | undefined; calls: number; inside: number; blocked: boolean };
type Tenant = Group & { blockedResources: number };
type Call = {
  tenant: Tenant;
  resource: Group;
  item: Group;
  /** It uses one of the slots reserved for blocked groups. */
  probing: boolean;
  lockMs: number | null;
  enter: () => void;
};

/**
 * @param maxConnections connections that writes may use at the same time
 * @param options.patienceMs time limit of a write with all its attempts, in milliseconds
 * @param options.leftByOnlyTenant slots that a tenant leaves free while no other tenant has calls. Default: half of them
 */
export function openTenantLimiter(
  maxConnections: number,
  {
    patienceMs = PATIENCE_MS,
    leftByOnlyTenant = maxConnections,
  }: { patienceMs?: number; leftByOnlyTenant?: number } = {},
): TenantLimiter {
  const tenants = openGroups<Tenant>((name) => ({ ...newGroup(name), blockedResources: 0 }));
  const resources = openGroups(newGroup);
  const items = openGroups(newGroup);
  const waiting = new Set<Call>();
  const probes = Math.max(1, Math.floor(maxConnections / 3));
  let free = maxConnections;
  let probing = 0;

  const join = (target: WriteTarget | undefined): Call => ({
    tenant: tenants.join(target && `${target.kind ?? "normal"} ${target.tenant}`),
    resource: resources.join(target?.resource),
    item: items.join(target?.item),
    probing: false,
    lockMs: null,
    enter: () => {},
  });

  function dropCall(call: Call) {
    if (call.resource.calls === 1) setBlocked(call, false);
    items.leave(call.item);
    resources.leave(call.resource);
    tenants.leave(call.tenant);
  }

  function setBlocked({ resource, tenant }: Call, blocked: boolean) {
    if (resource.blocked !== blocked) tenant.blockedResources += blocked ? 1 : -1;
    resource.blocked = blocked;
  }

  function mayEnter({ tenant, resource, item }: Call): boolean {
    if (resource.blocked && resource.inside > 0) return false;
    if (item.blocked && item.inside > 0) return false;
    if (resource.blocked || item.blocked) return probing < probes;
    if (tenant.inside === 0 || tenant.inside < free) return true;
    return tenants.count() === 1 && free > leftByOnlyTenant;
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
      call.probing = call.resource.blocked || call.item.blocked;
      if (call.probing) probing++;
      const scarce = free < Math.floor(maxConnections / 2) || (call.probing && waiting.size > 0);
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
      // If the item is still locked, that says nothing new about its resource.
      if (!call.item.blocked) setBlocked(call, true);
      call.item.blocked = true;
    }
  }

  return {
    async run(target, attempt) {
      const call = join(target);
      if (call.tenant.calls > MAX_CALLS) {
        dropCall(call);
        throw new Busy();
      }
      try {
        return await attemptUntilDone(call, performance.now() + patienceMs, attempt);
      } finally {
        dropCall(call);
        admit();
      }
    },
    async withSlot(work) {
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

const groupsOf = ({ tenant, resource, item }: Call) => [tenant, resource, item];

/** Writes that probably need not wait go first. */
function rankOf({ tenant, resource, item }: Call): number {
  if (item.blocked) return 3;
  if (resource.blocked) return 2;
  return tenant.blockedResources > 0 ? 1 : 0;
}

const newGroup = (name: string | undefined): Group => ({ name, calls: 0, inside: 0, blocked: false });

/** Groups by name, kept while calls use them. A call without a name gets its own group. */
function openGroups<G extends Group>(make: (name: string | undefined) => G) {
  const groups = new Map<string, G>();
  return {
    /** Groups with a name that have calls. */
    count: () => groups.size,
    join(name: string | undefined): G {
      let group = name === undefined ? undefined : groups.get(name);
      if (!group) {
        group = make(name);
        if (name !== undefined) groups.set(name, group);
      }
      group.calls++;
      return group;
    },
    leave(group: G) {
      if (--group.calls === 0 && group.name !== undefined) groups.delete(group.name);
    },
  };
}
