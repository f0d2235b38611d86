import type { InIssue } from "../../access/identity/issue-row.ts";
import { readIssueRef } from "../../access/identity/lookup.ts";
import { visibility, visible } from "../../access/identity/visible.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { ProjectRole } from "../../kernel/rows.ts";
import { countsAcross } from "./blockers.sql.ts";
import type { IssueLinkView, LinkKind } from "./view.ts";

// An issue `t` in a project that the caller can see, with parameters $1 to $5.
const seen = `join project p on p.workspace_id = $1 and p.id = t.project_id where t.workspace_id = $1 and ${visible(2)}`;
const viewer = ({ workspace, principal }: InWorkspace) => [workspace.id, ...visibility(principal)];

/** One end of a link. */
export type End = { id: string; project_id: string };

/** An issue that a body names, in a project that the caller can see. */
export type Target = End & {
  project_key: string;
  project_slug: string;
  project_archived_at: string | null;
  /** The caller's role in that project. */
  role: ProjectRole | null;
};

/** Returns the issue with this key or id, if the caller can see it. */
export async function findTarget(ctx: InWorkspace, ref: string): Promise<Target | null> {
  const named = readIssueRef(ref);
  const [projectKey, number, id] =
    named.by === "id" ? [null, null, named.value] : [named.projectKey, named.value, null];
  const [row] = await ctx.db.query<Target>(
    {
      name: "link_target",
      text: `
        select t.id, t.project_id, p.key as project_key, p.slug as project_slug,
               p.archived_at as project_archived_at,
               (select role from project_member where project_id = p.id and user_id = $5::uuid) as role
        from issue t ${seen} and t.id = coalesce(
          $6::uuid,
          (select i.id from project o join issue i on i.project_id = o.id and i.number = $8::int
           where o.workspace_id = $1 and o.key = $7::text))`,
    },
    [...viewer(ctx), id, projectKey, number],
  );
  return row ?? null;
}

/** A link as one issue shows it, with what is needed to change the other issue. */
export type LinkRow = IssueLinkView & Omit<Target, "id" | "role" | "project_archived_at">;

const sides = (which: string) => `
  select l.id, l.kind, l.direction, t.key as target_key, t.title as target_title, t.status as target_status,
         t.id as target_id, t.type as target_type, p.slug as target_project_slug, l.created_by, l.created_at,
         p.id as project_id, p.key as project_key, p.slug as project_slug
  from (
    select id, kind, 'out' as direction, target_id as other_id, created_by, created_at from issue_link
    where workspace_id = $1 and source_id = $6
    union all
    select id, kind, 'in' as direction, source_id as other_id, created_by, created_at from issue_link
    where workspace_id = $1 and target_id = $6
  ) l
  join issue t on t.id = l.other_id ${seen} ${which}
  order by l.created_at desc, l.id desc`;

const LIST = { name: "list_links", text: sides("") };
const READ = { name: "link_read", text: sides("and l.id = $7") };

/** Returns an issue's links to issues that the caller can see, newest first. */
export const listLinks = (ctx: InIssue): Promise<LinkRow[]> =>
  ctx.db.query<LinkRow>(LIST, [...viewer(ctx), ctx.issue.id]);

/** Returns one of these links. */
export async function readLink(ctx: InIssue, linkId: string): Promise<LinkRow | null> {
  const [row] = await ctx.db.query<LinkRow>(READ, [...viewer(ctx), ctx.issue.id, linkId]);
  return row ?? null;
}

/** Returns the existing link. A `relates_to` link is found in either direction. */
export async function findLink(
  { db, workspace }: InWorkspace,
  { kind, source, target }: { kind: LinkKind; source: End; target: End },
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    {
      name: "link_find",
      text: `
        select id from issue_link
        where workspace_id = $1 and kind = $2
          and ((source_id = $3 and target_id = $4)
            or ($2 = 'relates_to' and source_id = $4 and target_id = $3))`,
    },
    [workspace.id, kind, source.id, target.id],
  );
  return row?.id ?? null;
}

export type NewLink = { id: string; kind: LinkKind; source: End; target: End };

const counts = (source: string, target: string) => countsAcross(`${source}::uuid`, `${target}::uuid`);

/** Stores a link and counts it at both ends. `blocks` is whether the source is open and blocks the target. */
export function insertLink(
  { tx, workspace, principal, now }: InWorkspace & Writing,
  { id, kind, source, target }: NewLink,
  blocks: boolean,
): void {
  tx.send(
    {
      name: "link_insert",
      text: `
        with made as (
          insert into issue_link (id, workspace_id, kind, source_id, source_project_id, target_id, target_project_id,
                                  created_by, created_at)
          values ($2, $1, $3, $4, $5, $6, $7, $8, $9::timestamptz))
        update issue set link_count = link_count + 1,
                         open_blocker_count = open_blocker_count + ($10 and id = $6 and ${counts("$5", "$7")})::int,
                         version = version + 1, updated_at = $9::timestamptz
        where workspace_id = $1 and id in ($4, $6)`,
    },
    [
      workspace.id,
      id,
      kind,
      source.id,
      source.project_id,
      target.id,
      target.project_id,
      principal.user_id,
      now,
      blocks,
    ],
  );
}

/** Deletes a link and subtracts it from the counts of both ends. */
export function deleteLink(
  { tx, workspace, now }: InWorkspace & Writing,
  { id, source, target }: Omit<NewLink, "kind">,
  blocks: boolean,
): void {
  tx.send(
    {
      name: "link_delete",
      text: `
        with gone as (delete from issue_link where workspace_id = $1 and id = $2)
        update issue set link_count = link_count - 1,
                         open_blocker_count = open_blocker_count - ($6 and id = $4 and ${counts("$7", "$8")})::int,
                         version = version + 1, updated_at = $5::timestamptz
        where workspace_id = $1 and id in ($3, $4)`,
    },
    [workspace.id, id, source.id, target.id, now, blocks, source.project_id, target.project_id],
  );
}
