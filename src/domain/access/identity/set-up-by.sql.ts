import type { Db } from "../../kernel/ports/ports.ts";
import type { AgentLimits } from "../../kernel/principal.ts";
import { agentLimits } from "./access.sql.ts";

/** SQL: the key `k` is neither revoked nor expired. */
export const IS_LIVE_KEY = `k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`;

/**
 * SQL: the key `k` is live, and its user and the person who answers for it are active members.
 * @param may SQL: what the member `g` has to be, too
 */
const works = (may: string): string => `
  ${IS_LIVE_KEY} and array[k.user_id, k.created_by] <@ array(
    select g.user_id from member g
    where g.workspace_id = k.workspace_id and g.user_id in (k.user_id, k.created_by) and g.status = 'active' and ${may})`;

/** SQL: the member `g` is an owner or an admin. */
const IS_ADMIN = "g.role in ('owner', 'admin')";

/**
 * SQL: whether the credential that defined the row `row` still works. A person in a browser needs none.
 * @param workspaceId of the row
 */
export const isCredentialLive = (row: string, workspaceId = `${row}.workspace_id`): string =>
  isDefinedBy(row, workspaceId, "true");

/**
 * SQL: as `isCredentialLive`, and the person of the key is still an admin. For webhooks and forms, which do not act with the
 * rights of this person: the role is checked nowhere else.
 */
export const isAdminsCredentialLive = (row: string): string => isDefinedBy(row, `${row}.workspace_id`, IS_ADMIN);

const isDefinedBy = (row: string, workspaceId: string, may: string): string => `
  (${row}.key_id is null or exists (
    select from api_key k where k.workspace_id = ${workspaceId} and k.id = ${row}.key_id and ${works(may)}))`;

/** The limits of a live key, besides its scopes. */
export type KeyReach = {
  project_ids: string[] | null;
  agent: AgentLimits | null;
  /** Whether the key's person is an owner or an admin. */
  of_admin: boolean;
};

/** The limits of a live key of the workspace. Null if the key has ended. */
export async function readKeyReach(db: Db, workspaceId: string, id: string): Promise<KeyReach | null> {
  const text = `
    select array_to_json(k.project_ids) as project_ids, ${agentLimits} as agent, ${works(IS_ADMIN)} as of_admin
    from api_key k left join agent ag on ag.user_id = k.user_id
    where k.workspace_id = $1 and k.id = $2 and ${works("true")}`;
  const [row] = await db.query<KeyReach>({ name: "key_reach", text }, [workspaceId, id]);
  return row ?? null;
}
