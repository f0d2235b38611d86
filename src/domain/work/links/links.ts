import type { InIssue } from "../../access/identity/issue-row.ts";
import { record, recordChange } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockBoards, lockIssues, lockWorkspace, refuseArchived } from "../../kernel/locks.sql.ts";
import { isAdmin } from "../../kernel/roles.ts";
import type { Project } from "../../kernel/rows.ts";
import { type FullIssue, readIssue } from "../issues/change.sql.ts";
import { issueUpdated } from "../issues/events.ts";
import { refuseArchivedIssue } from "../issues/lock-live.ts";
import { labelsOf, pureViewOf } from "../issues/view.ts";
import { isBlocking } from "./blockers.ts";
import { blocksTransitively, pathBetween } from "./cycles.sql.ts";
import { linkErrors } from "./errors.ts";
import { linkCreated, linkDeleted } from "./events.ts";
import {
  deleteLink,
  type End,
  findLink,
  findTarget,
  insertLink,
  type LinkRow,
  listLinks,
  readLink,
  type Target,
} from "./links.sql.ts";
import { type IssueLinkCreateInput, IssueLinkView } from "./view.ts";

/**
 * Links between issues. Every write holds the boards of both ends: no issue is closed, reopened or archived meanwhile,
 * so the counts of open blockers are right.
 */

/** Links that one issue may have; the list comes without pages. */
const MAX_LINKS = 500;

/** Both ends under their locks. */
type Ends = { own: FullIssue; other: FullIssue };
type ProjectRef = Pick<Project, "key" | "slug">;

/** Links to issues that the caller may see, newest first. */
export const list = (ctx: InIssue): Promise<LinkRow[]> => listLinks(ctx);

/**
 * Links the issue to another; the same link again answers the one that is there.
 * @throws Refusal invalid_reference, link_self, link_cycle, archived, insufficient_role, link_limit_reached
 */
export async function create(
  ctx: InIssue & Writing,
  { kind, direction, target_key }: IssueLinkCreateInput,
): Promise<IssueLinkView> {
  const named = async () => (await findTarget(ctx, target_key)) ?? refuseReference("/target_key", target_key);
  const wanted = await named();
  if (wanted.id === ctx.issue.id) refuse(linkErrors.link_self, { path: "/target_key" });
  // Two links, each harmless alone, may close a circle together, wherever they begin: they take turns.
  if (kind === "blocks") await lockWorkspace(ctx, ctx.workspace.id);
  const before = await lockEnds(ctx, wanted);
  // Read again under the lock, since the caller's rights there may have changed.
  const other = await named();
  checkMayChange(ctx, other);
  const [source, target] = direction === "out" ? [ctx.issue, other] : [other, ctx.issue];
  const existing = await findLink(ctx, { kind, source, target });
  if (existing) return viewOf(ctx, existing);

  checkRoom(before);
  if (kind === "blocks") await checkCycle(ctx, source, target);
  const link = { id: newId(), kind, source, target };
  // Neither end is archived.
  await insertLink(ctx, link, kind === "blocks" && isBlocking(direction === "out" ? before.own : before.other));
  const view = await viewOf(ctx, link.id);
  await recordLink(ctx, linkCreated, view, before, { key: other.project_key, slug: other.project_slug });
  return view;
}

/** A link as it is shown. */
export async function read(ctx: InIssue, text: string): Promise<LinkRow | null> {
  const id = readId(text);
  return id ? readLink(ctx, id) : null;
}

/** A link that the caller sees, with both ends locked. */
export type LockedLink = { link: LinkRow; ends: Ends };

/** A link of the issue, with both ends locked. @throws Refusal archived */
export async function byId(ctx: InIssue & Writing, text: string): Promise<LockedLink | null> {
  const id = readId(text);
  const found = id && (await readLink(ctx, id));
  if (!found) return null;
  const ends = await lockEnds(ctx, { id: found.target_id, project_id: found.project_id });
  // Another call may have deleted it while this one waited.
  const link = await readLink(ctx, id);
  return link && { link, ends };
}

