import type { AgentView } from "../../../domain/access/agents/view.ts";
import { Refusal } from "../../../domain/kernel/errors.ts";
import type { MemberView } from "../../../domain/tenancy/workspaces/member-view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import type { Names } from "./rule-words.ts";

type Lists = { site: Site; call: WorkspaceCall };

/** Names of the members, agents and projects of the workspace by id, as far as one page of each list shows them. */
export async function readNames(site: Site, call: WorkspaceCall): Promise<Names> {
  const [members, agents, projects] = await Promise.all([
    rowsOf<MemberView>({ site, call }, "members.list"),
    rowsOf<AgentView>({ site, call }, "agents.list"),
    rowsOf<ProjectView>({ site, call }, "projects.list"),
  ]);
  return new Map([
    ...members.map(({ user_id, name, email }): [string, string] => [user_id, name ?? email ?? "Someone"]),
    ...[...agents, ...projects].map(named),
  ]);
}

const named = ({ id, name }: { id: string; name: string | null }): [string, string] => [id, name ?? "Someone"];

/** What belongs to a project, and rules name by id. */
const OF_PROJECTS = ["statuses", "labels", "custom-field-defs", "sprints", "milestones", "releases"];
/** These lists have all at once. */
const UNPAGED = new Set(["statuses.list", "custom-field-defs.list"]);
const OF_WORKSPACE = ["workflows", "chat-channels"];
const MOST_PROJECTS = 3;

const ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * The same, and names of what the rules name besides. Lists are read only if something is unknown, and of a few projects,
 * as most rules of a page belong to the same ones.
 */
export async function withNamesIn(
  site: Site,
  call: WorkspaceCall,
  names: Names,
  rules: readonly { project_id: string | null }[],
): Promise<Names> {
  const missing = rules.filter((rule) => hasUnknown(rule, names));
  if (missing.length === 0) return names;
  const ids = [...new Set(missing.map(({ project_id }) => project_id).filter((id) => id !== null))];
  const lists = { site, call };
  const found = await Promise.all([
    ...OF_WORKSPACE.map((family) => rowsOf<{ id: string; name: string | null }>(lists, `${family}.list`)),
    ...ids
      .slice(0, MOST_PROJECTS)
      .flatMap((key) =>
        OF_PROJECTS.map((family) => rowsOf<{ id: string; name: string }>(lists, `${family}.list`, { key })),
      ),
  ]);
  return new Map([...names, ...found.flat().map(named)]);
}

function hasUnknown(rule: object, names: Names): boolean {
  const { trigger_config, conditions, actions } = rule as Record<string, unknown>;
  const texts = JSON.stringify([trigger_config, conditions, actions]).match(ID) ?? [];
  return texts.some((id) => !names.has(id));
}

/** None if the person may not read them: the page is still worth reading. */
async function rowsOf<T>({ site, call }: Lists, operation: string, params: Record<string, string> = {}): Promise<T[]> {
  try {
    const query: Record<string, string> = UNPAGED.has(operation) ? {} : { limit: "100" };
    return (await site.list<T>(call, operation, { params, query })).data;
  } catch (error) {
    if (error instanceof Refusal && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}
