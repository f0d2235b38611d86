import { issueColumns, issueJoins, labelColumns, labelsJson } from "../src/domain/access/identity/issue-row.ts";

/** One issue with everything that its view shows. */
export const oneIssueSql = `
  select ${issueColumns}, ${labelsJson}
  from issue i ${issueJoins} where i.workspace_id = $1 and i.project_id = $2 and i.number = $3`;

/** A page of the board, with the names that the service remembers read by joins. */
export const listIssuesSql = `
  select ${issueColumns} from issue i ${issueJoins}
  where i.workspace_id = $1 and i.project_id = $2 and i.archived_at is null order by i.rank, i.id limit $3`;

export const labelsSql = `select ${labelColumns} from label where workspace_id = $1 and id = any($2::uuid[])`;
