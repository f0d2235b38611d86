import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { cancelRun } from "../../src/domain/automation/workflow-runs/cancel.ts";
import { endDue } from "../../src/domain/automation/workflow-runs/due.ts";
import type { Writing } from "../../src/domain/kernel/context.ts";
import { systemNow, transact } from "../support/acting.ts";
import { type World, world } from "../support/world.ts";
import { issue, type Run, start, type TestEdge, type TestNode, workflow } from "./flows.ts";
import { Model } from "./machine-model.ts";

/**
 * Runs in the database, compared with the simple model: random graphs, whose stages people complete, time out or are
 * forced, in any order, at once, twice, and in transactions that are rolled back.
 */

type Kind = "person" | "condition" | "all" | "any" | "end";
const KINDS: readonly Kind[] = ["person", "person", "condition", "all", "any", "end"];
const LABELS = [undefined, undefined, "always", "failure", "timeout"];

type Shape = { kinds: Kind[]; edges: number[]; from: number[]; labels: number[] };

const shapes = fc.record<Shape>({
  kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 7 }),
  edges: fc.array(fc.nat(3), { minLength: 28, maxLength: 28 }),
  from: fc.array(fc.nat(), { minLength: 7, maxLength: 7 }),
  labels: fc.array(fc.nat(LABELS.length - 1), { minLength: 28, maxLength: 28 }),
});

/** A graph in which each node has an edge to it from an earlier one. Each stage times out after its own time. */
function graphOf({ kinds, edges, from, labels }: Shape): { nodes: TestNode[]; edges: TestEdge[] } {
  const nodes = kinds.map((kind, n) => nodeOf(String(n + 1), kind, n + 1));
  const canLead = [0, ...kinds.flatMap((kind, n) => (kind === "end" ? [] : [n + 1]))];
  const joined: TestEdge[] = [];
  const turns = new Map<number, number>();
  for (let to = 1; to <= kinds.length; to++) {
    const earlier = canLead.filter((n) => n < to);
    const first = earlier[from[to - 1]! % earlier.length];
    for (const n of earlier) {
      const at = (to * (to - 1)) / 2 + n;
      if (n !== first && edges[at % edges.length] !== 0) continue;
      const turn = turns.get(n) ?? 0;
      turns.set(n, turn + 1);
      joined.push([n === 0 ? "start" : String(n), String(to), ...labelOf(kinds[n - 1], turn, labels[at % 28]!)]);
    }
  }
  return { nodes, edges: joined };
}

const labelOf = (kind: Kind | undefined, turn: number, label: number): [string?] => {
  if (kind === "condition") return [turn % 2 === 0 ? "true" : "false"];
  const word = kind === "person" ? LABELS[label] : undefined;
  return word === undefined ? [] : [word];
};

const applies = (id: string) => Number(id) % 3 !== 0;

function nodeOf(id: string, kind: Kind, n: number): TestNode {
  if (kind === "all" || kind === "any") return { id, kind: "parallel", config: { join: kind } };
  if (kind === "end") return { id, kind, config: { result: n % 2 === 0 ? "failed" : "completed" } };
  const never = [{ field: "title", op: "is", value: "another" }];
  if (kind === "condition") return { id, kind, config: { match: "all", rules: applies(id) ? [] : never } };
  return { id, kind, config: { role: "member", timeout_minutes: 60 + n } };
}

const HAPPENINGS = ["success", "failure", "timeout", "forced", "cancel", "together", "success", "success"] as const;
type Happening = { what: (typeof HAPPENINGS)[number]; which: number; crashes: boolean; repeats: boolean };
const happenings = fc.array(
  fc.record<Happening>({
    what: fc.constantFrom(...HAPPENINGS),
    which: fc.nat(),
    crashes: fc.boolean(),
    repeats: fc.boolean(),
  }),
  { maxLength: 10 },
);

let here: World;
beforeAll(async () => {
  here = await world();
});

class Crash extends Error {}

/** One transaction, which is first rolled back if it crashes. */
async function inTransaction({ crashes, repeats }: Happening, work: (ctx: Writing) => Promise<unknown>) {
  const run = (end: () => void) =>
    transact(here.app, systemNow(here.app), here.workspace.id, async (ctx) => {
      await work(ctx);
      end();
    });
  if (crashes) {
    await run(() => {
      throw new Crash();
    }).catch((error) => expect(error).toBeInstanceOf(Crash));
  }
  await run(() => {});
  if (repeats) await run(() => {});
}

const complete = (id: string, node_id: string, outcome: string) =>
  here.owner.post(`W/workflow-runs/${id}/complete-stage`, { node_id, outcome });

