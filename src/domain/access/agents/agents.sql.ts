import type { Db } from "../../kernel/ports/ports.ts";
import { nameKey } from "../../kernel/text.ts";

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
 * Creates an agent and adds it to the workspace. The same client of the same person gets the same agent. An agent that had
 * left is added again.
 */
export async function insertAgent(
  db: Db,
  workspaceId: string,
  agent: { id: string; name: string; ownerId: string; clientId: string | null; now: string },
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

export type Profile = {
  kind: string;
  handle: string;
  spendCapUsd: number | null;
  fieldPolicy: string[] | null;
  now: string;
};

/** Completes the row of a new agent, which a trigger has inserted. An agent that was here before keeps its profile. */
export async function setProfile(db: Db, workspaceId: string, agentId: string, profile: Profile): Promise<void> {
  const { kind, handle, spendCapUsd, fieldPolicy, now } = profile;
  const text = `
    update agent set kind = $3, handle = $4, spend_cap_usd = $5, field_policy = $6, revoked_at = $7
    where workspace_id = $1 and user_id = $2 and handle is null`;
  await db.query({ text }, [workspaceId, agentId, kind, handle, spendCapUsd, fieldPolicy, now]);
}

/** Changes what a new key says about an agent that it brings back. What it leaves out stays. */
export async function changeProfile(
  db: Db,
  workspaceId: string,
  agentId: string,
  {
    kind,
    spendCapUsd,
    fieldPolicy,
    now,
  }: { [Field in "kind" | "spendCapUsd" | "fieldPolicy"]?: Profile[Field] | null | undefined } & { now: string },
): Promise<void> {
  const text = `
    update agent set kind = coalesce($3, kind), spend_cap_usd = coalesce($4, spend_cap_usd),
                     field_policy = coalesce($5, field_policy), updated_at = $6
    where workspace_id = $1 and user_id = $2`;
  await db.query({ text }, [workspaceId, agentId, kind ?? null, spendCapUsd ?? null, fieldPolicy ?? null, now]);
}

/**
 * The newest agent with this name, in any case, that a person connected with API keys, and that has no live one. A new key
 * brings it back.
 */
export async function findRevokedAgent(
  db: Db,
  workspaceId: string,
  { name, ownerId, now }: { name: string; ownerId: string; now: string },
): Promise<string | null> {
  const text = `
    select u.id from app_user u
    join member m on m.workspace_id = $1 and m.user_id = u.id and m.status = 'active'
    where u.agent_workspace_id = $1 and u.agent_owner_id = $2 and u.agent_client_id is null and u.kind = 'agent'
      and name_key(u.name) = $3
      and not exists (
        select from api_key k where k.user_id = u.id and k.revoked_at is null
          and (k.expires_at is null or k.expires_at > $4::timestamptz))
    order by u.created_at desc, u.id desc limit 1`;
  const [row] = await db.query<{ id: string }>({ text }, [workspaceId, ownerId, nameKey(name), now]);
  return row?.id ?? null;
}

/** The agent with this handle, in any case. */
export async function agentWithHandle(db: Db, workspaceId: string, handle: string): Promise<string | null> {
  const text = `select user_id from agent where workspace_id = $1 and lower(handle) = $2`;
  const [row] = await db.query<{ user_id: string }>({ text }, [workspaceId, handle]);
  return row?.user_id ?? null;
}

/** Those of these handles that agents have. */
export async function takenHandles(db: Db, workspaceId: string, handles: readonly string[]): Promise<string[]> {
  const text = `select lower(handle) as handle from agent where workspace_id = $1 and lower(handle) = any($2)`;
  return (await db.query<{ handle: string }>({ text }, [workspaceId, handles])).map(({ handle }) => handle);
}

/** Those of these ids that are custom fields of the workspace. */
export async function customFieldsAmong(db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const text = `select id from custom_field where workspace_id = $1 and id = any($2::uuid[]) and deleted_at is null`;
  return (await db.query<{ id: string }>({ text }, [workspaceId, ids])).map(({ id }) => id);
}

export async function renameAgent(db: Db, workspaceId: string, agentId: string, name: string, now: string) {
  const text = `update app_user set name = $3, updated_at = $4 where agent_workspace_id = $1 and id = $2`;
  await db.query({ text }, [workspaceId, agentId, name, now]);
}
