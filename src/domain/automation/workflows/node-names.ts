import type { GraphInput } from "./graph.ts";

/** The nodes of a graph as the audit log names them. */
export const nodeNames = ({ nodes }: Pick<GraphInput, "nodes">): string[] =>
  nodes.map(({ id, kind }) => `${id} (${kind})`);
