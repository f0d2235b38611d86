import type { Graph, GraphNode, Outcome } from "./graph.ts";

/**
 * How a run proceeds: a pure function of the graph and of what has happened. It knows no database, no time and no issue.
 */

export const STAGE_STATES = ["pending", "active", "waiting", "done", "failed", "skipped", "cancelled"] as const;
/**
 * - `pending`: not reached yet
 * - `active`: somebody or something works on it
 * - `waiting`: one branch has arrived, and others are still expected
 * - `done`, `failed`: ended, with an outcome
 * - `skipped`: never begun, because no branch leads to it any more
 * - `cancelled`: ended by the end of the run
 */
export type StageState = (typeof STAGE_STATES)[number];

export type Stage = { readonly state: StageState; readonly outcome: Outcome | null };

/** The stages of a run by node. */
export type Stages = ReadonlyMap<string, Stage>;

export type RunStatus = "running" | "completed" | "failed" | "cancelled";

/** A run after a step. */
export type Step = { stages: Stages; status: RunStatus };

/** Whether a condition node applies. */
export type Evaluate = (nodeId: string) => boolean;

const PENDING: Stage = { state: "pending", outcome: null };
const ACTIVE: Stage = { state: "active", outcome: null };
const WAITING: Stage = { state: "waiting", outcome: null };
const SKIPPED: Stage = { state: "skipped", outcome: null };
const done = (outcome: Outcome): Stage => ({ state: "done", outcome });

/** Begins a run. */
export const begin = (graph: Graph, evaluate: Evaluate): Step => {
  const stages = new Map(graph.order.map(({ id, kind }) => [id, kind === "start" ? ACTIVE : PENDING]));
  return proceed(graph, stages, evaluate);
};

/** What ends a stage. */
export type Ending = Exclude<Outcome, "true" | "false" | "cancelled">;

/**
 * Ends active stages, and starts what follows. A stage that fails or times out without an edge for it ends the run.
 * @param endings outcomes by node; only active stages may be named
 */
export function end(graph: Graph, before: Stages, endings: ReadonlyMap<string, Ending>, evaluate: Evaluate): Step {
  const stages = new Map(before);
  for (const [id, outcome] of endings) {
    stages.set(id, { state: outcome === "failure" || outcome === "timeout" ? "failed" : "done", outcome });
  }
  const isOver = [...endings].some(([id, outcome]) => isStuck(graph.nodes.get(id)!, outcome));
  return isOver ? { stages: stopped(stages), status: "failed" } : proceed(graph, stages, evaluate);
}

/** Ends a run before its end. */
export const cancel = (before: Stages): Step => ({ stages: stopped(before), status: "cancelled" });

/**
 * Reopens a failed run: the stages that failed without an edge for it, and those that were cancelled, are active again.
 */
export function reopen(graph: Graph, before: Stages, evaluate: Evaluate): Step {
  const stages = new Map(before);
  for (const { id } of reopenable(graph, before)) stages.set(id, ACTIVE);
  // Which of the skipped stages no branch leads to is found again.
  for (const { id } of graph.order) if (stages.get(id)!.state === "skipped") stages.set(id, PENDING);
  for (const node of graph.order) if (hasBegun(stages.get(node.id)!)) skipUseless(stages, node);
  return proceed(graph, stages, evaluate);
}

/** The stages of a failed run that can be reopened. Without any, it has failed because it reached such an end. */
export const reopenable = <N extends GraphNode>(
  { order }: { readonly order: readonly N[] },
  stages: Stages,
): readonly N[] =>
  order.filter((node) => {
    const { state, outcome } = stages.get(node.id)!;
    return state === "cancelled" || (outcome !== null && isStuck(node, outcome));
  });

const hasBegun = ({ state }: Stage) => state === "active" || state === "done" || state === "failed";

/** Whether a stage ended badly and no edge says how to go on. */
const isStuck = (node: GraphNode, outcome: Outcome): boolean =>
  node.kind !== "end" &&
  (BAD.includes(outcome) || isUnapproved(node, outcome)) &&
  node.out.every((edge) => !fires(edge.branch_label, outcome, node));

const BAD: readonly Outcome[] = ["failure", "timeout", "rejected"];

/** Whether a stage is an approval that was ended by force. It counts as not approved. */
export const isUnapproved = ({ kind }: Pick<GraphNode, "kind">, outcome: Outcome | null): boolean =>
  kind === "approval" && outcome === "forced";

