import { visibility, visibleObject } from "../../access/identity/visible.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { authorColumns, type WithAuthor } from "./author.ts";
import type { DocRow } from "./view.ts";

/** The states that a doc had. Their numbers count up for each doc. */

export const VERSION_REASONS = ["edit", "restore", "import"] as const;

export type VersionRow = WithAuthor & {
  id: string;
  doc_id: string;
  number: number;
  title: string;
  body_md: string | null;
  body_json: string | null;
  body_md_length: number;
  reason: (typeof VERSION_REASONS)[number];
  created_at: string;
};

const columns = (bodies: string) => `
  v.id, v.doc_id, v.number, v.title, ${bodies}, v.body_md_length, v.reason, v.created_at,
  ${authorColumns}`;

/**
 * Versions that were written while the doc was private are for its owner alone, and those that were written in another
 * project are for people who see that.
 */
const SEEN = `
  from doc_version v join app_user u on u.id = v.created_by left join project p on p.id = v.project_id
  where v.workspace_id = $1 and v.doc_id = $2 and (not v.private or $3::boolean) and ${visibleObject(4)}`;

const seen = (ctx: InWorkspace, doc: DocRow) => [
  ctx.workspace.id,
  doc.id,
  doc.owner_id === ctx.principal.user_id,
  ...visibility(ctx.principal),
];

/** Versions of a doc without their bodies, newest first. */
export function listVersions(
  ctx: InWorkspace,
  doc: DocRow,
  after: Cursor | null,
  limit: number,
): Promise<VersionRow[]> {
  const paged = after ? "and v.number < $9" : "";
  return ctx.db.query<VersionRow>(
    {
      name: after ? "list_doc_versions_after" : "list_doc_versions",
      text: `
        select ${columns("null as body_md, null as body_json")} ${SEEN} ${paged}
        order by v.number desc limit $8`,
    },
    [...seen(ctx, doc), limit, ...(after ? [after[0]] : [])],
  );
}

export async function findVersion(ctx: InWorkspace, doc: DocRow, id: string): Promise<VersionRow | null> {
  const [row] = await ctx.db.query<VersionRow>(
    {
      name: "find_doc_version",
      text: `
        select ${columns("v.body_md, v.body_json")} ${SEEN} and v.id = $8`,
    },
    [...seen(ctx, doc), id],
  );
  return row ?? null;
}

/** What decides whether an edit overwrites the newest version. */
export type Newest = {
  id: string;
  number: number;
  created_by: string;
  begun_at: string;
  private: boolean;
  project_id: string | null;
  kept: boolean;
};

export async function newestVersion(ctx: InWorkspace & Writing, docId: string): Promise<Newest> {
  const [row] = await ctx.tx.query<Newest>(
    {
      name: "newest_doc_version",
      text: `
        select id, number, created_by, begun_at, private, project_id, kept from doc_version
        where doc_id = $1 order by number desc limit 1`,
    },
    [docId],
  );
  return row!;
}

export async function overwriteVersion(ctx: InWorkspace & Writing, id: string, doc: DocRow, kept: boolean) {
  await ctx.tx.query(
    {
      name: "overwrite_doc_version",
      text: `
        update doc_version set title = $3, body_md = $4, body_json = $5, kept = $6, created_at = $7, body_md_length = $8
        where workspace_id = $1 and id = $2`,
    },
    [ctx.workspace.id, id, doc.title, doc.body_md, doc.body_json, kept, ctx.now, lengthOf(doc)],
  );
}

export async function keep(ctx: InWorkspace & Writing, id: string): Promise<void> {
  await ctx.tx.query({ text: `update doc_version set kept = true where workspace_id = $1 and id = $2` }, [
    ctx.workspace.id,
    id,
  ]);
}

export async function insertVersion(
  ctx: InWorkspace & Writing,
  doc: DocRow,
  version: { id: string; number: number; reason: VersionRow["reason"]; kept: boolean },
): Promise<void> {
  await ctx.tx.query(
    {
      name: "insert_doc_version",
      text: `
        insert into doc_version (id, workspace_id, doc_id, number, title, body_md, body_json, reason, private, kept,
                                 begun_at, created_by, created_at, body_md_length, project_id)
        values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $11, $13, $14)`,
    },
    [
      ctx.workspace.id,
      version.id,
      doc.id,
      version.number,
      doc.title,
      doc.body_md,
      doc.body_json,
      version.reason,
      doc.visibility === "private",
      version.kept,
      ctx.now,
      ctx.principal.user_id,
      lengthOf(doc),
      doc.project_id,
    ],
  );
}

const lengthOf = ({ body_md }: Pick<DocRow, "body_md">): number => body_md?.length ?? 0;

/** Removes versions up to a number, at most this many at a time. After a downgrade, the next versions remove the rest. */
const REMOVED_AT_ONCE = 100;

export async function removeVersions(ctx: InWorkspace & Writing, docId: string, upTo: number): Promise<void> {
  await ctx.tx.query(
    {
      name: "remove_doc_versions",
      text: `
        delete from doc_version where id = any(array(
          select id from doc_version where workspace_id = $1 and doc_id = $2 and number <= $3
          order by number limit ${REMOVED_AT_ONCE}))`,
    },
    [ctx.workspace.id, docId, upTo],
  );
}