const read = async (id: string): Promise<Run> => (await here.owner.get(`W/workflow-runs/${id}`).expect(200)).data;

const shown = ({ nodes, status }: Run) => ({
  status,
  stages: Object.fromEntries(nodes.map(({ node_id, state, outcome }) => [node_id, [state, outcome]])),
});

const shownModel = (model: Model) => ({
  status: model.status,
  stages: Object.fromEntries(
    [...model.state].map(([id, state]) => [id, [state, model.outcome.get(id) ?? null]] as const),
  ),
});

const activeIn = ({ nodes }: Run): string[] =>
  nodes.flatMap(({ node_id, state }) => (state === "active" ? [node_id] : []));

/** Lets something happen. Returns the endings in each order in which they may count; null if the run is cancelled. */
async function happen(run: Run, one: Happening): Promise<[string, string][][] | null> {
  const active = activeIn(run);
  const node = active[one.which % active.length]!;
  const due = (id: string) => Number(id) + 60;
  switch (one.what) {
    case "cancel":
      await inTransaction(one, (ctx) => cancelRun(ctx, here.workspace.id, run.id));
      return null;
    case "timeout": {
      const first = active.reduce((a, b) => (due(a) < due(b) ? a : b));
      const at = new Date(Date.now() + (due(first) + 0.5) * 60_000).toISOString();
      await inTransaction(one, (ctx) => endDue(ctx, here.workspace.id, run.id, at));
      return [[[first, "timeout"]]];
    }
    case "forced":
      // Several stages that are forced at once are a case of the machine's own test.
      if (active.length > 1) return [[]];
      await here.owner.post(`W/workflow-runs/${run.id}/advance`).expect(200);
      return [[[node, "forced"]]];
    case "together": {
      const other = active[(one.which + 1) % active.length]!;
      const outcomes = [one.crashes ? "failure" : "success", "success"] as const;
      const [a, b] = await Promise.all([complete(run.id, node, outcomes[0]), complete(run.id, other, outcomes[1])]);
      const both: [string, string][] = [
        [node, outcomes[0]],
        [other, outcomes[1]],
      ];
      const counted = both.filter((_, n) => [a, b][n]!.status === 200);
      expect(counted.length).toBeGreaterThan(0);
      return node === other ? [counted] : [counted, counted.toReversed()];
    }
    default: {
      await complete(run.id, node, one.what).expect(200);
      if (one.repeats) expect((await complete(run.id, node, "success")).status).toBe(409);
      return [[[node, one.what]]];
    }
  }
}

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const RUNS = process.env.SAMPLE === "all" ? 500 : 60;

test(`runs proceed as in the model (FUZZ_SEED=${SEED})`, { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(shapes, happenings, async (shape, list) => {
      const { nodes, edges } = graphOf(shape);
      const flow = await workflow(here, nodes, edges);
      const { key } = await issue(here);
      let run = await start(here, key, flow);
      const input = {
        nodes: [{ id: "start", kind: "start", config: {} }, ...nodes].map((node) => ({ config: {}, ...node })),
        edges: edges.map(([source_node_id, target_node_id, branch_label = null], n) => ({
          id: String(n),
          source_node_id,
          target_node_id,
          branch_label,
        })),
      };
      // Models cannot be copied, so each order of what happened has its own, made again.
      const replay = (endings: [string, string][], isCancelled: boolean) => {
        const model = new Model(input as never, applies);
        for (const [id, outcome] of endings) if (model.status === "running") model.end(id, outcome as never);
        if (isCancelled) model.cancel();
        return model;
      };
      let endings: [string, string][] = [];
      expect(shown(run)).toEqual(shownModel(replay([], false)));
      for (const one of list) {
        if (run.status !== "running") break;
        const orders = await happen(run, one);
        run = await read(run.id);
        const models = (orders ?? [[]]).map((more) => [...endings, ...more] as [string, string][]);
        const matching = models.find(
          (all) => JSON.stringify(shown(run)) === JSON.stringify(sorted(run, shownModel(replay(all, orders === null)))),
        );
        if (!matching) expect(shown(run)).toEqual(shownModel(replay(models[0]!, orders === null)));
        endings = matching!;
        for (const node of run.nodes) expect(node.attempts, node.node_id).toBeLessThanOrEqual(1);
      }
      const { data } = await here.owner.get(`P/issues/${key}`).expect(200);
      expect(data.active_workflow_run_id).toBe(run.status === "running" ? run.id : null);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

/** With the stages in the order of the run. */
const sorted = ({ nodes }: Run, { status, stages }: ReturnType<typeof shownModel>) => ({
  status,
  stages: Object.fromEntries(nodes.map(({ node_id }) => [node_id, stages[node_id]])),
});
