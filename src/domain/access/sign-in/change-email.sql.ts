import type { Writing } from "../../kernel/context.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { RequestOfBrowser } from "./sign-in.sql.ts";

/** Requests for a new address. They belong to a person and not to a workspace. */

export type ChangeRequest = Omit<RequestOfBrowser, "return_to">;

const COLUMNS = "id, email, used_at, created_at, expires_at, code_sealed, wrong_codes";

/** The person's newest request. */
export async function findChange(db: Db, userId: string): Promise<ChangeRequest | null> {
  const text = `select ${COLUMNS} from sign_in where user_id = $1 order by created_at desc, id desc limit 1`;
  const [row] = await db.query<ChangeRequest>({ text }, [userId]);
  return row ?? null;
}

/** Locks the person, so that requests and codes are checked one by one. Returns the newest request. */
export async function lockChange(ctx: Writing, userId: string): Promise<ChangeRequest | null> {
  await lockPerson(ctx, userId);
  return findChange(ctx.tx, userId);
}

/** Locks a person until the transaction ends, and keeps them from becoming a member anywhere. */
export async function lockPerson(ctx: Writing, userId: string): Promise<void> {
  await ctx.tx.query({ text: `select 1 from app_user where id = $1 for update` }, [userId]);
  ctx.waited();
}

/** Returns false if another person has the address. */
export async function setEmail(ctx: Writing, userId: string, email: string): Promise<boolean> {
  const text = `
    update app_user set email = $2, updated_at = $3 where id = $1 and email is not null
      and not exists (select from app_user o where lower(o.email) = lower($2) and o.id <> $1)
    returning 1`;
  try {
    const rows = await ctx.tx.savepoint(() => ctx.tx.query({ text }, [userId, email, ctx.now]));
    return rows.length > 0;
  } catch (error) {
    // Somebody has signed in with it for the first time, at the same moment.
    if ((error as { code?: string }).code !== "23505") throw error;
    return false;
  }
}

/** Ends the links, codes and requests that are under way for an address and of a person. */
export async function endRequests(db: Db, email: string, userId: string, now: string): Promise<void> {
  const text = `
    update sign_in set used_at = $3 where used_at is null and (lower(email) = lower($1) or user_id = $2)`;
  await db.query({ text }, [email, userId, now]);
}
