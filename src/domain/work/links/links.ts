import type { InIssue } from "../../access/identity/issue-row.ts";
import { record, recordChange } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockBoards, lockWorkspace, refuseArchived } from "../../kernel/locks.sql.ts";
import { isAdmin } from "../../kernel/roles.ts";
import type { Project } from "../../kernel/rows.ts";
import { type FullIssue, readIssue } from "../issues/change.sql.ts";
import { issueUpdated } from "../issues/events.ts";
import { refuseArchivedIssue } from "../issues/lock-live.ts";
import { viewOf as issueViewOf, labelsOf } from "../issues/view.ts";
import { lockIssues } from "../mass-changes/settle.ts";
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
 * Links between issues. Every write locks the boards of both ends, so that no issue is closed, reopened or archived
 * meanwhile, and the counts of open blockers stay right.
 */

/** Maximum number of links of an issue, because the list has no pages. */
const MAX_LINKS = 500;

/** Both issues, locked. */
type Ends = { own: FullIssue; other: FullIssue };
type ProjectRef = Pick<Project, "key" | "slug">;

/** Returns the links to issues that the caller can see, newest first. */
export const list = (ctx: InIssue): Promise<LinkRow[]> => listLinks(ctx);

/**
 * Links the issue to another one. If the link exists already, returns it.
 * @throws Refusal invalid_reference, link_self, link_cycle, archived, insufficient_role, link_limit_reached
 */
export async function create(
  ctx: InIssue & Writing,
  { kind, direction, target_key }: IssueLinkCreateInput,
): Promise<IssueLinkView> {
  const named = async () => (await findTarget(ctx, target_key)) ?? refuseReference("/target_key", target_key);
  const wanted = await named();
  if (wanted.id === ctx.issue.id) refuse(linkErrors.link_self, { path: "/target_key" });
  // Two links that are valid alone can together create a cycle, whatever projects they are in. So they are created one
  // after the other.
  if (kind === "blocks") await lockWorkspace(ctx, ctx.workspace.id);
  const [source, target] = direction === "out" ? [ctx.issue, wanted] : [wanted, ctx.issue];
  const [before, other, existing] = await Promise.all([
    lockEnds(ctx, wanted),
    // Read again under the lock, because the caller's rights in the other project may have changed.
    named(),
    findLink(ctx, { kind, source, target }),
  ]);
  checkMayChange(ctx, other);
  if (existing) return viewOf(ctx, existing);

  checkRoom(before);
  if (kind === "blocks") await checkCycle(ctx, source, target);
  const link = { id: newId(), kind, source, target };
  // `lockEnds` has checked that neither end is archived.
  insertLink(ctx, link, kind === "blocks" && isBlocking(direction === "out" ? before.own : before.other));
  const view = await viewOf(ctx, link.id);
  await recordLink(ctx, linkCreated, view, before, { key: other.project_key, slug: other.project_slug });
  return view;
}

/** Returns a link. */
export async function read(ctx: InIssue, text: string): Promise<LinkRow | null> {
  const id = readId(text);
  return id ? readLink(ctx, id) : null;
}

/** A link that the caller can see, with both ends locked. */
export type LockedLink = { link: LinkRow; ends: Ends };

/** Locks both ends and returns a link of the issue. @throws Refusal archived */
export async function byId(ctx: InIssue & Writing, text: string): Promise<LockedLink | null> {
  const id = readId(text);
  const found = id && (await readLink(ctx, id));
  if (!found) return null;
  const ends = await lockEnds(ctx, { id: found.target_id, project_id: found.project_id });
  // Another call may have deleted it while this one waited for the locks.
  const link = await readLink(ctx, id);
  return link && { link, ends };
}

/** Deletes a link, from either side. @throws Refusal insufficient_role */
export async function remove(
  ctx: InIssue & Writing,
  { link, ends }: LockedLink,
): Promise<{ id: string; deleted: true }> {
  // The caller may have lost access to the other project meanwhile.
  const other = (await findTarget(ctx, link.target_id)) ?? refuse("not_found");
  checkRole(ctx, other);
  const { own } = ends;
  const [source, target] = link.direction === "out" ? [own, ends.other] : [ends.other, own];
  deleteLink(
    ctx,
    { id: link.id, source, target },
    link.kind === "blocks" && isBlocking(source.archived_at ? null : source),
  );
  const otherProject = { key: link.project_key, slug: link.project_slug };
  await recordLink(ctx, linkDeleted, IssueLinkView.parse(link), ends, otherProject);
  return { id: link.id, deleted: true };
}

/** Checks that the caller may change the other issue too, because a link changes both. */
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

/** Refuses a link that would close a cycle. The error shows the cycle. */
async function checkCycle({ db, workspace }: InIssue, source: End, target: End) {
  if (!(await blocksTransitively(db, workspace.id, target.id, source.id))) return;
  refuse(linkErrors.link_cycle, {
    path: "/target_key",
    cycle: await pathBetween(db, workspace.id, target.id, source.id),
  });
}

/** Locks both issues. @throws Refusal archived, for the issue of the path */
async function lockEnds(ctx: InIssue & Writing, other: End): Promise<Ends> {
  const [boards, rows, ...read] = await Promise.all([
    lockBoards(ctx, [ctx.project.id, other.project_id]),
    lockIssues(ctx, [ctx.issue.id, other.id]),
    ...readEnds(ctx, other.id),
  ]);
  refuseArchived(ctx, boards);
  const isSettled = rows.some(({ changing }) => changing);
  const [own, second] = isSettled ? await Promise.all(readEnds(ctx, other.id)) : read;
  refuseArchivedIssue(own);
  return { own, other: second };
}

const readEnds = (ctx: InIssue & Writing, otherId: string) =>
  [readIssue(ctx, ctx.issue.id), readIssue(ctx, otherId)] as const;

const viewOf = async (ctx: InIssue, id: string): Promise<IssueLinkView> => IssueLinkView.parse(await readLink(ctx, id));

async function recordLink(
  ctx: InIssue & Writing,
  event: typeof linkCreated | typeof linkDeleted,
  link: IssueLinkView,
  before: Ends,
  otherProject: ProjectRef,
) {
  const sameProject = before.own.project_id === before.other.project_id;
  // The view contains data of both issues. A webhook or key that is limited to one project must not see data of
  // another. So an event about two projects belongs to neither, and each project gets an event that its own issue
  // changed.
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
      // Readers of one project may not be able to see the other one. An id reveals nothing.
      target_key: sameProject ? target.key : null,
    },
  });
  const [own, other] = await Promise.all(readEnds(ctx, before.other.id));
  recordEnd(ctx, before.own, own, ctx.project, line(link.direction, before.other));
  recordEnd(ctx, before.other, other, otherProject, line(link.direction === "out" ? "in" : "out", before.own));
}

function recordEnd(
  ctx: InIssue & Writing,
  before: FullIssue,
  stored: FullIssue,
  project: ProjectRef,
  line: { kind: string; payload: Record<string, unknown> },
) {
  const view = (issue: FullIssue) => issueViewOf({ ...ctx, project }, issue, labelsOf(issue));
  const { counts, is_blocked } = view(before);
  const after = view(stored);
  const inProject = { ...ctx, project: { id: before.project_id } };
  recordChange(inProject, issueUpdated, { counts, is_blocked }, after, { issue_id: before.id, activity: [line] });
}
