import type { MemberView } from "../../../domain/tenancy/workspaces/member-view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import type { Names } from "./rule-words.ts";

/** Names of the members, agents and projects of the workspace by id, as far as one page of each list shows them. */
export async function readNames(site: Site, call: WorkspaceCall): Promise<Names> {
  const query = { limit: "100" };
  const [members, projects] = await Promise.all([
    site.list<MemberView>(call, "members.list", { query }),
    site.list<ProjectView>(call, "projects.list", { query }),
  ]);
  return new Map([
    ...members.data.map(({ user_id, name, email }): [string, string] => [user_id, name ?? email ?? "Someone"]),
    ...projects.data.map(({ id, name }): [string, string] => [id, name]),
  ]);
}
