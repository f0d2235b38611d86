import { projectJoin } from "../../access/identity/project-access.sql.ts";
import { visibility, visibleObject } from "../../access/identity/visible.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { untilHeavy, type Weighed } from "../../kernel/paging.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { docColumns, parentJoin } from "./docs.sql.ts";
import type { DocRow } from "./view.ts";

export type DocFilter = {
  projectId: string | null;
  /** Id of a doc that the caller sees; `none` for docs that have no parent which the caller sees. */
  parent: string | null;
  archived: boolean;
  /** Which of the two bodies to read. */
  bodies: { md: boolean; json: boolean };
};

/** Conditions on the parent of `d`. They are subqueries, because a join would read all docs of the workspace. */
const LINK = "exists (select from doc parent where parent.id = d.parent_id and parent.branch = d.parent_branch";
const ON_TOP = `(d.parent_id is null or not ${LINK} and (parent.visibility = 'workspace' or parent.owner_id = $5::uuid)))`;

/**
 * Docs that the caller sees, newest first. Two index scans, each in the order of the list and each of them stopping at
 * `limit`, are merged: docs that everybody sees, and the caller's own private docs. So private docs of others cost
 * nothing. Docs of hidden projects are read and skipped.
 */
export function listDocs(
  ctx: InWorkspace,
  { projectId, parent, archived, bodies }: DocFilter,
  after: Cursor | null,
  limit: number,
): Promise<Weighed<DocRow>[]> {
  const values: unknown[] = [ctx.workspace.id, ...visibility(ctx.principal), limit];
  const bound = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const conditions = [
    `d.archived_at is ${archived ? "not null" : "null"}`,
    visibleObject(2),
    ...(projectId === null ? [] : [`d.project_id = ${bound(projectId, "uuid")}`]),
    ...(parent === null ? [] : [parent === "none" ? ON_TOP : `${LINK} and parent.id = ${bound(parent, "uuid")})`]),
    ...(after === null
      ? []
      : [`(d.created_at, d.id) < (${bound(after[0], "timestamptz")}, ${bound(after[1], "uuid")})`]),
  ];
  const scan = (which: string) => `
    (select d.id, d.created_at from doc d left join project p on p.id = d.project_id
     where d.workspace_id = $1 and ${which} and ${conditions.join(" and ")}
     order by d.created_at desc, d.id desc limit $6)`;
  const shown = [bodies.md ? "d.body_md" : "null as body_md", bodies.json ? "d.body_json" : "null as body_json"];
  const weight = [
    bodies.md && "coalesce(octet_length(d.body_md), 0)",
    bodies.json && "coalesce(octet_length(d.body_json), 0)",
  ];
  return ctx.db.query<Weighed<DocRow>>(
    {
      text: untilHeavy(
        `select ${docColumns(shown.join(", "))}, ${["octet_length(d.title)", ...weight].filter(Boolean).join(" + ")} as bytes
         from (select * from (${scan("d.visibility = 'workspace'")} union all
                              ${scan("d.visibility = 'private' and d.owner_id = $5::uuid")}) both_kinds
               order by created_at desc, id desc limit $6) listed
         join doc d on d.id = listed.id ${projectJoin("d.project_id", 5)} ${parentJoin}
         order by d.created_at desc, d.id desc`,
        "created_at desc, id desc",
      ),
    },
    values,
  );
}
