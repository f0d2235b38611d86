import type { Writing } from "./kernel/context.ts";

/** What a person is named whose account is deleted. */
export const FORMER = "Former member";

/**
 * Removes the data of a person, except for the id that their content has. The caller has locked the person. Returns false
 * if they are a member of a workspace.
 */
export async function erasePerson(ctx: Writing, userId: string, left: readonly string[]): Promise<boolean> {
  const erase = `
    update app_user set email = null, name = $2, avatar_url = null, timezone = null, updated_at = $3
    where id = $1 and not exists (select from member where user_id = $1) returning 1`;
  if ((await ctx.tx.query({ text: erase }, [userId, FORMER, ctx.now])).length === 0) return false;
  for (const table of ["session", "digest_setting", "digest_sent", "digest_link", "notification"]) {
    await ctx.tx.query({ text: `delete from ${table} where user_id = $1` }, [userId]);
  }
  // Processes remember names. The person is in none of these workspaces any more, so the trigger does not say it.
  const changed = "update access_version set version = version + 1 where workspace_id = any($1::uuid[])";
  await ctx.tx.query({ text: changed }, [left]);
  return true;
}
