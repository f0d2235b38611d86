import { foundIn } from "../../access/identity/project-access.sql.ts";
import type { Found } from "../../kernel/belongs.ts";
import { extended, type InWorkspace, type Writing } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { lockEntity } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { wrongValue } from "../../work/issues/wrong-value.ts";
import { findTarget } from "../../work/links/links.sql.ts";
import { lockIssues } from "../../work/mass-changes/settle.ts";
import { AgentSessionEntity } from "./entities.ts";
import type { AgentSessionQuery } from "./inputs.ts";
import { listSessions, readSession } from "./sessions.sql.ts";
import { STATES } from "./states.ts";
import { type AgentSessionView, type SessionRow, sessionView } from "./view.ts";

/** Reads of agent sessions. A session is seen by whoever sees its project or, without one, by all members but guests. */

/** Newest activity first. @throws Refusal invalid_parameter */
export async function listPage(ctx: InWorkspace, query: AgentSessionQuery, paging: Paging) {
  const nothing = { rows: [], next_cursor: null };
  const issue = query.issue_key === undefined ? null : await findTarget(ctx, query.issue_key.trim());
  if (query.issue_key !== undefined && !issue) {
    if (readId(query.issue_key)) return nothing;
    wrongValue("issue_key", query.issue_key, "the key of an issue that you can see");
  }
  const agentIds = query.agent_id === undefined ? null : agentsIn(ctx, query.agent_id);
  const filter = { states: statesIn(query.state), issueId: issue?.id ?? null, agentIds };
  const rows = await listSessions(ctx, filter, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.last_activity_at, row.id]);
  return { rows: page.rows.map((row) => sessionView(ctx, row)), next_cursor: page.next_cursor };
}

const wordsIn = (text: string): string[] => text.split(",").flatMap((word) => word.trim() || []);

/** @throws Refusal invalid_parameter */
const agentsIn = ({ principal }: InWorkspace, text: string): string[] =>
  wordsIn(text).map((word) => {
    const id = word.toLowerCase() === "me" ? principal.user_id : readId(word);
    return id ?? wrongValue("agent_id", word, "the id of an agent, or me");
  });

function statesIn(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const words = wordsIn(text).map((word) => {
    const plain = word.toLowerCase().replace(/[\s-]+/g, "_");
    const known = STATES.find((state) => state === plain || (state === "cancelled" && plain === "canceled"));
    return known ?? wrongValue("state", word, `one of the states ${STATES.join(", ")}`, STATES);
  });
  return words.length === 0 ? null : words;
}

export async function read(ctx: InWorkspace, text: string): Promise<Found<AgentSessionView> | null> {
  const id = readId(text);
  const row = id && (await readSession(ctx, id));
  return row ? withAudience(row, sessionView(ctx, row)) : null;
}

/** A session that may be changed: it and its issue are locked. */
export type LockedSession = { entity: AgentSessionEntity; row: SessionRow };

/** Locks the issue of a session and then the session, and returns it. */
export async function byId(ctx: InWorkspace & Writing, text: string): Promise<Found<LockedSession> | null> {
  const id = readId(text);
  const known = id && (await readSession(ctx, id));
  if (!known) return null;
  if (known.issue_id) await lockIssues(ctx, [known.issue_id]);
  const entity = await lockEntity(ctx, AgentSessionEntity, { id });
  const row = entity && (await readSession(ctx, id));
  return row ? withAudience(row, { entity, row }) : null;
}

export const withAudience = <T>(row: SessionRow, object: T): Found<T> =>
  foundIn(row, object, row.project_id === null ? "members" : "everyone");

/** The project in whose name an event of the session is recorded. */
export const placeOf = <Base extends InWorkspace & Writing>(ctx: Base, row: Pick<SessionRow, "project_id">) =>
  extended(ctx, { project: { id: row.project_id } });
