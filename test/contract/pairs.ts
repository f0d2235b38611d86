import type { Operation } from "../../src/api/engine/operation.ts";
import { operations } from "../../src/api/operations/index.ts";
import type { World } from "../support/world.ts";
import type { Case } from "./changes/case.ts";
import { changes } from "./changes/index.ts";
import { exampleOf, type Params, pathOf } from "./examples.ts";

/** Concurrent calls of two callers: every two operations that change the same object, from the registry. */

export type Request = {
  method: string;
  path: string;
  body?: Record<string, unknown> | undefined;
  /** The operation continues after its commit, so its reply has data from then. */
  finishesAfterCommit?: boolean;
};

export type Pair = {
  name: string;
  /** Creates the objects that the calls reference. */
  stage: (world: World) => Promise<Params>;
  /** The `n`th call; bodies of examples differ by it. */
  calls: [Prepare, Prepare];
};
/** `called` distinguishes calls that wait for different rows. */
type Prepare = ((world: World, params: Params, n: number) => Promise<Request> | Request) & { called: string };

/** Operations that change something but are not paired, each with the reason. */
export const UNPAIRED: Record<string, string> = Object.fromEntries(
  operations
    .filter(({ writes, mode }) => writes && mode === "own")
    .map(({ id }) => [id, "has several transactions of its own, which credits-faults.test.ts tests"]),
);

export const paired = operations.filter(({ writes, id }) => writes && !UNPAIRED[id]);

/** One call of an operation that changes something. */
type Call = { operation: Operation; one: Pick<Case, "params" | "body">; isFirst: boolean; name: string };

/** Operations without cases in `changes` are called with their example. */
const callsOf = (operation: Operation): Call[] =>
  (changes[operation.id] ?? [{ says: [] }]).map((one: Case, index) => ({
    operation,
    one,
    isFirst: index === 0,
    name: `${operation.id}${one.does ? ` (${one.does})` : ""}`,
  }));

/**
 * The first calls of each two operations on one object, or on an object and what it belongs to. Every other call is
 * paired with its operation's first one, and with those that change the object's own fields.
 */
export function pairs(): Pair[] {
  const calls = paired.flatMap(callsOf);
  const found = new Map<string, Pair>();
  for (const own of calls) {
    for (const other of calls) {
      const stager = meet(own, other) && stagerOf(own, other);
      if (!stager) continue;
      const name = [own.name, other.name].sort().join(" and ");
      const stage = async (world: World) => (await stageOf(stager)?.(world)) ?? {};
      found.set(name, { name, stage, calls: [prepare(own), prepare(other)] });
    }
  }
  return [...found.values()];
}

function meet(own: Call, other: Call): boolean {
  if (!other.isFirst) return false;
  const [object, place] = [objectOf(own.operation), objectOf(other.operation)];
  if (object.startsWith(`${place}/`)) return own.isFirst && changesItself(other.operation);
  if (object !== place) return false;
  if (own.operation !== other.operation && addsAlone(own.operation) && addsAlone(other.operation)) return false;
  return own.isFirst || own.operation === other.operation || changesFields(other.operation);
}

/** The object that an operation changes or adds to: its path up to the last id. */
const objectOf = ({ path }: Operation): string => path.slice(0, path.lastIndexOf("}") + 1);
const changesItself = (operation: Operation) =>
  operation.path === objectOf(operation) || /\/(restore|transition)$/.test(operation.path);
/** Additions to a workspace or a project affect only additions of the same kind. */
const addsAlone = (operation: Operation) => operation.head !== "I" && !changesItself(operation);
const changesFields = (operation: Operation) => changesItself(operation) && operation.body !== undefined;

/** The call whose objects both use: its path has all ids of the other's path. Cases with own objects come first. */
function stagerOf(own: Call, other: Call): Call | undefined {
  const names = ({ operation }: Call) => [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const covers = (one: Call, two: Call) => names(two).every((name) => names(one).includes(name));
  const stagers = [own, other].filter((call) => covers(call, call === own ? other : own));
  return stagers.find(({ operation, one }) => one.params || /restore|commit/.test(operation.id)) ?? stagers[0];
}

const stageOf = ({ operation, one }: Call) => one.params ?? exampleOf(operation).params;

const prepare = ({ operation, one, name: called }: Call): Prepare =>
  Object.assign(
    async (world: World, params: Params, n: number) => ({
      method: operation.method,
      path: pathOf(operation, world, params),
      finishesAfterCommit: operation.finishAfterCommit !== undefined,
      body: await (one.body ? one.body(world, params) : exampleOf(operation).body?.(7 + n, world)),
    }),
    { called },
  );
