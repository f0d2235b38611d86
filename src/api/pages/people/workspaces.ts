import { html } from "../../../domain/kernel/html.ts";
import type { Site } from "../site/site.ts";

/** The start page of a workspace. */
export function workspacePages(site: Site): void {
  site.workspace("get", "/w/:slug", async ({ here }) => ({
    title: here.workspace.name,
    body: html`<h1>${here.workspace.name}</h1>
      <p class="quiet">Your role here is ${here.principal.role ?? "nobody"}. The plan is ${here.workspace.plan}.</p>
      <p>Boards and issues have no page here. You reach them through <a href="/docs">the API</a> with a token from
        Developer, or through an agent that you connect; <a href="/auth.md">auth.md</a> says how it does that.</p>
      <ul class="cards">
        <li><a href="/w/${here.workspace.slug}/members"><h2>Members</h2><p>People in this workspace and pending invites.</p></a></li>
        <li><a href="/w/${here.workspace.slug}/developer"><h2>Developer</h2><p>Your tokens, connected agents, and keys of the workspace.</p></a></li>
        <li><a href="/w/${here.workspace.slug}/billing"><h2>Billing</h2><p>AI credits: balance, history and purchases.</p></a></li>
      </ul>`,
  }));
}
