import { record, recordDifference } from "../../events/record.ts";
import type { ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { changesTo, differenceOf, isSame } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import { parseExact } from "../../kernel/exact-json.ts";
import { newId } from "../../kernel/ids.ts";
import { mentionContext } from "../../kernel/mentions.ts";
import { checkRestoreWindow } from "../../kernel/restore-window.ts";
import { withLineFeeds } from "../../kernel/text.ts";
import { bodyOf, type DocBody } from "./body.ts";
import { lockOwner } from "./create.ts";
import { projectKey } from "./docs.sql.ts";
import { refuseArchived } from "./docs.ts";
import { editedText } from "./edit-text.ts";
import { DocEntity } from "./entities.ts";
import { contextFor, docArchived, docRestored, docUpdated, onlyFor } from "./events.ts";
import type { DocPatchInput } from "./inputs.ts";
import { lockTrees } from "./tree.sql.ts";
import { checkParent } from "./tree.ts";
import { keepVersion, writeVersion } from "./versions.ts";
import { type DocRow, type DocView, eventView, onlyReader, ownView, shownParent } from "./view.ts";
import { wordCount } from "./word-count.ts";

/** What a change writes to a doc's row, besides the time and the author of the change. */
export type DocChanges = Partial<
  Pick<
    DocRow,
    | "title"
    | "icon"
    | "body_md"
    | "body_json"
    | "visibility"
    | "position"
    | "archived_at"
    | "project_id"
    | "project_key"
    | "parent_id"
    | "parent_owner_id"
    | "branch"
  >
> & { parent_branch?: string | null };

/**
 * Changes a locked doc. A call that changes nothing records nothing.
 * @param project the project that the body names, checked
 * @throws Refusal version_conflict, archived, mutually_exclusive, not_owner_of_resource, invalid_reference, parent_cycle,
 * depth_limit_reached, replace_not_found, replace_ambiguous, validation_failed, restore_window_over
 */
export async function change(
  ctx: InWorkspace & Writing,
  doc: DocRow,
  input: DocPatchInput,
  project: ProjectAccess | null,
): Promise<DocView> {
  const { if_version, snapshot, archived } = input;
  if (if_version !== undefined && if_version !== doc.version) {
    refuse("version_conflict", { version: doc.version });
  }
  checkExclusive(input);
  const archiving = archived === undefined || archived === (doc.archived_at !== null) ? null : archived;
  const { title, icon, position, visibility } = input;
  const plain = changesTo(doc, { title, icon, position, visibility });
  const changes: DocChanges = {
    ...plain,
    ...(await placeChanges(ctx, doc, input, project)),
    ...(await textChanges(doc, input)),
  };
  const isUnchanged = Object.keys(changes).length === 0;
  if (archiving !== false && (!isUnchanged || snapshot)) refuseArchived(doc);
  if (changes.visibility === "private") await claim(ctx, doc);
  if (archiving === false) checkRestoreWindow(ctx, doc.archived_at!);
  if (archiving !== null) changes.archived_at = archiving ? ctx.now : null;

  // Edits of the Markdown clear the JSON, which nothing else remembers.
  if (doc.body_json !== null && changes.body_json === null) await keepVersion(ctx, doc);
  const after = isUnchanged && archiving === null ? doc : await store(ctx, doc, changes);
  // Other people see the doc now, but not its earlier versions, so its state is one that all of them see.
  const hasNewReaders = changes.visibility === "workspace" || changes.project_id !== undefined;
  if (hasNewText(doc, after) || hasNewReaders) await writeVersion(ctx, after, { kept: snapshot === true });
  else if (snapshot) await keepVersion(ctx, doc);
  if (!isUnchanged) recordUpdate(ctx, doc, after);
  if (archiving !== null) recordArchiving(ctx, after);
  return ownView(ctx, after);
}

/** Archives a locked doc. Archiving it again changes nothing. */
export async function archive(ctx: InWorkspace & Writing, doc: DocRow) {
  const after = doc.archived_at ? doc : await store(ctx, doc, { archived_at: ctx.now });
  if (!doc.archived_at) recordArchiving(ctx, after);
  return { id: doc.id, deleted: true, archived_at: after.archived_at! };
}

/** Writes changes to the row, and returns it as reads would. */
export async function store(ctx: InWorkspace & Writing, doc: DocRow, changes: DocChanges): Promise<DocRow> {
  const words =
    changes.body_md === undefined || changes.body_md === doc.body_md
      ? {}
      : { word_count: wordCount(changes.body_md ?? "") };
  const stamps = { version: doc.version + 1, updated_by: ctx.principal.user_id, updated_at: ctx.now };
  const { project_key: _, parent_owner_id: __, ...columns } = changes;
  const entity = await ctx.em.findOneOrFail(DocEntity, { id: doc.id });
  Object.assign(entity, columns, words, stamps);
  await ctx.em.flush();
  return { ...doc, ...changes, ...words, ...stamps };
}

export const hasNewText = (before: DocRow, after: DocRow): boolean =>
  before.title !== after.title || before.body_md !== after.body_md || before.body_json !== after.body_json;

/**
 * Records `doc.updated`. If other people see the doc now than before, `previous` has no texts: it might contain what they
 * were not to see. For the same reason it does not name the project that a doc comes from.
 */
export function recordUpdate(ctx: InWorkspace & Writing, before: DocRow, after: DocRow): void {
  const view = eventView(ctx, after);
  const { previous, changed } = differenceOf(eventView(ctx, before), view, [...docUpdated.derived, "archived_at"]);
  // Long JSON is not in the view.
  if (before.body_json !== after.body_json && !changed.includes("body_json")) changed.push("body_json");
  const sameReaders = onlyReader(before) === onlyReader(after) && before.project_id === after.project_id;
  const harmless = (field: string) => field === "visibility" || (field === "project_id" && before.project_id === null);
  const shown = sameReaders
    ? previous
    : Object.fromEntries(Object.entries(previous).filter(([field]) => harmless(field)));
  // People who could not see the doc before were not notified that it mentions them.
  const mentions = mentionContext(sameReaders ? before.body_md : null, after.body_md);
  const about = { ...onlyFor(after), ...mentions };
  recordDifference(contextFor(ctx, after), docUpdated, view, { previous: shown, changed }, about);
}

function recordArchiving(ctx: InWorkspace & Writing, after: DocRow): void {
  const view = eventView(ctx, after);
  record(contextFor(ctx, after), after.archived_at ? docArchived : docRestored, view, onlyFor(after));
}

function checkExclusive({ body_md, body_json, append, replace }: DocPatchInput): void {
  const [edit] = [...(append === undefined ? [] : ["append"]), ...(replace === undefined ? [] : ["replace"])];
  const [whole] = [...(body_md === undefined ? [] : ["body_md"]), ...(body_json === undefined ? [] : ["body_json"])];
  if (!edit || !whole) return;
  refuse("mutually_exclusive", { message: `Send ${whole} or ${edit}, not both.`, fields: [whole, edit] });
}

/** Only the author can hide a doc from all others. @throws Refusal not_owner_of_resource */
async function claim(ctx: InWorkspace & Writing, { owner_id }: DocRow): Promise<void> {
  if (owner_id !== ctx.principal.user_id) {
    refuse("not_owner_of_resource", { message: "Only its author can make a doc private.", path: "/visibility" });
  }
  await lockOwner(ctx);
}

/** The text as it will be, if that differs. Replacing and appending changes the Markdown, and so clears the JSON. */
async function textChanges(doc: DocRow, input: DocPatchInput): Promise<Partial<DocBody>> {
  const { append, replace } = input;
  if (append === undefined && replace === undefined) {
    const { body_md, body_json } = input;
    // JSON that is sent back unchanged does not render the Markdown again.
    if (body_md === undefined && isSameJson(doc.body_json, body_json)) return {};
    const sent = await bodyOf(input);
    return sent === null || isSameBody(doc, sent) ? {} : sent;
  }
  // Docs that are older than this rule may have other line ends than the texts to replace.
  const body_md = await editedText(withLineFeeds(doc.body_md ?? ""), { append: append ?? "", replace: replace ?? [] });
  return body_md === (doc.body_md ?? "") ? {} : { body_md, body_json: null };
}

/** A body that only repeats a part of what is stored changes nothing. */
function isSameBody(doc: DocRow, sent: Partial<DocBody>): boolean {
  if (sent.body_json === null && sent.body_md !== undefined) return sent.body_md === doc.body_md;
  if (sent.body_json !== undefined && sent.body_json !== doc.body_json) return false;
  return sent.body_md === undefined || sent.body_md === doc.body_md;
}

const isSameJson = (stored: string | null, sent: unknown): boolean =>
  sent !== undefined && isSame(stored === null ? null : parseExact(stored), sent);

/** The project and the parent, if they change. A doc that moves to another project leaves its children behind. */
async function placeChanges(
  ctx: InWorkspace & Writing,
  doc: DocRow,
  input: DocPatchInput,
  project: ProjectAccess | null,
): Promise<DocChanges> {
  const projectId = input.project === undefined ? doc.project_id : (project?.id ?? null);
  const moves = projectId !== doc.project_id;
  const ref = !moves && input.parent_id === shownParent(ctx, doc) ? undefined : input.parent_id;
  if (!moves && ref === undefined) return {};

  await lockTrees(ctx, [doc.project_id, projectId]);
  const parent = ref ? (await checkParent(ctx, doc, projectId, ref)).row : null;
  const link = {
    parent_id: parent?.id ?? null,
    parent_branch: parent?.branch ?? null,
    parent_owner_id: parent && onlyReader(parent),
  };
  if (!moves) return link;
  const project_key = projectId && (await projectKey(ctx, projectId));
  return { ...link, project_id: projectId, project_key, branch: newId() };
}
