import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Edge,
  type Graph,
  type GraphInput,
  graphOf,
  type Node,
} from "../../src/domain/automation/workflows/graph.ts";
import { begin, cancel, type Ending, end, reopen, type Step } from "../../src/domain/automation/workflows/machine.ts";
import { Model } from "./machine-model.ts";

/** The machine of workflow runs, compared with a simple model. */

type Kind = "person" | "approval" | "condition" | "all" | "any" | "end";
const KINDS: readonly Kind[] = ["person", "condition", "all", "any", "end"];

/** Every second end is a bad one. */
const node = (n: number, kind: Kind | "start"): Node => {
  const id = String(n);
  if (kind === "all" || kind === "any") return { id, kind: "parallel", config: { join: kind } };
  if (kind === "end") return { id, kind, config: { result: n % 2 === 0 ? "failed" : "completed" } };
  return { id, kind, config: {} };
};

/** A graph of a start and of nodes of these kinds. `has` tells which edges there are, from earlier nodes to later ones. */
function graphWith(kinds: readonly Kind[], has: (from: number, to: number) => boolean, label: LabelOf): GraphInput {
  const nodes = [node(0, "start"), ...kinds.map((kind, n) => node(n + 1, kind))];
  const edges: Edge[] = [];
  for (const [from, { kind }] of nodes.entries()) {
    let n = 0;
    for (let to = from + 1; to < nodes.length && kind !== "end"; to++) {
      if (!has(from, to)) continue;
      edges.push({
        id: `${from}-${to}`,
        source_node_id: String(from),
        target_node_id: String(to),
        branch_label: label(kind, n++),
      });
    }
  }
  return { nodes, edges };
}

type LabelOf = (kind: Node["kind"], n: number) => string | null;

const byTurns: LabelOf = (kind, n) => {
  if (kind === "condition") return n % 2 === 0 ? "true" : "false";
  return kind === "person" && n % 2 === 1 ? "failure" : null;
};

const isConnected = ({ nodes, edges }: GraphInput) =>
  nodes.slice(1).every(({ id }) => edges.some(({ target_node_id }) => target_node_id === id));

const activeIn = ({ stages }: Step): string[] =>
  [...stages].flatMap(([id, { state }]) => (state === "active" ? [id] : []));

const shown = ({ stages, status }: Step) => ({
  status,
  stages: Object.fromEntries([...stages].map(([id, { state, outcome }]) => [id, `${state} ${outcome}`])),
});
const shownModel = (model: Model) => ({
  status: model.status,
  stages: Object.fromEntries([...model.state].map(([id, state]) => [id, `${state} ${model.outcome.get(id) ?? null}`])),
});

/** Compares the machine with the model after a series of endings. */
function replay(input: GraphInput, graph: Graph, endings: [string, Ending][], evaluate: (id: string) => boolean): Step {
  const model = new Model(input, evaluate);
  let step = begin(graph, evaluate);
  for (const [id, outcome] of endings) {
    model.end(id, outcome);
    step = end(graph, step.stages, new Map([[id, outcome]]), evaluate);
  }
  if (JSON.stringify(shown(step)) !== JSON.stringify(shownModel(model))) {
    expect({ input, endings, ...shown(step) }).toEqual({ input, endings, ...shownModel(model) });
  }
  for (const starts of model.starts.values()) if (starts !== 1) expect({ input, endings, starts }).toBe("one start");
  const isOver = step.status !== "running";
  const open = [...step.stages.values()].filter(({ state }) => state === "pending" || state === "waiting");
  if (isOver && open.length > 0) expect({ input, endings, open }).toBe("nothing open after the end");
  if (isOver === activeIn(step).length > 0)
    expect({ input, endings }).toBe("running exactly while something is active");
  return step;
}

/** Tries every order in which the stages of a graph can end. Returns the number of states. */
function walk(input: GraphInput, outcomes: readonly Ending[], evaluate: (id: string) => boolean): number {
  const graph = graphOf(input);
  const seen = new Set<string>();
  const visit = (endings: [string, Ending][]) => {
    const step = replay(input, graph, endings, evaluate);
    const key = JSON.stringify(shown(step));
    if (seen.has(key)) return;
    seen.add(key);
    if (step.status !== "running") return;
    for (const id of activeIn(step)) for (const outcome of outcomes) visit([...endings, [id, outcome]]);
  };
  visit([]);
  return seen.size;
}

const kindsOf = (count: number): Kind[][] =>
  count === 0 ? [[]] : kindsOf(count - 1).flatMap((kinds) => KINDS.map((kind) => [...kinds, kind]));

/** All graphs of a start and of so many more nodes. */
function* graphsOf(count: number): Generator<GraphInput> {
  const pairs = (count * (count + 1)) / 2;
  for (const kinds of kindsOf(count)) {
    for (let bits = 0; bits < 2 ** pairs; bits++) {
      const has = (from: number, to: number) => Boolean((bits >> ((to * (to - 1)) / 2 + from)) & 1);
      const input = graphWith(kinds, has, byTurns);
      // An end has no edges. With bits for them, the graph would come again.
      const isNew = input.edges.length === bits.toString(2).replaceAll("0", "").length;
      if (isNew && isConnected(input)) yield input;
    }
  }
}

