import { foundIn } from "../../access/identity/project-access.sql.ts";
import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { versionView } from "./version-view.ts";
import {
  findVersion,
  insertVersion,
  keep,
  listVersions,
  type Newest,
  newestVersion,
  overwriteVersion,
  removeVersions,
  type VersionRow,
} from "./versions.sql.ts";
import { audienceOf, type DocRow } from "./view.ts";

/** The versions of a doc: its states after changes of the title or text. */

/** Newest first, without texts. */
export async function listPage(ctx: InWorkspace, doc: DocRow, paging: Paging) {
  const rows = await listVersions(ctx, doc, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.number]);
  return { rows: page.rows.map((row) => versionView(ctx, row)), next_cursor: page.next_cursor };
}

export async function versionById(ctx: InWorkspace, text: string, doc: DocRow): Promise<Found<VersionRow> | null> {
  const id = readId(text);
  const row = id && (await findVersion(ctx, doc, id));
  return row ? foundIn(doc, row, audienceOf(doc)) : null;
}

/** Edits of one author within this time are one version. */
const ONE_VERSION_MS = 5 * 60_000;

/**
 * Stores the state of a locked doc after a change of its title or text. The newest version always is the doc's present
 * state. Edits of the same author within five minutes overwrite it, unless it is kept: a restore keeps the version that it
 * writes and the one before it, and `snapshot: true` the state that it names.
 */
export async function writeVersion(
  ctx: InWorkspace & Writing,
  doc: DocRow,
  { kept, reason = "edit" }: { kept: boolean; reason?: "edit" | "restore" },
): Promise<void> {
  const newest = await newestVersion(ctx, doc.id);
  if (reason === "edit" && !kept && continues(ctx, doc, newest)) {
    await overwriteVersion(ctx, newest.id, doc, false);
    return;
  }
  const number = newest.number + 1;
  await insertVersion(ctx, doc, { id: newId(), number, reason, kept });
  const limit = ctx.settings.plans(ctx.workspace.plan, "doc_versions");
  if (limit !== null && number > limit) await removeVersions(ctx, doc.id, number - Math.max(1, limit));
}

function continues(ctx: InWorkspace, doc: DocRow, newest: Newest): boolean {
  return (
    !newest.kept &&
    newest.created_by === ctx.principal.user_id &&
    newest.private === (doc.visibility === "private") &&
    newest.project_id === doc.project_id &&
    Date.parse(ctx.now) - Date.parse(newest.begun_at) < ONE_VERSION_MS
  );
}

/** Keeps the present state of a locked doc as a version. */
export async function keepVersion(ctx: InWorkspace & Writing, doc: DocRow): Promise<void> {
  const newest = await newestVersion(ctx, doc.id);
  if (!newest.kept) await keep(ctx, newest.id);
}
