import type { InWorkspace } from "../../kernel/context.ts";
import type { PictureNode, PictureToDraw } from "../../kernel/ports/document-renderer.ts";
import type { Edge, Outcome } from "../workflows/graph.ts";
import { fires, type StageState } from "../workflows/machine.ts";
import type { WorkflowNode } from "../workflows/nodes.ts";
import { namesOf } from "./names.sql.ts";
import { detailOf, peopleOf, titleOf } from "./words.ts";

/** Pictures of workflows and of their runs, as SVG. */

/** What a picture shows of a run's stage. */
export type PictureStage = { state: StageState; outcome: Outcome | null; assignee_user_id: string | null };
type Stages = ReadonlyMap<string, PictureStage>;
type Drawn = { nodes: readonly WorkflowNode[]; edges: readonly Edge[] };

/**
 * Describes the picture of a workflow or, with its stages, of a run. Reads the names of the people in it.
 * @param stages the stages of a run by node; null for a workflow
 */
export async function pictureOf(
  ctx: InWorkspace,
  name: string,
  { nodes, edges }: Drawn,
  stages: Stages | null,
): Promise<PictureToDraw> {
  const assigned = [...(stages?.values() ?? [])].flatMap(({ assignee_user_id: id }) => id ?? []);
  const names = await namesOf(ctx, [...new Set([...nodes.flatMap(peopleOf), ...assigned])]);
  const nameOf = (id: string) => names.get(id) ?? "somebody who left";
  const shown = nodes.map((node): PictureNode => {
    const stage = stages?.get(node.id);
    return {
      id: node.id,
      kind: node.kind,
      title: titleOf(node),
      detail: detailOf(node, nameOf, stage?.assignee_user_id ?? null),
      state: stage ? { name: stage.state, words: wordsOf(stage) } : null,
    };
  });
  return {
    format: "svg",
    title: stages ? `Run of ${name}` : name,
    description: descriptionOf(shown),
    nodes: shown,
    edges: edges.map((edge) => ({
      source: edge.source_node_id,
      target: edge.target_node_id,
      label: edge.branch_label,
      strong: stages !== null && isTaken(edge, { nodes, edges }, stages),
    })),
  };
}

/** The state in words, with the outcome if it says more. */
function wordsOf({ state, outcome }: PictureStage): string {
  const plain = outcome === null || outcome === "success" || outcome === state;
  return plain || (state === "failed" && outcome === "failure") ? state : `${state} · ${outcome}`;
}

const descriptionOf = (nodes: readonly PictureNode[]): string =>
  nodes.map(({ title, detail, state }) => [title, detail, state?.words].filter(Boolean).join(", ")).join("; ");

/** Whether a run has followed an edge. */
function isTaken({ source_node_id, branch_label }: Edge, { nodes, edges }: Drawn, stages: Stages): boolean {
  const outcome = stages.get(source_node_id)?.outcome;
  const node = nodes.find(({ id }) => id === source_node_id);
  if (!outcome || outcome === "cancelled" || !node) return false;
  const out = edges.filter((edge) => edge.source_node_id === source_node_id);
  return fires(branch_label, outcome, { kind: node.kind, out });
}
