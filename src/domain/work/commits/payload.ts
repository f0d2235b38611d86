import { own } from "../../kernel/own.ts";
import { singleLine } from "../../kernel/text.ts";
import { readInstant } from "../../kernel/wire.ts";
import type { Provider } from "./view.ts";

/**
 * Reads what forges send about pushes and pull requests into one format. Anybody who knows the secret can send
 * anything. So each member's type is checked, texts are cut, and invalid members are left out.
 */

export type Commit = {
  repo: string;
  sha: string;
  message: string;
  url: string;
  author: string | null;
  committed_at: string | null;
  branch: string | null;
  pull_request_url: string | null;
  /** The text that is searched for issue keys. */
  text: string;
};

/** More commits than a forge puts into one message. */
const MAX_COMMITS = 2_048;
const MAX_MESSAGE = 2_000;
const MAX_TEXT = 64_000;

/** Returns the commits in a payload; none for events about something else. */
export function commitsIn(provider: Provider, event: string, payload: unknown): Commit[] {
  if (provider === "github" && event === "pull_request") return pullRequest(payload);
  if (provider === "gitlab" && event === "Merge Request Hook") return mergeRequest(payload);
  if (provider === "github" && event !== "push") return [];
  if (provider === "gitlab" && event !== "Push Hook") return [];
  return push(payload);
}

export type PushedTag = { repo: string; tag: string };

/** Returns the tag that was pushed; null for other events and for a deleted tag. */
export function pushedTag(event: string, payload: unknown): PushedTag | null {
  if (event !== "push" && event !== "Tag Push Hook") return null;
  const [, tag] = /^refs\/tags\/(.+)$/.exec(text(payload, "ref", 300) ?? "") ?? [];
  const isDeleted = member(payload, "deleted") === true || /^0+$/.test(text(payload, "after", 100) ?? "");
  return tag === undefined || isDeleted ? null : { repo: repoOf(payload), tag };
}

/** Reads pushes of GitHub, of GitLab and of other senders. Their fields have similar names. */
function push(payload: unknown): Commit[] {
  const repo = repoOf(payload);
  const ref = name(payload, "ref", 300) ?? name(payload, "branch", 300);
  // A pushed tag may contain commits too, but it is not a branch.
  const branch = ref === null || ref.startsWith("refs/tags/") ? null : ref.replace(/^refs\/heads\//, "");
  const commits = member(payload, "commits");
  return (Array.isArray(commits) ? commits.slice(0, MAX_COMMITS) : []).flatMap((commit) => {
    const sha = shaOf(text(commit, "id", 100) ?? text(commit, "sha", 100));
    if (!sha) return [];
    const author = name(member(commit, "author"), "name", 200) ?? name(commit, "author", 200);
    const message = text(commit, "message", MAX_TEXT) ?? "";
    return {
      repo,
      sha,
      message: cut(message, MAX_MESSAGE),
      url: address(text(commit, "url", 2_000)) ?? "",
      author,
      committed_at: instant(text(commit, "timestamp", 50) ?? text(commit, "committed_at", 50)),
      branch,
      pull_request_url: null,
      text: message,
    };
  });
}

/** A pull request is stored as its newest commit. */
function pullRequest(payload: unknown): Commit[] {
  const request = member(payload, "pull_request");
  const head = member(request, "head");
  const sha = shaOf(text(head, "sha", 100));
  if (!sha) return [];
  const title = text(request, "title", MAX_MESSAGE) ?? "";
  const url = address(text(request, "html_url", 2_000));
  const branch = name(head, "ref", 300);
  return [
    {
      repo: repoOf(payload),
      sha,
      message: title,
      url: url ?? "",
      author: name(member(request, "user"), "login", 200),
      committed_at: null,
      branch,
      pull_request_url: url,
      text: textOf(title, branch, text(request, "body", MAX_TEXT)),
    },
  ];
}

function mergeRequest(payload: unknown): Commit[] {
  const request = member(payload, "object_attributes");
  const commit = member(request, "last_commit");
  const sha = shaOf(text(commit, "id", 100));
  if (!sha) return [];
  const title = text(request, "title", MAX_MESSAGE) ?? "";
  const url = address(text(request, "url", 2_000));
  const branch = name(request, "source_branch", 300);
  return [
    {
      repo: repoOf(payload),
      sha,
      message: cut(text(commit, "message", MAX_TEXT) ?? title, MAX_MESSAGE),
      url: address(text(commit, "url", 2_000)) ?? url ?? "",
      author: name(member(commit, "author"), "name", 200),
      committed_at: instant(text(commit, "timestamp", 50)),
      branch,
      pull_request_url: url,
      text: textOf(title, branch, text(request, "description", MAX_TEXT)),
    },
  ];
}

/** The searched text of a pull request. Branch names may separate words by `_`: `ann/web-12_login`. */
const textOf = (title: string, branch: string | null, body: string | null): string =>
  [title, branch?.replaceAll("_", " "), body].join("\n");

function repoOf(payload: unknown): string {
  const repository = member(payload, "repository");
  return (
    name(member(payload, "project"), "path_with_namespace", 200) ??
    name(repository, "full_name", 200) ??
    name(repository, "name", 200) ??
    name(payload, "repository", 200) ??
    ""
  );
}

// Also matches within URLs and branch names, which merge commits contain: `feature/web-12-login`.
const KEY = /(?<!\w)([A-Z][A-Z0-9]{0,9})-([1-9]\d{0,8})(?!\w)/gi;
const MAX_KEYS = 20;

/**
 * Returns the issues that a text names as `KEY-N` or `#KEY-N`, in any case. `projectKeys` are the workspace's, so that
 * words such as `utf-8` and `sha-256` neither link nor use up the maximum.
 */
export function issuesNamed(written: string, projectKeys: ReadonlySet<string>): { key: string; number: number }[] {
  const named = new Map<string, { key: string; number: number }>();
  for (const [, word, number] of written.matchAll(KEY)) {
    if (named.size === MAX_KEYS) break;
    const key = word!.toUpperCase();
    if (projectKeys.has(key)) named.set(`${key}-${number}`, { key, number: Number(number) });
  }
  return [...named.values()];
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? own(value as Record<string, unknown>, name) : undefined;
}

/** Returns a member's text, cut to `max` characters and valid for Postgres; null if none. */
function text(value: unknown, name: string, max: number): string | null {
  const found = member(value, name);
  return typeof found === "string" && found !== "" ? cut(found, max) : null;
}

/** As `text`, on one line. */
const name = (value: unknown, member: string, max: number): string | null =>
  singleLine(text(value, member, max) ?? "") || null;

const cut = (value: string, max: number) => value.slice(0, max).replaceAll("\0", "").toWellFormed();

const shaOf = (value: string | null) => (value && /^[0-9a-f]{7,64}$/i.test(value) ? value.toLowerCase() : null);
const address = (value: string | null) => (value && /^https?:\/\/\S+$/i.test(value) ? value : null);
const instant = (value: string | null) => (value === null ? null : readInstant(value));
