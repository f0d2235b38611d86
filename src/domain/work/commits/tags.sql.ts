import type { Db } from "../../kernel/ports/ports.ts";
import type { PushedTag } from "./payload.ts";

const MAX_PROJECTS = 20;

/**
 * Returns the projects with an unfinished release whose version equals the tag. If commits of the repository have named
 * issues of some projects, only these projects count. For an unknown repository, the tag counts only if exactly one
 * project matches.
 */
export async function projectsTagged(db: Db, workspaceId: string, { repo, tag }: PushedTag): Promise<{ id: string }[]> {
  return db.query<{ id: string }>(
    {
      text: `
        with known as (
          select distinct project_id from commit_ref where workspace_id = $1 and repo = $2),
        candidate as (
          select distinct r.project_id as id from release r join project p on p.id = r.project_id
          where r.workspace_id = $1 and r.version = $3 and r.deleted_at is null and r.status in ('planned', 'in_progress')
            and p.archived_at is null)
        select id from candidate
        where id in (select project_id from known)
           or (not exists (select from known) and (select count(*) from candidate) = 1)
        order by id limit ${MAX_PROJECTS}`,
    },
    [workspaceId, repo, tag],
  );
}
