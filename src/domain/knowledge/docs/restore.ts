import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { hasNewText, recordUpdate, store } from "./change.ts";
import { refuseArchived } from "./docs.ts";
import type { VersionRow } from "./versions.sql.ts";
import { keepVersion, writeVersion } from "./versions.ts";
import { type DocRow, type DocView, ownView } from "./view.ts";

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
