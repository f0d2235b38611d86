import { foundIn } from "../../access/identity/project-access.sql.ts";
import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { hasNewText, recordUpdate, store } from "./change.ts";
import { refuseArchived } from "./docs.ts";
import { versionView } from "./version-view.ts";
import { findVersion, listVersions, type VersionRow } from "./versions.sql.ts";
import { keepVersion, writeVersion } from "./versions.ts";
import { audienceOf, type DocRow, type DocView, ownView } from "./view.ts";

/** Reads and restores versions of docs. */

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

/**
 * Gives a locked doc the title and text of a version. The present state is kept as a version, and so is the restored one.
 * @throws Refusal archived
 */
export async function restore(ctx: InWorkspace & Writing, doc: DocRow, version: VersionRow): Promise<DocView> {
  refuseArchived(doc);
  const { title, body_md, body_json } = version;
  const changes = { title, body_md, body_json };
  const changed = hasNewText(doc, { ...doc, ...changes });
  await keepVersion(ctx, doc);
  const after = changed ? await store(ctx, doc, changes) : doc;
  await writeVersion(ctx, after, { kept: true, reason: "restore" });
  if (changed) recordUpdate(ctx, doc, after);
  return ownView(ctx, after);
}
