import { foundIn, readProjectAccess } from "../../access/identity/project-access.sql.ts";
import { type Found, sees, seesProject } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { wrongValue } from "../../work/issues/wrong-value.ts";
import { findDocs, lockDoc } from "./docs.sql.ts";
import type { DocListQuery } from "./inputs.ts";
import { listDocs } from "./list.sql.ts";
import { audienceOf, type DocRow, type DocView, ownView } from "./view.ts";

/** Reads of docs. */

/** A doc with its project and audience, for the engine to check. */
export const foundDoc = (row: DocRow): Found<DocRow> => foundIn(row, row, audienceOf(row));

export async function byId(ctx: InWorkspace, text: string, { bodies = true } = {}): Promise<Found<DocRow> | null> {
  const id = readId(text);
  const [row] = id ? await findDocs(ctx, [id], { bodies }) : [];
  return row ? foundDoc(row) : null;
}

/** A doc without its texts, for reads of what belongs to it. */
export const byIdWithoutBodies = (ctx: InWorkspace, text: string) => byId(ctx, text, { bodies: false });

/**
 * Locks a doc and then reads it. A caller who does not see the doc locks nothing, and so neither delays those who do nor
 * learns from a wait that it exists.
 */
export async function lockById(
  ctx: InWorkspace & Writing,
  text: string,
  options: { bodies?: boolean } = {},
): Promise<Found<DocRow> | null> {
  const seen = await byIdWithoutBodies(ctx, text);
  if (!seen || !sees(ctx.principal, seen)) return seen;
  await lockDoc(ctx, seen.object.id);
  return byId(ctx, text, options);
}

/** Locks a doc before something that belongs to it changes, and reads it without its texts. */
export const lockWithoutBodies = (ctx: InWorkspace & Writing, text: string) => lockById(ctx, text, { bodies: false });

export async function read(ctx: InWorkspace, text: string): Promise<Found<DocView> | null> {
  const doc = await byId(ctx, text);
  return doc && { ...doc, object: ownView(ctx, doc.object) };
}

/** @throws Refusal archived */
export function refuseArchived({ archived_at }: Pick<DocRow, "archived_at">): void {
  if (archived_at)
    refuse("archived", {
      message: "The doc is archived. Restore it first: PATCH it with `archived: false`.",
      archived_at,
    });
}

/**
 * Docs that the caller sees, newest first. Rows contain no bodies unless `fields` names them.
 * @throws Refusal invalid_parameter
 */
export async function listPage(
  ctx: InWorkspace,
  query: DocListQuery,
  { paging, fields }: { paging: Paging; fields: readonly string[] },
) {
  const nothing = { rows: [] as DocView[], next_cursor: null };
  const projectId = query.project === undefined ? null : await projectOf(ctx, query.project);
  const parent = query.parent_id === undefined ? null : await parentOf(ctx, query.parent_id);
  if (projectId === undefined && !readId(query.project!)) {
    wrongValue("project", query.project!, "a project that you can see");
  }
  if (projectId === undefined || parent === undefined) return nothing;

  const bodies = { md: fields.includes("body_md"), json: fields.includes("body_json") };
  const filter = { projectId, parent, archived: query.archived === "true", bodies };
  const rows = await listDocs(ctx, filter, paging.after, paging.limit + 1);
  const page = pageOf(
    rows,
    paging,
    (row) => [row.created_at, row.id],
    ({ bytes }) => bytes,
  );
  return { rows: page.rows.map((row) => rowView(ctx, row, bodies.json)), next_cursor: page.next_cursor };
}

function rowView(ctx: InWorkspace, row: DocRow, withJson: boolean): DocView {
  const { body_json, ...rest } = ownView(ctx, row);
  return withJson ? { ...rest, body_json } : rest;
}

/** Id of the project that a filter names; undefined if there is none that the caller sees. */
async function projectOf(ctx: InWorkspace, ref: string): Promise<string | undefined> {
  const project = await readProjectAccess(ctx, ref);
  return project && seesProject(ctx.principal, project) ? project.id : undefined;
}

/** Id of the doc that a filter names, or `none`; undefined if there is none that the caller sees. */
async function parentOf(ctx: InWorkspace, text: string): Promise<string | undefined> {
  if (text.toLowerCase() === "none") return "none";
  if (!readId(text)) {
    refuse("invalid_parameter", { message: "parent_id must be the id of a doc, or none.", parameter: "parent_id" });
  }
  const doc = await byIdWithoutBodies(ctx, text);
  return doc && sees(ctx.principal, doc) ? doc.object.id : undefined;
}
