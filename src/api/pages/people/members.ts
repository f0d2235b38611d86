import { type Html, html } from "../../../domain/html.ts";
import { isAdmin } from "../../../domain/identity/scopes.ts";
import type { InviteView } from "../../../domain/people/invite-view.ts";
import type { ProjectView } from "../../../domain/projects/view.ts";
import type { MemberView } from "../../../domain/workspaces/member-view.ts";
import { leave } from "../../../domain/workspaces/removal.ts";
import { notice } from "./layout.ts";
import { inviteForm, leaveCard, memberTable, pendingTable } from "./member-tables.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "./site.ts";

/** Who works in a workspace; for admins also the invites that wait, and the forms that change all this. */

type List<T> = { data: T[]; pagination: { next_cursor: string | null } };

export function memberPages(site: Site): void {
  const path = "/w/:slug/members";
  site.workspace("get", path, (call) => show(site, call));

  const act = (place: string, done: string, change: (call: WorkspaceCall) => Promise<unknown>) =>
    site.workspace("post", place, async (call) => {
      try {
        await change(call);
        return { to: `/w/${call.here.workspace.slug}/members?done=${done}` };
      } catch (error) {
        const refusal = refusalOf(error);
        return { ...(await show(site, call, problemBox(refusal))), status: refusal.status };
      }
    });
  const params = ({ params }: WorkspaceCall) => ({ userId: params.userId ?? "" });

  act(`${path}/:userId/role`, "role", (call) =>
    site.perform(call, "members.patch", { params: params(call), body: { role: call.form.text("role") } }),
  );
  act(`${path}/:userId/remove`, "removed", (call) => site.perform(call, "members.delete", { params: params(call) }));
  act(`${path}/:userId/owner`, "owner", (call) =>
    site.perform(call, "members.transfer-ownership", { body: { user_id: params(call).userId } }),
  );
  act(`/w/:slug/invites`, "invited", (call) => site.perform(call, "invites.create", { body: inviteOf(call) }));
  act(`/w/:slug/invites/:id/revoke`, "revoked", (call) =>
    site.perform(call, "invites.delete", { params: { id: call.params.id ?? "" } }),
  );

  site.workspace("post", "/w/:slug/leave", async (call): Promise<PageAnswer> => {
    try {
      await site.write(call.here, leave);
      return { to: "/w" };
    } catch (error) {
      const refusal = refusalOf(error);
      return { ...(await show(site, call, problemBox(refusal))), status: refusal.status };
    }
  });
}

function inviteOf({ form }: WorkspaceCall) {
  const role = form.text("role");
  const message = form.text("message").replaceAll("\r\n", "\n");
  // Other roles have no use for the boxes, which are there for all as the page has no script to hide them.
  return { email: form.text("email"), role, message, project_ids: role === "guest" ? form.all("project") : [] };
}

const DONE: Record<string, string> = {
  role: "The role is changed, and holds from now on.",
  removed: "They are no longer in the workspace. Their keys have ended.",
  owner: "The workspace has a new owner; you are an admin now.",
  invited: "The invite is on its way.",
  revoked: "The invite is revoked; its link opens nothing any more.",
};

/** The page, with a box about what was just done above it. */
async function show(site: Site, call: WorkspaceCall, told?: Html): Promise<Exclude<PageAnswer, { to: string }>> {
  const { here, query } = call;
  const base = `/w/${here.workspace.slug}`;
  const members = await page<MemberView>(site, call, "members.list", "members");
  const done = DONE[query("done")];
  return {
    title: "Members",
    body: html`<h1>Members</h1>
      ${told ?? (done ? notice("good", done) : "")}
      ${memberTable(members.data, here.caller, base)}
      ${more(members, `${base}/members?members=`, "More members")}
      ${isAdmin(here.caller.role) ? await forAdmins(site, call, base) : ""}
      ${leaveCard(here.workspace.name, base)}`,
  };
}

async function forAdmins(site: Site, call: WorkspaceCall, base: string): Promise<Html> {
  const invites = await page<InviteView>(site, call, "invites.list", "invites");
  const projects = await site.perform<List<ProjectView>>(call, "projects.list", { query: { limit: "100" } });
  // What was refused is shown again, to be mended.
  const sent = { email: call.form.text("email"), role: call.form.text("role"), message: call.form.text("message") };
  return html`${pendingTable(invites.data, projects.data, base)}
    ${more(invites, `${base}/members?invites=`, "More invites")}
    ${inviteForm(projects.data, { ...sent, projects: call.form.all("project") }, base)}`;
}

function page<T>(site: Site, call: WorkspaceCall, operation: string, parameter: string): Promise<List<T>> {
  const { query } = call;
  return site.perform<List<T>>(call, operation, { query: { limit: "50", cursor: query(parameter) } });
}

const more = <T>({ pagination: { next_cursor } }: List<T>, to: string, label: string): Html =>
  next_cursor ? html`<p><a href="${to}${next_cursor}" rel="next">${label}</a></p>` : html``;
