import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin, type Role } from "../../../domain/kernel/roles.ts";

/** The ways through a workspace: a column beside the page, or a menu on a narrow screen. */

export type Here = { slug: string; name: string; role: Role | null };

/** `admins`: only they can open it. `members`: guests see nothing there. */
type Entry = readonly [path: string, label: string, audience?: "admins" | "members"];

/** Paths below the workspace. The first group is the work, the second what it runs on. */
const GROUPS: readonly (readonly [name: string, entries: readonly Entry[]])[] = [
  [
    "Work",
    [
      ["", "Home"],
      ["/inbox", "Inbox"],
      ["/projects", "Projects"],
      ["/docs", "Docs"],
      ["/goals", "Goals", "members"],
      ["/chat", "Chat"],
      ["/agents", "Agents", "members"],
    ],
  ],
  [
    "Workspace",
    [
      ["/automations", "Automations", "members"],
      ["/workflows", "Workflows", "members"],
      ["/members", "Members"],
      ["/developer", "Developer"],
      ["/webhooks", "Webhooks", "admins"],
      ["/audit", "Audit", "admins"],
      ["/billing", "Billing", "members"],
      ["/settings", "Settings"],
    ],
  ],
];

export function navigation({ slug, name, role }: Here, path: string, unread = 0): Html {
  const base = `/w/${slug}`;
  const entry = ([below, label]: Entry) =>
    html`<li><a href="${base}${below}"${current(path, `${base}${below}`, below === "")}>${label}${below === "/inbox" ? unreadMark(unread) : ""}</a></li>`;
  return html`<nav class="side" id="side" popover aria-label="${name}">
    ${GROUPS.map(([label, entries]) => html`<p class="label">${label}</p><ul>${entries.filter(([, , audience]) => isFor(audience, role)).map(entry)}</ul>`)}
  </nav>`;
}

/** The script that keeps pages current replaces it. */
const unreadMark = (unread: number): Html =>
  html` <span id="unread">${unread === 0 ? "" : html`<span class="count">${unread >= MOST_UNREAD ? `${MOST_UNREAD - 1}+` : unread}<span class="out"> unread</span></span>`}</span>`;

/** No more are counted. */
export const MOST_UNREAD = 10;

function isFor(audience: Entry[2], role: Role | null): boolean {
  if (audience === "admins") return isAdmin(role);
  return audience === undefined || role !== "guest";
}

/** A page below another one belongs to it. */
function current(path: string, to: string, exactly: boolean): Html | string {
  if (path === to) return html` aria-current="page"`;
  const below = [to, ...(to.endsWith("/projects") ? [to.replace(/projects$/, "p")] : [])];
  return !exactly && below.some((one) => path.startsWith(`${one}/`)) ? html` aria-current="true"` : "";
}

/**
 * The menu of the account. It is a popover: the browser itself closes it on Escape and on a click beside it, and takes
 * the focus back to the button. In browsers without popovers the menu is always open, below the header.
 */
export function account({ user, workspaces }: Visitor, here: Here | undefined): Html {
  const others = workspaces.filter((workspace) => workspace.slug !== here?.slug);
  return html`<div class="account">
    <button class="who" popovertarget="account-menu">${user.name ?? user.email}</button>
    <div class="menu" id="account-menu" popover>
      <p class="quiet">${user.email}</p>
      ${others.length > 0 ? html`<p class="label">Switch to</p><ul>${others.slice(0, 20).map(({ slug, name }) => html`<li><a href="/w/${slug}">${name}</a></li>`)}</ul>` : ""}
      <ul>
        <li><a href="/account">Your account</a></li>
        <li><a href="/account#sessions">Your sessions</a></li>
        <li><a href="/w">All workspaces</a></li>
        <li><a href="/w/new">New workspace</a></li>
      </ul>
      <form method="post" action="/sign-out"><button class="plain">Sign out</button></form>
    </div>
  </div>`;
}

/** The box of the search, in the header. */
export const searchBox = ({ slug }: Here): Html => html`<search>
  <form action="/w/${slug}/search"><input type="search" name="q" aria-label="Search this workspace" placeholder="Search" maxlength="200"></form>
</search>`;
