import type { Edge, GraphInput, Outcome } from "../../src/domain/automation/workflows/graph.ts";
import type { StageState } from "../../src/domain/automation/workflows/machine.ts";

/**
 * A simple model of a run, to compare the machine with. It looks at all paths and repeats until nothing changes, so it
 * is slow, and has nothing in common with the machine.
 */
export class Model {
  readonly #graph: GraphInput;
  readonly #evaluate: (id: string) => boolean;
  readonly state = new Map<string, StageState>();
  readonly outcome = new Map<string, Outcome>();
  /** How often each node has started. */
  readonly starts = new Map<string, number>();
  status = "running";

  constructor(graph: GraphInput, evaluate: (id: string) => boolean) {
    this.#graph = graph;
    this.#evaluate = evaluate;
    for (const { id } of graph.nodes) this.state.set(id, "pending");
    for (const { id, kind } of graph.nodes) if (kind === "start") this.#start(id);
    this.#run();
  }

  end(id: string, outcome: Outcome): void {
    this.outcome.set(id, outcome);
    this.state.set(id, outcome === "failure" || outcome === "timeout" ? "failed" : "done");
    const isBad = ["failure", "timeout", "rejected"].includes(this.#outcomeOf(id));
    if (isBad && !this.#out(id).some((edge) => this.#follows(edge))) this.#stop("failed");
    else this.#run();
  }

  cancel = () => this.#stop("cancelled");

  #stop(status: string): void {
    for (const [id, state] of this.state) {
      if (state === "active") {
        this.state.set(id, "cancelled");
        this.outcome.set(id, "cancelled");
      }
      if (state === "pending" || state === "waiting") this.state.set(id, "skipped");
    }
    this.status = status;
  }

  #run(): void {
    for (;;) {
      const ready = this.#ids().filter((id) => this.#isOpen(id) && this.#next(id) !== this.state.get(id));
      // A join does not start before everything that leads to it has come as far as it can.
      const [id] = ready.filter((one) => !ready.some((other) => other !== one && this.#leads(other, one)));
      if (id === undefined) break;
      const next = this.#next(id);
      if (next === "active") this.#start(id);
      else this.state.set(id, next);
    }
    if ([...this.state.values()].includes("active")) return;
    const failed = this.#graph.nodes.some(
      ({ id, config }) => this.state.get(id) === "done" && config.result === "failed",
    );
    this.status = failed ? "failed" : "completed";
  }

  #start(id: string): void {
    this.starts.set(id, (this.starts.get(id) ?? 0) + 1);
    const { kind, config } = this.#graph.nodes.find((node) => node.id === id)!;
    if (kind === "person" || kind === "approval") this.state.set(id, "active");
    else {
      const verdict = kind === "condition" ? (this.#evaluate(id) ? "true" : "false") : "success";
      this.outcome.set(id, kind === "end" && config.result === "failed" ? "failure" : verdict);
      this.state.set(id, "done");
    }
    if (this.#join(id) !== "any" || this.#in(id).length < 2) return;
    for (const other of this.#ids()) {
      const paths = this.#endsOf(other, id);
      if (other !== id && this.#isOpen(other) && paths.every((end) => end === id)) this.state.set(other, "skipped");
    }
  }

  #next(id: string): StageState {
    const ways = this.#in(id).map((edge) => this.#way(edge));
    const taken = ways.filter((way) => way === "taken").length;
    const open = ways.filter((way) => way === "open").length;
    if (taken > 0 && (open === 0 || this.#join(id) === "any")) return "active";
    if (taken > 0) return "waiting";
    return open > 0 ? "pending" : "skipped";
  }

  #way(edge: Edge): "taken" | "dead" | "open" {
    const state = this.state.get(edge.source_node_id)!;
    if (state === "done" || state === "failed") return this.#follows(edge) ? "taken" : "dead";
    return state === "skipped" ? "dead" : "open";
  }

  /** An approval that is forced ends as one that is rejected, unless it has an edge for that. */
  #outcomeOf(id: string): Outcome {
    const outcome = this.outcome.get(id)!;
    if (outcome !== "forced" || !this.#isApproval(id)) return outcome;
    return this.#out(id).some(({ branch_label }) => branch_label === "forced") ? outcome : "rejected";
  }

  #isApproval = (id: string) => this.#graph.nodes.find((node) => node.id === id)!.kind === "approval";

  #follows({ source_node_id: id, branch_label: label }: Edge): boolean {
    const outcome = this.#outcomeOf(id);
    const words = ["always", "failure", "timeout", "rejected", "true", "false"];
    if (this.#isApproval(id)) words.push("forced");
    const word = words.includes(String(label)) ? label : null;
    if (word === "always") return true;
    if (outcome === "forced" && this.#isApproval(id)) return word === "forced";
    if (["success", "approved", "forced"].includes(outcome)) return word === null;
    const own = this.#out(id).some(({ branch_label }) => branch_label === outcome);
    return word === outcome || (word === "failure" && (outcome === "timeout" || outcome === "rejected") && !own);
  }

  /** The join of the nearest fork that is on every path from the start. */
  #join(id: string): "all" | "any" {
    const { kind, config } = this.#graph.nodes.find((node) => node.id === id)!;
    if (kind === "parallel") return config.join ?? "all";
    const paths = this.#pathsTo(id);
    const forks = this.#graph.nodes.filter(
      (node) => node.kind === "parallel" && paths.every((path) => path.includes(node.id)),
    );
    const [nearest] = forks.sort((a, b) => paths[0]!.indexOf(b.id) - paths[0]!.indexOf(a.id));
    return nearest?.config.join ?? "all";
  }

  #pathsTo(id: string): string[][] {
    const sources = this.#in(id);
    if (sources.length === 0) return [[]];
    return sources.flatMap(({ source_node_id: source }) => this.#pathsTo(source).map((path) => [...path, source]));
  }

  /** Where the paths from a node end, if they also end at `last`. */
  #endsOf(id: string, last: string): string[] {
    const targets = this.#out(id).map(({ target_node_id }) => target_node_id);
    if (id === last || targets.length === 0) return [id];
    return targets.flatMap((target) => this.#endsOf(target, last));
  }

  #leads = (from: string, to: string): boolean =>
    this.#out(from).some(({ target_node_id: target }) => target === to || this.#leads(target, to));

  #isOpen = (id: string) => ["pending", "waiting"].includes(this.state.get(id)!);
  #ids = () => this.#graph.nodes.map(({ id }) => id);
  #in = (id: string) => this.#graph.edges.filter((edge) => edge.target_node_id === id);
  #out = (id: string) => this.#graph.edges.filter((edge) => edge.source_node_id === id);
}
