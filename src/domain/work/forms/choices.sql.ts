import { visibility, visible, visibleDoc } from "../../access/identity/visible.sql.ts";
import type { InProject } from "../../kernel/context.ts";

/** Looks up the objects that options of a form name by their names, as `nameKey` returns them. A name can belong to several. */

export type NamedRow = { id: string; name: string };

/** Members and agents. Whether they see the project is checked with their ids. */
export const peopleNamed = ({ db, workspace }: InProject, names: string[]): Promise<NamedRow[]> =>
  db.query<NamedRow>(
    {
      name: "people_named",
      text: `
        select u.id, name_key(u.name) as name from member m join app_user u on u.id = m.user_id
        where m.workspace_id = $1 and m.status = 'active' and name_key(u.name) = any($2::text[])`,
    },
    [workspace.id, names],
  );

export const projectsNamed = ({ db, workspace, principal }: InProject, names: string[]): Promise<NamedRow[]> =>
  db.query<NamedRow>(
    {
      name: "projects_named",
      text: `
        select p.id, name_key(p.name) as name from project p
        where p.workspace_id = $1 and p.archived_at is null and name_key(p.name) = any($2::text[]) and ${visible(3)}`,
    },
    [workspace.id, names, ...visibility(principal)],
  );

export const docsNamed = ({ db, workspace, principal }: InProject, names: string[]): Promise<NamedRow[]> =>
  db.query<NamedRow>(
    {
      name: "docs_named",
      text: `
        select d.id, name_key(d.title) as name from doc d left join project p on p.id = d.project_id
        where d.workspace_id = $1 and d.archived_at is null and name_key(d.title) = any($2::text[]) and ${visibleDoc(3)}`,
    },
    [workspace.id, names, ...visibility(principal)],
  );
