import { type IssueType, type LabelRow, labelColumns } from "../../access/identity/issue-row.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Project } from "../../kernel/rows.ts";
import { nameKey } from "../../kernel/text.ts";
import { findPeople, type People } from "../../tenancy/workspaces/members.sql.ts";

/** Looks up all objects that the bodies of issue calls name. */

export type Wanted = {
  /** Ids, e-mail addresses or `me` of people who must be able to see the project. */
  people: string[];
  /** People who need not be able to see it: present members of the issue, or `all` for filters. */
  hidden?: readonly string[] | "all";
  /** Ids or names. */
  labels: string[];
  /** Keys or ids. */
  issues: string[];
  milestones: string[];
  sprints: string[];
  releases: string[];
};

export type Found = {
  people: People;
  labels: Map<string, LabelRow>;
  issues: Map<string, ParentRow>;
  /** Ids of existing milestones, sprints and releases, by the field that names them. */
  planning: Record<PlanningField, Set<string>>;
  /** Those of the sprints that are completed. */
  completedSprints: Set<string>;
};

export type PlanningField = "milestone_id" | "sprint_id" | "release_id";

export type ParentRow = {
  id: string;
  number: number;
  type: IssueType;
  title: string;
  parent_id: string | null;
  epic_id: string | null;
  epic_number: number | null;
  depth: number;
  archived_at: string | null;
  /** The project's family revision when this was read; a change of any family increments it. */
  family_revision: number;
};

/**
 * Looks up all wanted objects with one query per kind, and only for kinds that occur. The maps' keys are made with
 * `referenceKey`.
 */
export async function find(
  db: Db,
  at: { workspaceId: string; project: Pick<Project, "id" | "key" | "scoped">; principal: Principal },
  wanted: Wanted,
): Promise<Found> {
  const { workspaceId, project, principal } = at;
  const { people, hidden = [] } = wanted;
  const among = hidden === "all" ? "workspace" : { project, besides: hidden };
  // One after the other: inside a transaction they share a connection anyway, and most calls need at most one.
  return {
    people: await findPeople(db, workspaceId, people, principal, among),
    labels: await findLabels(db, workspaceId, project.id, wanted.labels),
    issues: await findIssues(db, workspaceId, project, wanted.issues),
    ...(await findPlanning(db, workspaceId, project.id, wanted)),
  };
}

const ids = (refs: string[]) => refs.map(readId).filter((id) => id !== null);
const lower = (refs: string[]) => refs.map((ref) => ref.toLowerCase());

async function findLabels(db: Db, workspaceId: string, projectId: string, refs: string[]): Promise<Found["labels"]> {
  const found: Found["labels"] = new Map();
  if (refs.length === 0) return found;
  const rows = await db.query<LabelRow>(
    {
      name: "find_labels",
      text: `
        select ${labelColumns} from label
        where workspace_id = $1 and project_id = $2 and (id = any($3::uuid[]) or name_key(name) = any($4::text[]))`,
    },
    [workspaceId, projectId, ids(refs), refs.map(nameKey)],
  );
  for (const row of rows) {
    found.set(referenceKey(row.name), row);
    found.set(row.id, row);
  }
  return found;
}

async function findIssues(
  db: Db,
  workspaceId: string,
  project: Pick<Project, "id" | "key">,
  refs: string[],
): Promise<Found["issues"]> {
  const found: Found["issues"] = new Map();
  if (refs.length === 0) return found;
  const prefix = `${project.key.toLowerCase()}-`;
  const numbers = lower(refs)
    .filter((ref) => ref.startsWith(prefix) && /^\d{1,9}$/.test(ref.slice(prefix.length)))
    .map((ref) => Number(ref.slice(prefix.length)));
  const rows = await db.query<ParentRow>(
    {
      name: "find_parents",
      text: `
        select i.id, i.number, i.type, i.title, i.parent_id, i.epic_id, i.epic_number, i.archived_at,
               (with recursive up as (
                  select i.parent_id as id, 1 as depth
                  union all
                  select a.parent_id, up.depth + 1 from up join issue a on a.id = up.id where up.depth < 20)
                select max(depth) from up) as depth,
               (select family_revision from issue_counter where project_id = $2) as family_revision
        from issue i
        where i.workspace_id = $1 and i.project_id = $2 and (i.id = any($3::uuid[]) or i.number = any($4::int[]))`,
    },
    [workspaceId, project.id, ids(refs), numbers],
  );
  for (const row of rows) {
    found.set(row.id, row);
    found.set(`${prefix}${row.number}`, row);
  }
  return found;
}

async function findPlanning(
  db: Db,
  workspaceId: string,
  projectId: string,
  { milestones, sprints, releases }: Wanted,
): Promise<Pick<Found, "planning" | "completedSprints">> {
  const found = { milestone_id: new Set<string>(), sprint_id: new Set<string>(), release_id: new Set<string>() };
  const completedSprints = new Set<string>();
  const all = { planning: found, completedSprints };
  if (milestones.length + sprints.length + releases.length === 0) return all;
  const rows = await db.query<{ field: PlanningField; id: string; completed: boolean }>(
    {
      name: "find_planning",
      text: `
        select 'milestone_id' as field, id, false as completed from milestone
        where workspace_id = $1 and project_id = $2 and deleted_at is null and id = any($3::uuid[])
        union all
        select 'sprint_id', id, status = 'completed' from sprint
        where workspace_id = $1 and project_id = $2 and deleted_at is null and id = any($4::uuid[])
        union all
        select 'release_id', id, false from release
        where workspace_id = $1 and project_id = $2 and deleted_at is null and id = any($5::uuid[])`,
    },
    [workspaceId, projectId, ids(milestones), ids(sprints), ids(releases)],
  );
  for (const { field, id, completed } of rows) {
    found[field].add(id);
    if (completed) completedSprints.add(id);
  }
  return all;
}
