import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Background } from "../../events/background.ts";
import { writeRecorded } from "../../events/events.sql.ts";
import { recordChange } from "../../events/record.ts";
import { unitOfWork } from "../../events/unit-of-work.ts";
import type { Writing } from "../../kernel/context.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { issueUpdated } from "../issues/events.ts";
import { readIssues } from "../issues/of-projects.sql.ts";
import { labelsOf, viewOf } from "../issues/view.ts";
import { lockIssues } from "../mass-changes/settle.ts";
import { findIssues, insertLinks, type Link, listCommits, readProjectKeys } from "./commits.sql.ts";
import { markUsed } from "./hook.sql.ts";
import { type Commit, issuesNamed, type PushedTag } from "./payload.ts";
import { releaseTagged } from "./tags.ts";
import type { Provider } from "./view.ts";

/** Commits that forges report: which issues they name, and which releases are out. */

/** Returns a page of an issue's commits, most recently reported first. */
export async function listPage(ctx: InIssue, paging: Paging) {
  const rows = await listCommits(ctx, paging.after, paging.limit + 1);
  return pageOf(rows, paging, (row) => [row.id]);
}

/** Maximum number of links from one message. */
const MAX_LINKS = 2_000;
/** Number of issues that are read and recorded at a time. One may contain 64 kB of text. */
const BATCH_SIZE = 200;

export type Message = { commits: Commit[]; tag: PushedTag | null };

/**
 * Links commits to the issues that their texts name, and releases the releases that a tag names. Returns how many links
 * and releases are new. Running it again changes nothing.
 */
export async function processMessage(
  ctx: Background,
  workspace: Workspace,
  provider: Provider,
  { commits, tag }: Message,
): Promise<{ linked: number; released: number }> {
  const sender = { ...ctx, workspace, actor: { id: null, kind: "integration" as const, name: provider } };
  const { database, entities } = ctx;
  const named = await namesIn(ctx, workspace, commits);
  return unitOfWork(sender, { database, entities, workspaceId: workspace.id }, async (tx) => {
    await markUsed(tx.db, workspace.id, tx.now);
    // Boards come before issues.
    const released = tag ? await releaseTagged(tx, tag) : 0;
    const links = await liveOnes(tx, await linksOf(tx, named));
    const added = links.length === 0 ? [] : await insertLinks(tx.db, workspace.id, provider, links, tx.now);
    await recordLinks(tx, links, added);
    return { linked: added.length, released };
  });
}

type InHook = Writing & { workspace: Workspace };

type Named = { key: string; number: number; commit: Commit };

/** Characters of text that are searched before other calls may run. */
const SEARCH_LENGTH = 256 * 1024;

/** Returns the issues that the commits name, up to the maximum number of links. */
async function namesIn({ log, db }: Background, workspace: Workspace, commits: Commit[]): Promise<Named[]> {
  const projectKeys = commits.length === 0 ? new Set<string>() : await readProjectKeys(db, workspace.id);
  const all: Named[] = [];
  let searched = 0;
  for (const commit of commits) {
    for (const issue of issuesNamed(commit.text, projectKeys)) all.push({ ...issue, commit });
    searched += commit.text.length;
    if (searched < SEARCH_LENGTH) continue;
    searched = 0;
    await letOthersRun();
  }
  const wanted = all.slice(0, MAX_LINKS);
  if (all.length > wanted.length) {
    const left = all.length - wanted.length;
    const sentence = `${left} of ${all.length} references to issues in one message are ignored`;
    log.warn({ workspace_id: workspace.id, named: all.length, left }, sentence);
  }
  return wanted;
}

async function linksOf({ db, workspace }: InHook, wanted: Named[]): Promise<Link[]> {
  const keys = new Map(wanted.map(({ key, number }) => [`${key}-${number}`, { key, number }]));
  const issues = keys.size === 0 ? [] : await findIssues(db, workspace.id, [...keys.values()]);
  const byKey = new Map(issues.map((issue) => [issue.key, issue]));
  const links = new Map<string, Link>();
  for (const { key, number, commit } of wanted) {
    const issue = byKey.get(`${key}-${number}`);
    // One statement cannot store the same commit twice.
    if (issue) links.set(`${issue.id} ${commit.sha}`, { issue_id: issue.id, project_id: issue.project_id, commit });
  }
  return [...links.values()];
}

/** Locks the issues, and leaves out the issues that were archived meanwhile. */
async function liveOnes(ctx: InHook, links: Link[]): Promise<Link[]> {
  if (links.length === 0) return links;
  const ids = [...new Set(links.map(({ issue_id }) => issue_id))];
  const live = new Set((await lockIssues(ctx, ids)).flatMap(({ id, archived_at }) => (archived_at ? [] : id)));
  return links.filter(({ issue_id }) => live.has(issue_id));
}

/** Records one `issue.updated` per issue, with a line of history for each commit. The issue itself does not change. */
async function recordLinks(ctx: InHook, links: Link[], added: { issue_id: string; sha: string }[]) {
  const isNew = new Set(added.map(({ issue_id, sha }) => `${issue_id} ${sha}`));
  const fresh = Map.groupBy(
    links.filter(({ issue_id, commit }) => isNew.has(`${issue_id} ${commit.sha}`)),
    ({ issue_id }) => issue_id,
  );
  const ids = [...fresh.keys()];
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const issues = await readIssues(ctx, ids.slice(from, from + BATCH_SIZE));
    for (const { project_key: key, project_slug: slug, ...issue } of issues) {
      const place = { ...ctx, project: { id: issue.project_id, key, slug } };
      recordChange(place, issueUpdated, {}, viewOf(place, issue, labelsOf(issue)), {
        issue_id: issue.id,
        unseen: ["commits"],
        activity: fresh.get(issue.id)!.map(({ commit }) => ({ kind: "commit_linked", payload: lineOf(commit) })),
      });
    }
    // Each batch is stored at once, so that memory never contains more than one.
    await writeRecorded(ctx, ctx.recorded.splice(0));
  }
}

const lineOf = ({ repo, sha, message, url, author, pull_request_url }: Commit) => ({
  repo,
  sha,
  message: message.split("\n", 1)[0],
  url,
  author,
  pull_request_url,
});
