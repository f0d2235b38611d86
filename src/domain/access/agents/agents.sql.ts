import type { Db } from "../../kernel/ports/ports.ts";

export type OwnedAgent = {
  id: string;
  status: "active" | "suspended";
  /** Whether it has a live credential, and so counts towards the plan's limit on agents. */
  works: boolean;
};

/**
 * The agent that a client acts as for the person who approved it. Null if that agent is not a member of the
 * workspace.
 */
export async function findAgentOfClient(
  db: Db,
  workspaceId: string,
  { ownerId, clientId, now }: { ownerId: string; clientId: string; now: string },
): Promise<OwnedAgent | null> {
  const [row] = await db.query<OwnedAgent>(
    {
      text: `
        select u.id, m.status, exists (
                 select from api_key k where k.workspace_id = $1 and k.user_id = u.id and k.revoked_at is null
                   and (k.expires_at is null or k.expires_at > $4::timestamptz)) as works
        from app_user u join member m on m.workspace_id = $1 and m.user_id = u.id
        where u.agent_workspace_id = $1 and u.agent_owner_id = $2 and u.agent_client_id = $3`,
    },
    [workspaceId, ownerId, clientId, now],
  );
  return row ?? null;
}

/**
 * Creates that agent and adds it to the workspace. Concurrent calls get the same agent. An agent that had left is
 * added again.
 */
export async function insertAgentOfClient(
  db: Db,
  workspaceId: string,
  agent: { id: string; name: string; ownerId: string; clientId: string; now: string },
): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    {
      text: `
        with agent as (
          insert into app_user (id, kind, name, agent_workspace_id, agent_owner_id, agent_client_id, created_at, updated_at)
          values ($2, 'agent', $3, $1, $4, $5, $6, $6)
          on conflict (agent_workspace_id, agent_owner_id, agent_client_id) where agent_client_id is not null
          do update set updated_at = excluded.updated_at
          returning id
        ), entered as (
          insert into member (workspace_id, user_id, role, joined_at) select $1, id, 'member', $6 from agent
          on conflict do nothing
        )
        select id from agent`,
    },
    [workspaceId, agent.id, agent.name, agent.ownerId, agent.clientId, agent.now],
  );
  return row!.id;
}
