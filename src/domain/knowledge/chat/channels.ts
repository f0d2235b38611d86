import type { Found, ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { addMembers, channelWithSlug, findChannels, listChannels, lockChannel } from "./channels.sql.ts";
import { ChatChannelEntity } from "./entities.ts";
import type { ChatChannelCreateInput, ChatChannelPatchInput, ChatChannelQuery } from "./inputs.ts";
import { hideForOneself } from "./members.sql.ts";
import { peopleNamed } from "./people.ts";
import { slugOf } from "./slug.ts";
import { type ChannelRow, type ChatChannelView, channelView, foundChannel } from "./view.ts";

/** Channels. */

/** Public channels and the caller's own private ones and direct messages, newest first. */
export async function listPage(ctx: InWorkspace, query: ChatChannelQuery, paging: Paging) {
  const rows = await listChannels(ctx, query.archived === "true", paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  return { rows: page.rows.map(channelView), next_cursor: page.next_cursor };
}

/** Returns a channel with its project and audience. */
export async function byId(ctx: InWorkspace, text: string): Promise<Found<ChannelRow> | null> {
  const id = readId(text);
  const [row] = id ? await findChannels(ctx, [id]) : [];
  return row ? foundChannel(ctx, row, row) : null;
}

/** Locks the names of channels and a channel, and returns it. */
export async function lockWithNames(ctx: InWorkspace & Writing, text: string): Promise<Found<ChannelRow> | null> {
  await lockWorkspace(ctx, ctx.workspace.id);
  return lockById(ctx, text);
}

/** Locks a channel and returns it. */
export async function lockById(ctx: InWorkspace & Writing, text: string): Promise<Found<ChannelRow> | null> {
  const id = readId(text);
  if (id) await lockChannel(ctx, id);
  return byId(ctx, text);
}

export async function read(ctx: InWorkspace, text: string): Promise<Found<ChatChannelView> | null> {
  const found = await byId(ctx, text);
  return found && { ...found, object: channelView(found.object) };
}

/** @throws Refusal invalid_reference, already_exists */
export async function create(
  ctx: InWorkspace & Writing,
  { name, kind, topic = null, member_ids }: ChatChannelCreateInput,
  project: ProjectAccess | null,
): Promise<ChatChannelView> {
  // So that two calls do not take the same name, and no named person leaves the workspace meanwhile.
  await lockWorkspace(ctx, ctx.workspace.id);
  const named = await peopleNamed(ctx, member_ids, project, (n) => `/member_ids/${n}`);
  const me = ctx.principal.user_id;
  const id = newId();
  const slug = slugOf(name, id);
  await refuseTakenSlug(ctx, slug, id);
  ctx.em.create(ChatChannelEntity, {
    id,
    workspace_id: ctx.workspace.id,
    project_id: project?.id ?? null,
    kind,
    name,
    slug,
    topic,
    created_by: me,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  const others = named.filter((userId) => userId !== me).map((user_id) => ({ user_id, role: "member" as const }));
  await addMembers(ctx, id, [{ user_id: me, role: "owner" }, ...others]);
  return viewOf(ctx, id);
}

/** A call that changes nothing changes no time. @throws Refusal insufficient_role, already_exists, archived, immutable_field */
export async function change(
  ctx: InWorkspace & Writing,
  before: ChannelRow,
  { archived, ...wanted }: ChatChannelPatchInput,
): Promise<ChatChannelView> {
  if (before.kind === "dm") return changeDm(ctx, before, { archived, ...wanted });
  checkManages(ctx, before);
  const changes = changesTo(before, wanted);
  const isArchived = before.archived_at !== null;
  const switched = archived !== undefined && archived !== isArchived;
  if (!switched && Object.keys(changes).length === 0) return channelView(before);
  if (isArchived && archived !== false) refuse("archived", { archived_at: before.archived_at });

  const slug = slugOf(changes.name ?? before.name!, before.id);
  const isLive = archived !== true;
  if (isLive && (switched || changes.name !== undefined)) await refuseTakenSlug(ctx, slug, before.id);
  const channel = await ctx.em.findOneOrFail(ChatChannelEntity, { id: before.id });
  const stamp = switched ? { archived_at: archived ? ctx.now : null } : {};
  Object.assign(channel, changes, { slug }, stamp, { updated_at: ctx.now });
  await ctx.em.flush();
  return viewOf(ctx, before.id);
}

/** A direct message has neither name nor topic. It is archived for the caller only. */
async function changeDm(
  ctx: InWorkspace & Writing,
  { id }: ChannelRow,
  { archived, ...others }: ChatChannelPatchInput,
): Promise<ChatChannelView> {
  const [field] = Object.keys(others);
  if (field) refuse("immutable_field", { message: `A direct message has no ${field}.`, path: `/${field}` });
  if (archived !== undefined) await hideForOneself(ctx, id, archived);
  return viewOf(ctx, id);
}

/** Refuses callers who neither own the channel nor are admins. @throws Refusal insufficient_role */
export function checkManages({ principal }: InWorkspace, { my_role }: Pick<ChannelRow, "my_role">): void {
  if (my_role === "owner" || isAdmin(principal.role)) return;
  refuse("insufficient_role", {
    message: "Only owners of the channel and admins of the workspace may do this.",
    role: my_role ?? principal.role,
    required_role: "channel owner",
  });
}

/** A direct message that the caller has archived for themselves comes back when it is used. @throws Refusal archived */
export function refuseArchived({ kind, archived_at }: Pick<ChannelRow, "kind" | "archived_at">): void {
  if (archived_at && kind !== "dm") refuse("archived", { archived_at });
}

/** The caller has locked the workspace. @throws Refusal already_exists */
async function refuseTakenSlug(ctx: InWorkspace, slug: string, own: string): Promise<void> {
  const other = await channelWithSlug(ctx, slug, own);
  if (other === null) return;
  refuse("already_exists", { message: "A channel has this name already.", path: "/name", existing_id: other });
}

export const viewOf = async (ctx: InWorkspace, id: string): Promise<ChatChannelView> =>
  channelView((await findChannels(ctx, [id]))[0]!);
