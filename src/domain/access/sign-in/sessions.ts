import { hash, randomBytes } from "node:crypto";
import { shownNetworkOf } from "../../kernel/addresses.ts";
import type { Ctx, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import type { Plan } from "../../kernel/plans.ts";
import type { Role } from "../../kernel/roles.ts";
import { accessChanged } from "../identity/access-changed.ts";
import type { Lookup } from "../identity/lookup.ts";
import {
  deleteOtherSessions,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  type Ended,
  findSession,
  insertSession,
  listOpenSessions,
  touchSession,
} from "./sessions.sql.ts";

/** A person in a browser. */
export type Visitor = {
  session_id: string;
  signed_in_at: string;
  /** Of the cookie. */
  hash: Buffer;
  /** `timezone` is null if the person has chosen none. */
  user: { id: string; email: string; name: string | null; timezone: string | null };
  /** By name. */
  workspaces: { id: string; slug: string; name: string; plan: Plan; timezone: string; role: Role }[];
};

/** Days after which an unused session ends. */
export const SESSION_DAYS = 30;
/** Days after which a person must sign in again, regardless of use. */
const MAX_DAYS = 180;
/** The time of the last use is stored at most this often. */
const TOUCH_MINUTES = 10;

/** Minutes after signing in. */
export const FRESH_MINUTES = 15;

/** Whether a person has just signed in. Somebody who finds an open browser must not take or delete its person's account. */
export const isFresh = ({ now }: Ctx, { signed_in_at }: Pick<Visitor, "signed_in_at">): boolean =>
  Date.parse(now) - Date.parse(signed_in_at) < FRESH_MINUTES * 60_000;

/** Opens a session. Returns the cookie's value, of which only the hash is stored. */
export async function openSession(
  ctx: Ctx,
  userId: string,
  { address, userAgent }: { address: string; userAgent: string },
): Promise<{ id: string; cookie: string }> {
  const cookie = randomBytes(32).toString("base64url");
  const id = newId();
  await insertSession(ctx.db, {
    id,
    hash: hashOf(cookie),
    userId,
    address,
    userAgent: userAgent.slice(0, 300),
    now: ctx.now,
    expiresAt: inDays(ctx.now, SESSION_DAYS),
  });
  return { id, cookie };
}

/**
 * The person who is signed in with this cookie, and their workspaces. Null if the session does not exist or has
 * ended.
 */
export async function readVisitor(ctx: Ctx, cookie: string): Promise<Visitor | null> {
  const hash = hashOf(cookie);
  const found = await findSession(ctx.db, hash, ctx.now);
  if (!found) return null;
  const { last_seen_at, ...rest } = found;
  const visitor = { ...rest, hash };
  if (Date.parse(ctx.now) - Date.parse(last_seen_at) > TOUCH_MINUTES * 60_000) {
    const expiresAt = inDays(ctx.now, SESSION_DAYS);
    await touchSession(ctx.db, visitor.session_id, { now: ctx.now, expiresAt, maxDays: MAX_DAYS });
  }
  return visitor;
}

/** Ends the session of a cookie, if there is one. */
export const closeSession = async (ctx: Writing, cookie: string): Promise<void> =>
  tellStreams(ctx, await deleteSession(ctx.db, hashOf(cookie)));

/** Open pages belong to a session: their streams end with it. */
function tellStreams(ctx: Writing, ended: readonly Ended[]): void {
  for (const { workspace_id, user_id } of ended) if (workspace_id !== null) accessChanged(ctx, workspace_id, user_id);
}

/** A session as its person sees it. */
export type OpenSession = {
  id: string;
  /** Whether it is the session of this visit. */
  current: boolean;
  /** The `User-Agent` that opened it. May be empty. */
  user_agent: string;
  /** Part of the address from which it was opened: enough to tell home from elsewhere. Null if it is not known. */
  network: string | null;
  created_at: string;
  /** Exact to ten minutes. */
  last_seen_at: string;
};

const MAX_LISTED = 50;

/** A person's open sessions, last used first. At most 50. */
export async function listSessions(ctx: Ctx, { session_id, user }: Visitor): Promise<OpenSession[]> {
  const rows = await listOpenSessions(ctx.db, user.id, { now: ctx.now, limit: MAX_LISTED });
  return rows.map(({ id, address, user_agent, created_at, last_seen_at }) => ({
    id,
    current: id === session_id,
    user_agent: user_agent ?? "",
    network: address && shownNetworkOf(address),
    created_at,
    last_seen_at,
  }));
}

/** Ends one of the person's sessions. Returns whether it was open. @throws Refusal not_found if it is no id */
export async function endSession(ctx: Writing, userId: string, text: string): Promise<boolean> {
  const ended = await deleteSessionOf(ctx.db, userId, readId(text) ?? refuse("not_found"));
  tellStreams(ctx, ended);
  return ended.length > 0;
}

/** Signs a person out everywhere. */
export const closeSessionsOf = async (ctx: Writing, userId: string): Promise<void> =>
  tellStreams(ctx, await deleteSessionsOf(ctx.db, userId));

/** Signs a person out everywhere else. */
export const closeOtherSessions = async (ctx: Writing, userId: string, sessionId: string): Promise<void> =>
  tellStreams(ctx, await deleteOtherSessions(ctx.db, userId, sessionId));

/** The session as a credential in one of the person's workspaces. */
export const lookupOfVisitor = ({ hash }: SignedIn, slug: string): Lookup => ({
  hash,
  by: "session",
  slug: slug.toLowerCase(),
});

/** The data of a visitor that identifies them as a caller. */
export type SignedIn = Pick<Visitor, "hash">;

const hashOf = (cookie: string) => hash("sha256", cookie, "buffer");
const inDays = (now: string, days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString();
