import { opening, visibleTo } from "../../access/identity/visible.sql.ts";
import type { InProject } from "../../kernel/context.ts";
import type { Role } from "../../kernel/roles.ts";

/** Who may work on the stages of a run. */

export type Person = { id: string; kind: "person" | "agent"; role: Role };

/**
 * Members among these ids, and those with a role, who see the project. At most 100.
 * @param wanted.only the only one who is looked for
 */
export const peopleFor = (
  { db, workspace, project }: InProject,
  { ids, roles, only = null }: { ids: readonly string[]; roles: readonly Role[]; only?: string | null },
): Promise<Person[]> =>
  db.query<Person>(
    {
      name: "people_of_stage",
      text: `
        select u.id, u.kind, m.role from member m join app_user u on u.id = m.user_id
        where m.workspace_id = $1 and m.status = 'active' and ${visibleTo(4)}
          and ($6::uuid is null or u.id = $6)
          and (u.id = any($2::uuid[]) or (m.role = any($3::text[]) and u.kind = 'person'))
        order by u.id limit 100`,
    },
    [workspace.id, ids, roles, ...opening(project), only],
  );

/**
 * The people who answer for the agents among these users: the person who approved the agent, and everybody who made a key
 * of it, because each of them could act as the agent.
 */
export async function readAnswerable({ db, workspace }: InProject, userIds: readonly string[]): Promise<Set<string>> {
  const text = `
    select agent_owner_id as id from app_user
    where agent_workspace_id = $1 and id = any($2::uuid[]) and agent_owner_id is not null
    union
    select created_by from api_key where workspace_id = $1 and user_id = any($2::uuid[]) and kind = 'agent'`;
  const rows = await db.query<{ id: string }>({ name: "answerable_for_agents", text }, [workspace.id, userIds]);
  return new Set(rows.map(({ id }) => id));
}

/** Who started the run with which a chain of runs began. Null if the chain began with an event. */
export async function starterOfChain({ db, workspace }: InProject, rootId: string): Promise<string | null> {
  const text = `select started_by from workflow_run where workspace_id = $1 and id = $2`;
  const [row] = await db.query<{ started_by: string }>({ name: "starter_of_chain", text }, [workspace.id, rootId]);
  return row?.started_by ?? null;
}
