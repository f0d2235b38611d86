import type { InIssue } from "../../access/identity/issue-row.ts";
import { newId } from "../../kernel/ids.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Commit } from "./payload.ts";
import type { CommitRefView, Provider } from "./view.ts";

const columns = `
  id, repo, sha, message, url, author, committed_at, branch, pull_request_url, provider, created_at`;

/** Commits that name an issue, newest first. */
export function listCommits({ db, workspace, issue }: InIssue, after: Cursor | null, limit: number) {
  return db.query<CommitRefView>(
    {
      name: after ? "list_commits_after" : "list_commits",
      text: `
        select ${columns} from commit_ref
        where workspace_id = $1 and issue_id = $2 ${after ? "and id < $4::uuid" : ""} order by id desc limit $3`,
    },
    [workspace.id, issue.id, limit, ...(after ?? [])],
  );
}

/** Returns the keys of the workspace's projects that are not archived. */
export async function readProjectKeys(db: Db, workspaceId: string): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>(
    { name: "project_keys", text: "select key from project where workspace_id = $1 and archived_at is null" },
    [workspaceId],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Returns issues by key, if neither they nor their project are archived. */
export function findIssues(
  db: Db,
  workspaceId: string,
  keys: { key: string; number: number }[],
): Promise<{ id: string; project_id: string; key: string }[]> {
  return db.query(
    {
      text: `
        select i.id, i.project_id, i.key from unnest($2::text[], $3::int[]) as w(key, number)
        join project p on p.workspace_id = $1 and p.key = w.key and p.archived_at is null
        join issue i on i.project_id = p.id and i.number = w.number and i.archived_at is null`,
    },
    [workspaceId, keys.map(({ key }) => key), keys.map(({ number }) => number)],
  );
}

export type Link = { issue_id: string; project_id: string; commit: Commit };

/**
 * Stores which issues the commits name, and returns the new links. Forges may send a commit twice; a known commit only
 * gets its pull request added.
 */
export async function insertLinks(
  db: Db,
  workspaceId: string,
  provider: Provider,
  links: Link[],
  now: string,
): Promise<{ issue_id: string; sha: string }[]> {
  // Sorted, so that two deliveries of the same push cannot deadlock.
  const ordered = links.map(({ commit: { text: _, ...commit }, ...at }) => ({ id: newId(), ...at, ...commit }));
  return db.query(
    {
      text: `
        with item as (
          select * from jsonb_to_recordset($4::jsonb) as t(
            id uuid, project_id uuid, issue_id uuid, repo text, sha text, message text, url text, author text,
            committed_at timestamptz, branch text, pull_request_url text)),
        written as (
          insert into commit_ref as c (workspace_id, provider, created_at, id, project_id, issue_id, repo, sha, message,
                                       url, author, committed_at, branch, pull_request_url)
          select $1::uuid, $2::text, $3::timestamptz, id, project_id, issue_id, repo, sha, message, url, author,
                 committed_at, branch, pull_request_url
          from item order by issue_id, sha
          on conflict (issue_id, sha) do update set pull_request_url = excluded.pull_request_url
          where excluded.pull_request_url is not null and c.pull_request_url is distinct from excluded.pull_request_url
          returning id, issue_id, sha)
        select written.issue_id, written.sha from written join item using (id) order by written.id`,
    },
    [workspaceId, provider, now, JSON.stringify(ordered)],
  );
}
