import { foundIn } from "../../access/identity/project-access.sql.ts";
import { type Belongs, sees } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { invalidReference, Refusal, refuse } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { findDocs } from "./docs.sql.ts";
import { ancestorsOf, heightOf } from "./tree.sql.ts";
import { audienceOf, type DocRow } from "./view.ts";

/** Maximum number of levels of docs, including the top one. */
const MAX_DEPTH = 10;

/** A doc that others may be placed below, and its level. The top level is 1. */
export type Parent = { row: DocRow; level: number; above: readonly string[] };

/** The docs that these ids name and that the caller sees. The caller has locked the trees. */
export async function findParents(ctx: InWorkspace, refs: readonly string[]): Promise<Map<string, Parent>> {
  const ids = refs.flatMap((ref) => readId(ref) ?? []);
  if (ids.length === 0) return new Map();
  const rows = await findDocs(ctx, ids, { bodies: false });
  const ancestors = await ancestorsOf(ctx, ids);
  return new Map(
    rows
      .filter((row) => sees(ctx.principal, belongs(row)))
      .map((row) => {
        const above = ancestors.get(row.id) ?? [];
        return [row.id, { row, above, level: above.length + 1 }];
      }),
  );
}

const belongs = (row: DocRow): Belongs => foundIn(row, row, audienceOf(row));

/** Checks that a new doc of a project can be placed below a parent. Returns the reason if not. */
export function parentProblem(
  parent: Parent | undefined,
  ref: string,
  projectId: string | null,
  height = 1,
): Refusal | null {
  const invalid = (message: string) => invalidReference("/parent_id", ref, { message });
  if (!parent) return invalidReference("/parent_id", ref);
  if (parent.row.archived_at) return invalid("The parent is archived. Choose another one, or bring it back first.");
  if (parent.row.project_id !== projectId) {
    return invalid("The parent must be in the same project as the doc, or outside of all projects as well.");
  }
  if (parent.level + height <= MAX_DEPTH) return null;
  return new Refusal("depth_limit_reached", { path: "/parent_id", max_depth: MAX_DEPTH });
}

/**
 * Checks that a doc with everything below it can be placed below a parent. The caller has locked the tree.
 * @throws Refusal invalid_reference, parent_cycle with those ids of the cycle that the caller sees, depth_limit_reached
 */
export async function checkParent(
  ctx: InWorkspace,
  doc: DocRow,
  projectId: string | null,
  ref: string,
): Promise<Parent> {
  const parent = (await findParents(ctx, [ref])).get(ref);
  if (parent && [parent.row.id, ...parent.above].includes(doc.id)) {
    const path = [parent.row.id, ...parent.above];
    const cycle = path.slice(0, path.indexOf(doc.id) + 1).reverse();
    const seen = await findParents(ctx, cycle);
    refuse("parent_cycle", {
      message: "A doc cannot be below itself. Choose another parent.",
      path: "/parent_id",
      cycle: cycle.filter((id) => seen.has(id)),
    });
  }
  // A doc that moves to another project leaves its children behind.
  const height = doc.project_id === projectId ? await heightOf(ctx, doc.id, MAX_DEPTH) : 1;
  const problem = parentProblem(parent, ref, projectId, height);
  if (problem) throw problem;
  return parent!;
}
