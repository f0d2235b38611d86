import { hash, randomBytes } from "node:crypto";
import type { Ctx } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import type { Plan } from "../../kernel/plans.ts";
import type { Role } from "../../kernel/roles.ts";
import type { Located } from "../identity/access.sql.ts";
import { personOf } from "../identity/act-as.ts";
import {
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertSession,
  type Membership,
  readMembership,
  touchSession,
} from "./sessions.sql.ts";

/** A person in a browser. */
export type Visitor = {
  session_id: string;
  user: { id: string; email: string; name: string | null };
  /** By name. */
  workspaces: { id: string; slug: string; name: string; plan: Plan; role: Role }[];
};

/** A session that is not used for so long ends. */
export const SESSION_DAYS = 30;
/** However often it is used, after so long a person signs in anew. */
const MOST_DAYS = 180;
/** How often the time of use is written down. */
const TOUCH_MINUTES = 10;

/** Opens a session. Answers the cookie's value, which is stored as its hash only. */
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

/** Who is signed in with this cookie, and the workspaces they are a member of; null when nobody is. */
export async function readVisitor(ctx: Ctx, cookie: string): Promise<Visitor | null> {
  const found = await findSession(ctx.db, hashOf(cookie), ctx.now);
  if (!found) return null;
  const { last_seen_at, ...visitor } = found;
  if (Date.parse(ctx.now) - Date.parse(last_seen_at) > TOUCH_MINUTES * 60_000) {
    const expiresAt = inDays(ctx.now, SESSION_DAYS);
    await touchSession(ctx.db, visitor.session_id, { now: ctx.now, expiresAt, mostDays: MOST_DAYS });
  }
  return visitor;
}

export const closeSession = (ctx: Ctx, cookie: string): Promise<void> => deleteSession(ctx.db, hashOf(cookie));

/** Signs a person out everywhere. */
export const closeSessionsOf = (ctx: Ctx, userId: string): Promise<void> => deleteSessionsOf(ctx.db, userId);

/** The visitor as a caller in one of their workspaces; null when they are not in it. Read anew at each call. */
export async function locateVisitor(ctx: Ctx, visitor: SignedIn, slug: string): Promise<Located | null> {
  const membership = await readMembership(ctx.db, visitor.user.id, slug.toLowerCase());
  return membership && located(visitor, membership);
}

/** What locating needs to know of a visitor. */
export type SignedIn = Pick<Visitor, "session_id" | "user">;

function located({ session_id, user }: SignedIn, { role, ...workspace }: Membership): Located {
  return {
    principal: personOf(user, role),
    credential: {
      id: session_id,
      kind: "session",
      name: "browser",
      prefix: "",
      expires_at: null,
      token_expires_at: null,
      // What a person may do is for their role alone to say.
      scopes: ["admin"],
      rate_limit_per_minute: null,
    },
    workspace,
    project: null,
    issue: null,
  };
}

const hashOf = (cookie: string) => hash("sha256", cookie, "buffer");
const inDays = (now: string, days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString();
