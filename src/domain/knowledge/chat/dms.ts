import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuseField } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { addMembers, channelOfPeople } from "./channels.sql.ts";
import { viewOf } from "./channels.ts";
import { ChatChannelEntity } from "./entities.ts";
import type { ChatDmInput } from "./inputs.ts";
import { hideForOneself } from "./members.sql.ts";
import { peopleNamed } from "./people.ts";
import type { ChatChannelView } from "./view.ts";

/** Returns the direct message of the caller and the named people, and creates it the first time. */
export async function openDm(ctx: InWorkspace & Writing, { user_ids }: ChatDmInput): Promise<ChatChannelView> {
  await lockWorkspace(ctx, ctx.workspace.id);
  const named = await peopleNamed(ctx, user_ids, null, (n) => `/user_ids/${n}`);
  const me = ctx.principal.user_id;
  const people = [...new Set([me, ...named])].sort();
  if (people.length === 1) refuseField("/user_ids", "not_allowed", "must name somebody besides you");

  const dm_key = people.join(" ");
  const present = await channelOfPeople(ctx, dm_key);
  const members = people.map((user_id) => ({ user_id, role: "member" as const }));
  if (present) {
    // Somebody may have left the workspace and come back.
    await addMembers(ctx, present, members);
    await hideForOneself(ctx, present, false);
    return viewOf(ctx, present);
  }
  const id = newId();
  ctx.em.create(ChatChannelEntity, {
    id,
    workspace_id: ctx.workspace.id,
    kind: "dm",
    dm_key,
    created_by: me,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  await addMembers(ctx, id, members);
  return viewOf(ctx, id);
}