/** Deletes a link, whichever side it is seen from. @throws Refusal insufficient_role */
export async function remove(
  ctx: InIssue & Writing,
  { link, ends }: LockedLink,
): Promise<{ id: string; deleted: true }> {
  // The caller may have lost the other project meanwhile.
  const other = (await findTarget(ctx, link.target_id)) ?? refuse("not_found");
  checkRole(ctx, other);
  const { own } = ends;
  const [source, target] = link.direction === "out" ? [own, ends.other] : [ends.other, own];
  await deleteLink(
    ctx,
    { id: link.id, source, target },
    link.kind === "blocks" && isBlocking(source.archived_at ? null : source),
  );
  const place = { key: link.project_key, slug: link.project_slug };
  await recordLink(ctx, linkDeleted, IssueLinkView.parse(link), ends, place);
  return { id: link.id, deleted: true };
}

/** A link changes both its issues, so the caller must be allowed to change the other one as well. */
function checkMayChange(ctx: InIssue, other: Target) {
  checkRole(ctx, other);
  if (other.project_archived_at) refuse("archived", { archived_at: other.project_archived_at, path: "/target_key" });
}

function checkRole({ principal }: InIssue, other: Target) {
  if (other.role !== "viewer" || isAdmin(principal.role)) return;
  refuse("insufficient_role", { message: "You are a viewer of the other issue's project.", project_role: "viewer" });
}

function checkRoom({ own, other }: Ends) {
  if (other.archived_at) refuse("archived", { archived_at: other.archived_at, path: "/target_key" });
  for (const issue of [own, other]) {
    if (issue.link_count >= MAX_LINKS)
      refuse(linkErrors.link_limit_reached, { limit: MAX_LINKS, issue_key: issue.key });
  }
}

/** The new link would lead from the last of the cycle to its first. */
async function checkCycle({ db, workspace }: InIssue, source: End, target: End) {
  if (!(await blocksTransitively(db, workspace.id, target.id, source.id))) return;
  refuse(linkErrors.link_cycle, {
    path: "/target_key",
    cycle: await pathBetween(db, workspace.id, target.id, source.id),
  });
}

/** Locks both issues. @throws Refusal archived, for the issue of the path */
async function lockEnds(ctx: InIssue & Writing, other: End): Promise<Ends> {
  refuseArchived(ctx, await lockBoards(ctx, [ctx.project.id, other.project_id]));
  await lockIssues(ctx, [ctx.issue.id, other.id]);
  const own = await readIssue(ctx, ctx.issue.id);
  refuseArchivedIssue(own);
  return { own, other: await readIssue(ctx, other.id) };
}

const viewOf = async (ctx: InIssue, id: string): Promise<IssueLinkView> => IssueLinkView.parse(await readLink(ctx, id));

async function recordLink(
  ctx: InIssue & Writing,
  event: typeof linkCreated | typeof linkDeleted,
  link: IssueLinkView,
  before: Ends,
  place: ProjectRef,
) {
  const sameProject = before.own.project_id === before.other.project_id;
  // The view tells of both issues. What is limited to one project must not hear of another's, so that an event about
  // two belongs to neither; each project hears that its own issue changed.
  const project = { id: sameProject ? ctx.project.id : null };
  record({ ...ctx, project }, event, link, { issue_id: ctx.issue.id });

  const kind = event === linkCreated ? "link_added" : "link_removed";
  const line = (direction: string, target: FullIssue) => ({
    kind,
    payload: {
      link_id: link.id,
      kind: link.kind,
      direction,
      target_id: target.id,
      // Readers of the one project may not know of the other; an id tells them nothing.
      target_key: sameProject ? target.key : null,
    },
  });
  await recordEnd(ctx, before.own, ctx.project, line(link.direction, before.other));
  await recordEnd(ctx, before.other, place, line(link.direction === "out" ? "in" : "out", before.own));
}

async function recordEnd(
  ctx: InIssue & Writing,
  before: FullIssue,
  project: ProjectRef,
  line: { kind: string; payload: Record<string, unknown> },
) {
  const view = (issue: FullIssue) => pureViewOf({ ...ctx, project }, issue, labelsOf(issue));
  const { counts, is_blocked } = view(before);
  const after = view(await readIssue(ctx, before.id));
  const place = { ...ctx, project: { id: before.project_id } };
  recordChange(place, issueUpdated, { counts, is_blocked }, after, { issue_id: before.id, activity: [line] });
}
