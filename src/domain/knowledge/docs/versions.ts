import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import { insertVersion, keep, type Newest, newestVersion, overwriteVersion, removeVersions } from "./versions.sql.ts";
import type { DocRow } from "./view.ts";

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
