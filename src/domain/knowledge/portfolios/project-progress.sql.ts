import { fractionOf } from "../goals/fraction.sql.ts";

/**
 * The share of a project's issues that are done, as an exact fraction; null without issues. Cancelled and archived issues
 * do not count. Columns store their number of live issues, so no issues are read.
 * @param project SQL of the project's id
 */
export const projectProgress = (project: string): string => `
  (select case when issues.total > 0 then ${fractionOf("issues.done", "issues.total")} end
   from (select coalesce(sum(s.issue_count) filter (where s.category = 'done'), 0) as done,
                sum(s.issue_count) filter (where s.category <> 'cancelled') as total
         from board_status s where s.project_id = ${project} and s.deleted_at is null) issues)`;