const holds = (id: string) => id !== "2";

test("in every graph of up to five nodes, stages end in every order as in the model", { timeout: 120_000 }, () => {
  let [graphs, states] = [0, 0];
  for (const count of [1, 2, 3, 4]) {
    for (const input of graphsOf(count)) {
      graphs++;
      states += walk(input, count < 4 ? ["success", "failure"] : ["success"], holds);
    }
  }
  expect(graphs).toBeGreaterThan(80_000);
  expect(states).toBeGreaterThan(graphs);
});

const labels = [null, null, "always", "failure", "timeout", "rejected", "forced", "something else"];
const endings: Ending[] = ["success", "success", "approved", "forced", "failure", "timeout", "rejected"];

/** Graphs of up to twelve nodes, each with at least one edge that leads to it. */
const anyGraph = fc
  .record({
    kinds: fc.array(fc.constantFrom(...KINDS, "approval" as const), { minLength: 1, maxLength: 11 }),
    edges: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 66, maxLength: 66 }),
    from: fc.array(fc.nat(), { minLength: 11, maxLength: 11 }),
    labels: fc.array(fc.constantFrom(...labels), { minLength: 66, maxLength: 66 }),
  })
  .map(({ kinds, edges, from, labels }) => {
    const canLead = [0, ...kinds.flatMap((kind, n) => (kind === "end" ? [] : [n + 1]))];
    const firstOf = (to: number) => {
      const earlier = canLead.filter((n) => n < to);
      return earlier[from[to - 1]! % earlier.length];
    };
    const has = (a: number, b: number) => firstOf(b) === a || edges[(b * (b - 1)) / 2 + a] === 0;
    let next = 0;
    return graphWith(kinds, has, (kind, n) =>
      kind === "person" || kind === "approval" ? labels[next++ % 66]! : byTurns(kind, n),
    );
  });

/** What happens next, as numbers that choose among the active stages and outcomes. */
const anyEndings = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...endings)), { maxLength: 14 });

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const options = { seed: SEED, numRuns: 3_000 };

test("random graphs end as in the model, whatever their stages end with", { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(anyGraph, anyEndings, fc.func(fc.boolean()), (input, choices, evaluate) => {
      const graph = graphOf(input);
      const chosen: [string, Ending][] = [];
      for (const [n, outcome] of choices) {
        const step = replay(input, graph, chosen, evaluate);
        const active = activeIn(step);
        if (active.length === 0) break;
        chosen.push([active[n % active.length]!, outcome]);
      }
      replay(input, graph, chosen, evaluate);
    }),
    options,
  );
});

test("stages that end at once end as one after the other", { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(anyGraph, anyEndings, fc.boolean(), (input, choices, backwards) => {
      const graph = graphOf(input);
      const evaluate = () => true;
      let step = begin(graph, evaluate);
      for (const [n] of choices) {
        const active = activeIn(step);
        if (active.length === 0) return;
        const together = active.slice(0, 1 + (n % active.length));
        const all = new Map(together.map((id) => [id, "success" as Ending]));
        const atOnce = end(graph, step.stages, all, evaluate);
        let apart = step;
        for (const id of backwards ? together.toReversed() : together) {
          apart = end(graph, apart.stages, new Map([[id, "success"]]), evaluate);
        }
        // A join for the first branch may have skipped what the other order starts.
        if (input.nodes.every(({ config }) => config.join !== "any")) expect(shown(atOnce)).toEqual(shown(apart));
        step = atOnce;
      }
    }),
    options,
  );
});

test("a failed run that is reopened ends as if nothing had failed", { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(anyGraph, anyEndings, fc.tuple(fc.nat(), fc.boolean()), (input, choices, [n, isForced]) => {
      const graph = graphOf(input);
      const evaluate = (id: string) => Number(id) % 3 !== 0;
      let step = begin(graph, evaluate);
      for (const [which] of choices) {
        const active = activeIn(step);
        if (active.length === 0) return;
        const failing = active[n % active.length]!;
        const { kind, out } = graph.nodes.get(failing)!;
        const how = isForced && kind === "approval" ? "forced" : "failure";
        const failed = end(graph, step.stages, new Map([[failing, how]]), evaluate);
        const ways = ["failure", "always", ...(how === "forced" ? ["forced", "rejected"] : [])];
        const isStuck = out.every(({ branch_label }) => !ways.includes(branch_label!));
        if (isStuck) {
          expect(failed.status).toBe("failed");
          expect(shown(reopen(graph, failed.stages, evaluate))).toEqual(shown(step));
        }
        step = end(graph, step.stages, new Map([[active[which % active.length]!, "success"]]), evaluate);
      }
    }),
    options,
  );
});

test("a cancelled run has nothing open", () => {
  fc.assert(
    fc.property(anyGraph, (input) => {
      const { stages, status } = cancel(begin(graphOf(input), () => true).stages);
      expect(status).toBe("cancelled");
      for (const { state } of stages.values()) expect(["done", "skipped", "cancelled"]).toContain(state);
    }),
    { ...options, numRuns: 300 },
  );
});