function stopped(before: Stages): Stages {
  return new Map(
    [...before].map(([id, stage]) => {
      if (stage.state === "active") return [id, { state: "cancelled", outcome: "cancelled" }];
      return [id, stage.state === "pending" || stage.state === "waiting" ? SKIPPED : stage];
    }),
  );
}

/** Starts what can start. Each node comes after those that lead to it, so one pass is enough. */
function proceed(graph: Graph, stages: Map<string, Stage>, evaluate: Evaluate): Step {
  for (const node of graph.order) {
    const { state } = stages.get(node.id)!;
    if (state === "pending" || state === "waiting") {
      const next = arrived(graph, stages, node);
      stages.set(node.id, next);
      if (next.state !== "active") continue;
      skipUseless(stages, node);
    } else if (state !== "active") continue;
    const outcome = instantOutcome(node, evaluate);
    if (outcome) stages.set(node.id, done(outcome));
  }
  return { stages, status: statusOf(graph, stages) };
}

/** Skips the stages of other branches that only lead to a node that has started. Those that are active go on. */
function skipUseless(stages: Map<string, Stage>, { onlyLeadsHere }: GraphNode): void {
  for (const id of onlyLeadsHere) {
    const { state } = stages.get(id)!;
    if (state === "pending" || state === "waiting") stages.set(id, SKIPPED);
  }
}

/** The stage of a node that has not begun, by the branches that lead to it. */
function arrived(graph: Graph, stages: Stages, { in: edges, join }: GraphNode): Stage {
  const ways = edges.map((edge) => wayOf(graph, stages, edge));
  const some = ways.includes("taken");
  if (some && (join === "any" || !ways.includes("open"))) return ACTIVE;
  if (some) return WAITING;
  return ways.includes("open") ? PENDING : SKIPPED;
}

/** Whether a branch has come along an edge, can no longer come, or may still come. */
function wayOf(graph: Graph, stages: Stages, { source_node_id, branch_label }: GraphNode["in"][number]) {
  const source = graph.nodes.get(source_node_id)!;
  const { state, outcome } = stages.get(source_node_id)!;
  if (state === "skipped" || state === "cancelled") return "dead";
  if (outcome === null) return "open";
  return fires(branch_label, outcome, source) ? "taken" : "dead";
}

/** The outcome of a node that needs nobody. */
function instantOutcome({ id, kind, config }: GraphNode, evaluate: Evaluate): Outcome | null {
  if (kind === "start" || kind === "parallel") return "success";
  if (kind === "end") return config.result === "failed" ? "failure" : "success";
  if (kind === "condition") return evaluate(id) ? "true" : "false";
  return null;
}

function statusOf(graph: Graph, stages: Stages): RunStatus {
  for (const { state } of stages.values()) if (state === "active") return "running";
  const failed = graph.order.some(({ id, kind }) => kind === "end" && stages.get(id)!.outcome === "failure");
  return failed ? "failed" : "completed";
}

/**
 * Whether an edge is followed after an outcome. After an outcome without an edge of its own, those of another one may be
 * followed.
 */
export function fires(label: string | null, outcome: Outcome, node: Pick<GraphNode, "kind" | "out">): boolean {
  const word = wordOf(label, node.kind);
  if (word === "always") return true;
  if (GOOD.includes(outcome) && !isUnapproved(node, outcome)) {
    return word === null || word === "success" || word === "approved";
  }
  const instead = INSTEAD[outcome];
  const hasOwn = node.out.some((edge) => wordOf(edge.branch_label, node.kind) === outcome);
  return instead === undefined || hasOwn ? word === outcome : fires(label, instead, node);
}

const GOOD: readonly Outcome[] = ["success", "approved", "forced"];
/** Whose edges are followed after an outcome that has none. `forced` is that of an approval. */
const INSTEAD: Partial<Record<Outcome, Outcome>> = { timeout: "failure", rejected: "failure", forced: "rejected" };
const WORDS = ["always", "success", "failure", "timeout", "approved", "rejected", "forced", "true", "false"];

/** A label that is read. Other texts are for people. */
export function wordOf(label: string | null, kind: GraphNode["kind"]): string | null {
  const word = label?.trim().toLowerCase() ?? null;
  if (word === null || !WORDS.includes(word)) return null;
  if (word === "forced") return kind === "approval" ? word : null;
  const isBranch = word === "true" || word === "false";
  return isBranch === (kind === "condition") || word === "always" ? word : null;
}
