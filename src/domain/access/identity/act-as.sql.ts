import type { Db } from "../../kernel/ports/ports.ts";
import { workspaceJson } from "../../kernel/present.sql.ts";
import type { AgentLimits } from "../../kernel/principal.ts";
import type { Role } from "../../kernel/roles.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { agentLimits, projectList } from "./access.sql.ts";
import type { ProjectList } from "./access-rows.ts";
import { IS_LIVE_KEY } from "./set-up-by.sql.ts";

export type ActingUser = {
  user: { id: string; kind: "person" | "agent"; name: string | null; email: string | null };
  role: Role;
  maker_role: Role;
  workspace: Workspace;
  project: ProjectList | null;
  agent: AgentLimits | null;
  /** The projects that the key is limited to. */
  project_ids: string[] | null;
  /** The key is revoked, expired or deleted, or the person who answers for it is no longer active. */
  key_ended: boolean;
};

// The key is the one that is named or, for an agent without one, its newest live key. The person who created the key answers
// for it. An agent without a live key may do nothing.
const READ = {
  name: "acting_user",
  text: `
    select json_build_object('id', u.id, 'kind', u.kind, 'name', u.name, 'email', u.email) as user, m.role,
           coalesce(g.role, m.role) as maker_role,
           ${workspaceJson} as workspace,
           ${projectList} as project, ${agentLimits} as agent,
           array_to_json(case when $4::uuid is not null then key.project_ids end) as project_ids,
           $4::uuid is not null and g.role is null as key_ended
    from member m
    join app_user u on u.id = m.user_id
    left join agent ag on ag.user_id = u.id
    join workspace w on w.id = m.workspace_id
    left join lateral (
      select k.created_by, k.project_ids from api_key k
      where k.workspace_id = m.workspace_id and k.user_id = u.id and ${IS_LIVE_KEY}
        and case when $4::uuid is null then u.kind = 'agent' else k.id = $4 end
      order by k.created_at desc, k.id desc limit 1) key on true
    left join member g on g.workspace_id = m.workspace_id and g.user_id = key.created_by and g.status = 'active'
    left join project p on p.workspace_id = m.workspace_id and p.id = $3
    left join board_status ds on ds.id = p.default_status_id and ds.deleted_at is null
    left join project_member pm on pm.project_id = p.id and pm.user_id = m.user_id
    where m.workspace_id = $1 and m.user_id = $2 and m.status = 'active'
      and (u.kind = 'person' or g.role is not null or $4::uuid is not null)`,
};

export type WhoActs = {
  workspaceId: string;
  userId: string;
  /** A project to read as well. */
  projectId: string | null;
  /** The key within whose limits the user acts. Null: the user's own rights. */
  keyId: string | null;
};

/** A member's current rights, and a project in the form of the access statement. Null if the member is not active. */
export async function readActingUser(
  db: Db,
  { workspaceId, userId, projectId, keyId }: WhoActs,
): Promise<ActingUser | null> {
  const [row] = await db.query<ActingUser>(READ, [workspaceId, userId, projectId, keyId]);
  return row ?? null;
}
