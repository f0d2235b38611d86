import type { InWorkspace } from "../../../domain/kernel/context.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { type NewHook, read } from "../../../domain/work/commits/hook.ts";
import { askFirst } from "../site/confirm.ts";
import { instant, notice } from "../site/layout.ts";

/** The developer page's section about commits: the hook that forges report to. For admins. */
export async function commitHookSection(here: InWorkspace, base: string): Promise<Html> {
  const hook = await read(here);
  const state = hook
    ? html`<p>Created ${instant(hook.created_at)} by ${hook.created_by_name ?? "someone"}; last used: ${instant(hook.last_used_at)}</p>`
    : html`<p>There is no hook yet.</p>`;
  return html`<section class="card" aria-labelledby="commits">
    <h2 id="commits">Commits</h2>
    <p class="quiet">GitHub, GitLab and others can report pushes and pull requests here. Commits and pull requests that mention an issue, such as WEB-12, are shown on it.</p>
    ${state}
    ${hook ? changes(base) : html`<form method="post" action="${base}/commit-hook"><button>Create a hook</button></form>`}
  </section>`;
}

const changes = (base: string): Html =>
  html`${askFirst({
    ask: "Replace",
    action: `${base}/commit-hook`,
    consequence:
      "The hook gets a new address and a new secret. The old ones stop working at once, so change them at every forge that reports here.",
    confirm: "Replace the hook",
  })}${askFirst({
    ask: "Remove",
    action: `${base}/commit-hook/remove`,
    consequence: "Messages to it will be rejected. Existing links stay.",
    confirm: "Remove the hook",
  })}`;

/** Shows address and secret once. */
export const commitHookBox = ({ url, secret, replaced }: NewHook): Html =>
  notice(
    "good",
    html`<p>The hook is ${replaced ? "replaced: the old address and secret no longer work" : "created"}. Copy both values now: they are not shown again.</p>
      <p>Payload URL</p><code class="secret">${url}</code><p>Secret (GitLab: secret token)</p><code class="secret">${secret}</code>
      <p>Send pushes and pull requests as <code>application/json</code>.</p>`,
  );
