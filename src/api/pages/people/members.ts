import type { InWorkspace } from "../../../domain/kernel/context.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import { leave } from "../../../domain/member-removal.ts";
import type { InviteView } from "../../../domain/tenancy/invites/invite-view.ts";
import type { MemberView } from "../../../domain/tenancy/workspaces/member-view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { empty, pager } from "../kit/pieces.ts";
import { notice } from "../site/layout.ts";
import type { List } from "../site/perform.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { inviteForm, leaveForm, memberTable, pendingTable } from "./member-tables.ts";

/** The members of a workspace. For admins also pending invites and the forms that change them. */

export function memberPages(site: Site): void {
  const path = "/w/:slug/members";
  site.workspace("get", path, (call) => show(site, call));

  const act = (path: string, done: string, change: (call: WorkspaceCall) => Promise<unknown>) =>
    site.workspace("post", path, async (call) => {
      try {
        await change(call);
        const waits = done === "invited" && !call.here.settings.people.mail;
        const how = done === "invited" && seesNothing(call) ? "unseen" : waits ? "written" : done;
        return { to: `/w/${call.here.workspace.slug}/members?done=${how}` };
      } catch (error) {
        return show(site, call, refusalOf(error));
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
      return { to: "/w", said: `You have left ${call.here.workspace.name}.` };
    } catch (error) {
      return show(site, call, refusalOf(error));
    }
  });
}

const seesNothing = ({ form }: WorkspaceCall) => form.text("role") === "guest" && form.all("project").length === 0;

function inviteOf({ form }: WorkspaceCall) {
  const role = form.text("role");
  const message = form.text("message");
  // Other roles ignore the boxes. The page has no script to hide them.
  return { email: form.text("email"), role, message, project_ids: role === "guest" ? form.all("project") : [] };
}

const DONE: Record<string, string> = {
  role: "The role was changed.",
  removed: "They are no longer in the workspace. Their keys were revoked.",
  owner: "The workspace has a new owner; you are an admin now.",
  invited: "The invite is on its way. They also see it here when they sign in with that address.",
  unseen:
    "The invite is made. You chose no project, so this guest sees nothing at first: add them to one in its settings, under Members, once they have accepted, or invite the same address again with a project.",
  written: "The invite was created. It is sent once a mail server is set.",
  revoked: "The invite was revoked. Its link no longer works.",
};

const MAIL_IS_OFF = notice(
  "info",
  "Mail is off: this installation has no mail server. Invites can be created and are sent once its operator sets SMTP_URL.",
);

/** The page, with a message about the last action. */
async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { here, query } = call;
  const base = `/w/${here.workspace.slug}`;
  const [members, { data: projects }] = await Promise.all([
    page<MemberView>(site, call, "members.list", "members", { sort: "name", ...wantedPeople(query("q")) }),
    site.list<ProjectView>(call, "projects.list", { query: { limit: "100" } }),
  ]);
  const done = own(DONE, query("done"));
  const q = query("q");
  const first = q === "" ? `${base}/members` : `${base}/members?${new URLSearchParams({ q })}`;
  return {
    title: "Members",
    seen: { kinds: "invite_accepted" },
    status: refusal?.status ?? 200,
    body: html`<h1>Members</h1>
      ${refusal ? problemBox(refusal) : done ? notice("good", done) : ""}
      ${isAdmin(here.principal.role) && !here.settings.people.mail ? MAIL_IS_OFF : ""}
      <form action="${base}/members" class="search-form"><div class="field"><label for="q">Find people</label>
        <div class="row"><input id="q" name="q" type="search" maxlength="200" value="${q}"><button>Find</button></div></div></form>
      ${q === "" ? "" : html`<p><a href="${base}/members">Show all members</a></p>`}
      ${members.data.length === 0 ? empty("Nobody found", "No member has this name or address.") : memberTable(members.data, { principal: here.principal, base, now: here.now, projects, soleOwner: q === "" && isSoleOwner(here, members, query("members")) })}
      ${pager(members.next === null ? null : `${first}${q === "" ? "?" : "&"}members=${members.next}`, { first, isFirst: query("members") === "", what: "members" })}
      ${isAdmin(here.principal.role) ? await forAdmins(site, call, projects, refusal) : ""}
      ${leaveForm(here.workspace.name, base)}`,
  };
}

async function forAdmins(site: Site, call: WorkspaceCall, projects: ProjectView[], refusal?: Refusal): Promise<Html> {
  const base = `/w/${call.here.workspace.slug}`;
  const invites = await page<InviteView>(site, call, "invites.list", "invites");
  // Shows a rejected form again, for correction.
  const sent = { email: call.form.text("email"), role: call.form.text("role"), message: call.form.text("message") };
  return html`${pendingTable(invites.data, projects, base)}
    ${pager(invites.next === null ? null : `${base}/members?invites=${invites.next}`, { first: `${base}/members#pending`, isFirst: call.query("invites") === "", what: "invites" })}
    ${inviteForm(projects, { ...sent, projects: call.form.all("project"), refusal }, base)}`;
}

function page<T>(
  site: Site,
  call: WorkspaceCall,
  operation: string,
  parameter: string,
  filter: Record<string, string> = {},
): Promise<List<T>> {
  return site.list<T>(call, operation, { query: { ...filter, limit: "50", cursor: call.query(parameter) } });
}

/** The filter of members for a text in the search box: a name or an address. */
function wantedPeople(text: string): Record<string, string> {
  const q = text.trim().slice(0, 200);
  return q === "" ? {} : q.includes("@") ? { email: q } : { q };
}

/** Uses only the page's rows, if they are all rows. If in doubt, the form is shown, and its error explains. */
function isSoleOwner({ principal }: InWorkspace, { data, next }: List<MemberView>, at: string): boolean {
  if (principal.role !== "owner" || at !== "" || next) return false;
  return !data.some(
    ({ role, status, user_id }) => role === "owner" && status === "active" && user_id !== principal.user_id,
  );
}
