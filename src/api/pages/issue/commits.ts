import { type Html, html } from "../../../domain/kernel/html.ts";
import type { CommitRefView } from "../../../domain/work/commits/view.ts";
import { ago } from "../kit/times.ts";
import type { About } from "./page.ts";

/** Commits and pull requests that name the issue. */
export function commitsPart({ commits, call }: About): Html | string {
  if (commits.length === 0) return "";
  const { now } = call.here;
  return html`<section id="commits" aria-labelledby="commits-title"><h2 id="commits-title">Commits</h2>
    <ul class="lines">${commits.map((one) => line(one, now))}</ul></section>`;
}

function line(
  { message, url, sha, author, branch, repo, pull_request_url, committed_at, created_at }: CommitRefView,
  now: string,
): Html {
  const facts = [author, repo, branch].filter(Boolean).join(" · ");
  return html`<li class="issue-line"><a class="issue-title" dir="auto" href="${url}" rel="noopener">${message.split("\n", 1)[0] ?? ""}</a>
    <code>${sha.slice(0, 8)}</code>${pull_request_url === null ? "" : html` <a href="${pull_request_url}" rel="noopener">Pull request</a>`}
    <span class="quiet">${facts} ${ago(committed_at ?? created_at, now)}</span></li>`;
}
