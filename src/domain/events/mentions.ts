import { agentsNamed } from "../kernel/handles.sql.ts";
import type { Db } from "../kernel/ports/ports.ts";
import type { Recorded } from "../kernel/recorded.ts";

/** The people and agents whom a comment or message mentions. */
export type WithMentions = { mentions: { id: string; kind: string }[] };

/**
 * Those whom a comment or message mentions since an event and did not mention before. `previous` has only the fields that
 * changed.
 */
export function newlyMentioned({ data, previous, changed }: MentioningEvent): WithMentions["mentions"] {
  if (changed.length > 0 && !changed.includes("mentions")) return [];
  const before = new Set(previous.mentions?.map(({ id }) => id));
  return (data.mentions ?? []).filter(({ id }) => !before.has(id));
}

/** Ids of those whom a comment or message no longer mentions since an event. */
export function noLongerMentioned({ data, previous, changed }: MentioningEvent): string[] {
  if (!changed.includes("mentions")) return [];
  const now = new Set(data.mentions?.map(({ id }) => id));
  return (previous.mentions ?? []).flatMap(({ id }) => (now.has(id) ? [] : [id]));
}

type MentioningEvent = {
  data: Partial<WithMentions>;
  previous: Partial<WithMentions>;
  changed: readonly string[];
};

type WithContext = Pick<Recorded, "workspace_id" | "context">;

/**
 * Replaces `handles` in the context of events, which are the handles that a text newly mentions, by the ids of their agents
 * in `mentioned`. One query a workspace, and none for events without handles.
 */
export async function resolveMentions(db: Db, events: readonly WithContext[]): Promise<void> {
  const open = events.filter(({ context }) => handlesOf(context).length > 0);
  for (const [workspaceId, some] of Map.groupBy(open, ({ workspace_id }) => workspace_id)) {
    const agents = await agentsNamed(db, workspaceId, [...new Set(some.flatMap(({ context }) => handlesOf(context)))]);
    for (const event of some) event.context = resolved(event.context!, agents);
  }
}

const handlesOf = (context: Recorded["context"]) => (context?.handles ?? []) as string[];

function resolved(context: Record<string, unknown>, agents: ReadonlyMap<string, string>): Recorded["context"] {
  const { handles, mentioned = [], ...rest } = context;
  const named = (handles as string[]).flatMap((handle) => agents.get(handle) ?? []);
  const all = [...new Set([...(mentioned as string[]), ...named])];
  const found = all.length > 0 ? { ...rest, mentioned: all } : rest;
  return Object.keys(found).length > 0 ? found : null;
}
