import { projectColumns, projectJoin } from "../../access/identity/project-access.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { DocRow } from "./view.ts";

/** A link to a parent counts only while the parent is in the branch that the link names. */
export const parentJoin = `left join doc parent on parent.id = d.parent_id and parent.branch = d.parent_branch`;

/** Columns of `DocRow`, from `doc d`, its project and its parent. @param bodies SQL of body_md and body_json */
export const docColumns = (bodies = "d.body_md, d.body_json"): string => `
  d.id, d.title, p.key as project_key, parent.id as parent_id, d.branch,
  case when parent.visibility = 'private' then parent.owner_id end as parent_owner_id,
  d.icon, ${bodies}, d.visibility, d.owner_id, d.position, d.word_count, d.version, d.archived_at,
  d.created_by, d.updated_by, d.created_at, d.updated_at, ${projectColumns}`;

/**
 * Docs of the workspace by id, whether or not the caller may see them.
 * @param options.bodies `false` leaves the texts out
 */
export function findDocs(ctx: InWorkspace, ids: readonly string[], { bodies = true } = {}): Promise<DocRow[]> {
  return ctx.db.query<DocRow>(
    {
      name: bodies ? "find_docs" : "find_docs_without_bodies",
      text: `
        select ${bodies ? docColumns() : docColumns("null as body_md, null as body_json")} from doc d ${projectJoin("d.project_id", 3)} ${parentJoin}
        where d.workspace_id = $1 and d.id = any($2::uuid[])`,
    },
    [ctx.workspace.id, ids, ctx.principal.user_id],
  );
}

/**
 * Locks a doc before it or something that belongs to it changes. Docs can still be created below it meanwhile: a weaker
 * lock than `for update`, because a new doc's reference to its parent locks that too.
 */
export async function lockDoc(ctx: InWorkspace & Writing, id: string): Promise<void> {
  const [row] = await ctx.tx.query<{ updated_at: string }>(
    {
      name: "lock_doc",
      text: `select updated_at from doc where workspace_id = $1 and id = $2 for no key update`,
    },
    [ctx.workspace.id, id],
  );
  ctx.waited(row?.updated_at);
}

/** Key of a project. */
export async function projectKey(ctx: InWorkspace, projectId: string): Promise<string> {
  const [row] = await ctx.db.query<{ key: string }>(
    { name: "doc_project_key", text: `select key from project where workspace_id = $1 and id = $2` },
    [ctx.workspace.id, projectId],
  );
  return row!.key;
}

export type NewDoc = {
  id: string;
  version_id: string;
  project_id: string | null;
  parent_id: string | null;
  parent_branch: string | null;
  branch: string;
  title: string;
  icon: string | null;
  body_md: string | null;
  body_json: string | null;
  body_md_length: number;
  visibility: DocRow["visibility"];
  position: number;
  word_count: number;
};

/** Stores new docs of the caller, each with its first version. */
export async function insertDocs(ctx: InWorkspace & Writing, docs: readonly NewDoc[]): Promise<void> {
  await ctx.tx.query(
    {
      name: "insert_docs",
      text: `
        with given as materialized (
          select * from json_to_recordset($3::json) as t(
            id uuid, version_id uuid, project_id uuid, parent_id uuid, parent_branch uuid, branch uuid, title text, icon text,
            body_md text, body_json text, body_md_length integer, visibility text, position integer, word_count integer)
        ),
        written as (
          insert into doc (id, workspace_id, project_id, parent_id, parent_branch, branch, title, icon, body_md, body_json,
                           visibility, owner_id, position, word_count, created_by, updated_by, created_at, updated_at)
          select id, $1, project_id, parent_id, parent_branch, branch, title, icon, body_md, body_json,
                 visibility, $2, position, word_count, $2, $2, $4::timestamptz, $4::timestamptz
          from given
        )
        insert into doc_version (id, workspace_id, doc_id, number, title, body_md, body_json, reason, private, kept,
                                 begun_at, created_by, created_at, body_md_length, project_id)
        select version_id, $1, id, 1, title, body_md, body_json, 'edit', visibility = 'private', false,
               $4::timestamptz, $2, $4::timestamptz, body_md_length, project_id
        from given`,
    },
    [ctx.workspace.id, ctx.principal.user_id, JSON.stringify(docs), ctx.now],
  );
}
