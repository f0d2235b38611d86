import { excessScopes } from "../../domain/access/identity/scopes.ts";
import { hostOf, isLoopback } from "../../domain/access/oauth/redirects.ts";
import {
  choosableScopes,
  kindOfScope,
  linesOfScope,
  type ScopeKind,
  shortScope,
} from "../../domain/access/oauth/scopes.ts";
import type { Visitor } from "../../domain/access/sign-in/sessions.ts";
import { type Html, html } from "../../domain/kernel/html.ts";
import { day, notice } from "../pages/site/layout.ts";
import type { PageAnswer } from "../pages/site/site.ts";

/** A program's authorization request. */
export type AuthorizationRequest = {
  clientId: string;
  name: string;
  redirectUri: string;
  /** Address of the program's metadata document. Null if it registered here. */
  publishedAt: string | null;
  /** Slug of the workspace that it named when it registered or, if it is an app, belongs to. */
  preferredWorkspace: string | null;
  /** Whether an admin created it for one workspace. No other workspace can approve it. */
  isApp: boolean;
  scopes: string[];
};

type View = AuthorizationRequest & {
  visitor: Visitor;
  path: string;
  /** Slug of the chosen workspace. Empty if none is chosen yet. */
  workspace: string;
  problem?: Html | undefined;
  /** When the approval ends by itself. */
  until: string;
};

type Workspace = Visitor["workspaces"][number];

export function consentView(view: View): PageAnswer {
  const { name, problem } = view;
  const workspaces = choosable(view);
  const workspace =
    workspaces.find(({ slug }) => slug === view.workspace) ??
    workspaces.find(({ slug }) => slug === view.preferredWorkspace) ??
    workspaces[0];
  const body = html`<div class="question">
    <h1>Connect ${name}?</h1>
    ${problem ?? ""}
    <p>A program that calls itself <strong>${name}</strong> wants to work in a workspace of yours, as an agent of its own.
      ${view.isApp && workspace ? html`An admin of <strong>${workspace.name}</strong> added it there.` : "Muster has not verified its identity."}</p>
    ${facts(view)}
    ${workspace ? question(view, workspace, workspaces) : nowhere(view)}
  </div>`;
  return { title: `Connect ${name}`, body };
}

/** An agent sees what a member sees, which is more than a guest does. */
const choosable = ({ visitor, isApp, preferredWorkspace }: View): Workspace[] =>
  visitor.workspaces.filter(({ role, slug }) => role !== "guest" && (!isApp || slug === preferredWorkspace));

function facts({ visitor, redirectUri, publishedAt }: View): Html {
  return html`<dl class="facts">
    <dt>You are</dt><dd>${visitor.user.name ?? ""} (${visitor.user.email})</dd>
    <dt>You will be redirected to</dt><dd><strong>${hostOf(redirectUri)}</strong></dd>
    ${publishedAt ? html`<dt>Published by</dt><dd><strong>${URL.parse(publishedAt)?.host ?? publishedAt}</strong> <span class="quiet">${publishedAt}</span></dd>` : ""}
  </dl>
  ${
    isLoopback(redirectUri)
      ? notice("info", "It runs on your computer. Continue only if you have just started it yourself.")
      : ""
  }`;
}

function question(view: View, workspace: Workspace, workspaces: Workspace[]): Html {
  const denied = new Set(excessScopes(workspace.role, choosableScopes(view.scopes)));
  return html`<h2>Workspace</h2>
    <p><strong>${workspace.name}</strong>, where you are ${workspace.role}. It sees no other workspace.</p>
    ${others(view, workspace, workspaces)}
    <form method="post" action="${view.path}">
      <input type="hidden" name="workspace" value="${workspace.slug}">
      <h2>Permissions</h2>
      ${(["read", "write", "admin"] as const).map((kind) => group(kind, view.scopes, denied))}
      <p class="quiet">It can never do more than you. This lasts until ${day(view.until)}, unless you end it: you can
        disconnect it at any time on the workspace's page Developer.</p>
      <div class="row">
        <button name="decision" value="approve">Approve</button>
        <button name="decision" value="deny" class="second">Deny</button>
      </div>
    </form>`;
}

const HEADINGS: Record<ScopeKind, string> = { read: "See", write: "Change", admin: "Money and administration" };
/** More boxes of a group than these are folded. */
const MOST_OPEN = 4;

/**
 * The boxes of one kind. A long list is folded, and its head says how many are ticked. What concerns money and
 * administration is never folded, so that nobody grants it without seeing it.
 */
function group(kind: ScopeKind, requested: readonly string[], denied: ReadonlySet<string>): Html | string {
  const scopes = choosableScopes(requested).filter((scope) => kindOfScope(scope) === kind);
  if (scopes.length === 0) return "";
  const open = kind === "admin" ? scopes.length : MOST_OPEN;
  const boxes = (some: string[]) => some.map((scope) => box(scope, denied.has(scope)));
  const folded = scopes.slice(open);
  const ticked = folded.filter((scope) => isTicked(scope, denied.has(scope))).length;
  return html`<fieldset>
      <legend>${HEADINGS[kind]}</legend>
      ${boxes(scopes.slice(0, open))}
      ${folded.length > 0 ? html`<details><summary>${folded.length} more, ${ticked} of them ticked</summary>${boxes(folded)}</details>` : ""}
    </fieldset>`;
}

/**
 * Links instead of a list, because the person's role differs between workspaces and the page must be rendered again.
 */
function others({ path }: View, workspace: Workspace, workspaces: Workspace[]): Html | string {
  if (workspaces.length < 2) return "";
  const link = ({ slug, name }: Workspace) =>
    html`<li><a href="${path}?workspace=${encodeURIComponent(slug)}">${name}</a></li>`;
  return html`<details><summary>Choose another workspace</summary><ul>${workspaces.filter((one) => one !== workspace).map(link)}</ul></details>`;
}

const UNTICKED = "Tick it only if you trust the program with the whole workspace.";

/** `admin` gives away control of the whole workspace, so the person must tick that box themselves. */
const isTicked = (scope: string, denied: boolean): boolean => !denied && scope !== "admin";

function box(scope: string, denied: boolean): Html {
  const ticked = isTicked(scope, denied);
  const state = html`${ticked ? html` checked` : ""}${denied ? html` disabled` : ""}`;
  const lines = linesOfScope(scope);
  const why = denied ? "More than your role allows." : ticked ? "" : UNTICKED;
  return html`<div class="choice"><input type="checkbox" id="scope-${scope}" name="scope" value="${scope}"${state}${why ? html` aria-describedby="why-${scope}"` : ""}>
    <div><label for="scope-${scope}">${shortScope(scope)} <code>${scope}</code></label>${
      why ? html`<p class="hint" id="why-${scope}">${why}</p>` : ""
    }${
      lines.length > 0
        ? html`<details><summary>What ${scope} includes</summary><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></details>`
        : ""
    }</div></div>`;
}

function nowhere({ path, visitor, isApp }: View): Html {
  const why = isApp
    ? "Only members of the workspace that this program belongs to can connect it. You are none, or only a guest there."
    : visitor.workspaces.length > 0
      ? "You are only a guest in your workspaces, and guests cannot connect agents."
      : "You are not in a workspace yet.";
  const create = html`<a class="button" href="/w/new?return_to=${encodeURIComponent(path)}">Create a workspace</a>`;
  return html`${notice("bad", why)}
    <form method="post" action="${path}"><div class="row">
      ${isApp ? "" : create}
      <button name="decision" value="deny" class="second">Deny</button>
    </div></form>`;
}
