import { record } from "../../events/record.ts";
import type { ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { Refusal, refuse } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { mentionContext } from "../../kernel/mentions.ts";
import { membersAmong } from "../../tenancy/workspaces/members.sql.ts";
import { bodyOf, type DocBody } from "./body.ts";
import { findDocs, insertDocs, type NewDoc } from "./docs.sql.ts";
import { contextFor, docCreated, onlyFor } from "./events.ts";
import type { DocCreateInput } from "./inputs.ts";
import { lockTrees } from "./tree.sql.ts";
import { findParents, type Parent, parentProblem } from "./tree.ts";
import { type DocRow, type DocView, eventView, ownView } from "./view.ts";
import { wordCount } from "./word-count.ts";

/** Creates a doc. @param project the project that the body names, checked */
export async function create(
  ctx: InWorkspace & Writing,
  input: DocCreateInput,
  project: ProjectAccess | null,
): Promise<DocView> {
  const [result] = await createMany(ctx, [input], [project]);
  if (result instanceof Refusal) throw result;
  return result!;
}

/**
 * Creates docs with one statement. Each item's result is its view or the reason why it was refused.
 * @param projects the project that each item names, checked
 */
export async function createMany(
  ctx: InWorkspace & Writing,
  inputs: readonly (DocCreateInput | Refusal)[],
  projects: readonly (ProjectAccess | null)[],
): Promise<(DocView | Refusal)[]> {
  const bodies = await bodiesOf(inputs);
  const parents = await parentsOf(ctx, inputs, projects);
  if (inputs.some((input) => !(input instanceof Refusal) && input.visibility === "private")) await lockOwner(ctx);

  const drafts = inputs.map((input, n) => {
    const body = bodies[n]!;
    return input instanceof Refusal
      ? input
      : body instanceof Refusal
        ? body
        : draft(input, body, projects[n]!, parents);
  });
  const fresh = drafts.filter((one): one is NewDoc => !(one instanceof Refusal));
  if (fresh.length === 0) return drafts as Refusal[];
  for (const part of inParts(fresh)) await insertDocs(ctx, part);
  const ids = fresh.map(({ id }) => id);
  const rows = new Map((await findDocs(ctx, ids, { bodies: false })).map((row) => [row.id, row]));
  return drafts.map((one) => {
    if (one instanceof Refusal) return one;
    const { body_md, body_json } = one;
    return created(ctx, { ...rows.get(one.id)!, body_md, body_json });
  });
}

/** Characters that one statement stores. Other calls run between two statements. */
const AT_ONCE = 512 * 1024;

/** Docs of a bulk call, as few parts as are short enough for one statement each. */
function inParts(docs: readonly NewDoc[]): NewDoc[][] {
  const parts: NewDoc[][] = [];
  let length = AT_ONCE;
  for (const doc of docs) {
    if (length >= AT_ONCE) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)!.push(doc);
    length += (doc.body_md?.length ?? 0) + (doc.body_json?.length ?? 0);
  }
  return parts;
}

/**
 * Makes sure that the caller is still a member, and stays one until the transaction ends. Otherwise a member who is being
 * removed would leave a private doc that nobody inherits.
 * @throws Refusal unauthorized
 */
export async function lockOwner(ctx: InWorkspace & Writing): Promise<void> {
  const { user_id } = ctx.principal;
  if ((await membersAmong(ctx.tx, ctx.workspace.id, [user_id])).length === 0) refuse("unauthorized");
  ctx.waited();
}

/** Other calls run between two texts: counting the words of one may take 40 ms. */
async function bodiesOf(inputs: readonly (DocCreateInput | Refusal)[]) {
  const bodies: ((DocBody & { word_count: number }) | Refusal)[] = [];
  for (const [n, input] of inputs.entries()) {
    if (n > 0) await letOthersRun();
    bodies.push(input instanceof Refusal ? input : await bodyOrRefusal(input));
  }
  return bodies;
}

async function bodyOrRefusal({
  body_md,
  body_json,
}: DocCreateInput): Promise<(DocBody & { word_count: number }) | Refusal> {
  try {
    // In a new doc, null means "absent".
    const sent = await bodyOf({ body_md: body_md ?? undefined, body_json: body_json ?? undefined });
    const body = { body_md: "", body_json: null, ...sent };
    return { ...body, word_count: wordCount(body.body_md ?? "") };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The parents that the items name. Locks the trees of all of them. */
async function parentsOf(
  ctx: InWorkspace & Writing,
  inputs: readonly (DocCreateInput | Refusal)[],
  projects: readonly (ProjectAccess | null)[],
): Promise<Map<string, Parent>> {
  const named = inputs.flatMap((input, n) =>
    input instanceof Refusal || !input.parent_id ? [] : [{ ref: input.parent_id, project: projects[n]?.id ?? null }],
  );
  if (named.length === 0) return new Map();
  await lockTrees(
    ctx,
    named.map(({ project }) => project),
  );
  return findParents(
    ctx,
    named.map(({ ref }) => ref),
  );
}

function draft(
  input: DocCreateInput,
  body: DocBody & { word_count: number },
  project: ProjectAccess | null,
  parents: ReadonlyMap<string, Parent>,
): NewDoc | Refusal {
  const ref = input.parent_id ?? null;
  const parent = ref === null ? undefined : parents.get(ref);
  const problem = ref === null ? null : parentProblem(parent, ref, project?.id ?? null);
  if (problem) return problem;
  return {
    id: newId(),
    version_id: newId(),
    project_id: project?.id ?? null,
    parent_id: parent?.row.id ?? null,
    parent_branch: parent?.row.branch ?? null,
    branch: newId(),
    title: input.title ?? "Untitled",
    icon: input.icon ?? null,
    visibility: input.visibility ?? "workspace",
    position: input.position ?? 0,
    ...body,
    body_md_length: body.body_md?.length ?? 0,
  };
}

function created(ctx: InWorkspace & Writing, row: DocRow): DocView {
  record(contextFor(ctx, row), docCreated, eventView(ctx, row), {
    ...onlyFor(row),
    ...mentionContext(null, row.body_md),
  });
  return ownView(ctx, row);
}
