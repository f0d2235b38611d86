import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { Principal } from "../../../domain/kernel/principal.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { InviteView } from "../../../domain/tenancy/invites/invite-view.ts";
import type { MemberView } from "../../../domain/tenancy/workspaces/member-view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { ago } from "../kit/times.ts";
import { longest } from "../longest.ts";
import { askFirst } from "../site/confirm.ts";
import { fieldState } from "../site/field-state.ts";
import { instant } from "../site/layout.ts";

/** Tables of members and invites. */

/** @param here.soleOwner whether the caller is the only owner, who can only transfer ownership */
export function memberTable(
  members: MemberView[],
  here: { principal: Principal; base: string; soleOwner: boolean; now: string; projects: readonly ProjectView[] },
): Html {
  const { principal } = here;
  const rows = members.map((member) => memberRow(member, here));
  return html`<section class="card" aria-label="People">
    <table class="stack"><thead><tr><th>Person</th><th>Role</th><th>Joined</th><th>Last active</th>${isAdmin(principal.role) ? html`<th>Remove or hand over</th>` : ""}</tr></thead>
    <tbody>${rows}</tbody></table>
  </section>`;
}

function memberRow(
  member: MemberView,
  { principal, base, soleOwner, now, projects }: Parameters<typeof memberTable>[1],
): Html {
  const own = member.user_id === principal.user_id;
  const mayChange =
    isAdmin(principal.role) && !(own && soleOwner) && (member.role !== "owner" || principal.role === "owner");
  return html`<tr>
    <td data-label="Person"><strong>${nameOf(member)}</strong>${own ? html` <span class="badge">you</span>` : ""}${
      member.status === "suspended" ? html` <span class="badge bad">suspended</span>` : ""
    }<br><span class="quiet">${member.email ?? ""}</span></td>
    <td data-label="Role" class="short">${mayChange ? roleForm(member, base, own) : roleName(member)}${member.is_guest ? seenProjects(member.project_ids, projects) : ""}</td>
    <td data-label="Joined">${instant(member.joined_at)}</td>
    <td data-label="Last active">${own ? "Now" : member.last_active_at === null ? "Never" : ago(member.last_active_at, now)}</td>
    ${isAdmin(principal.role) ? html`<td>${mayChange && !own ? endings(member, principal, base) : ""}</td>` : ""}
  </tr>`;
}

const nameOf = ({ name, email }: MemberView) => name ?? email ?? "Somebody without a name";
const roleName = ({ role, is_guest }: MemberView) => ROLE_NAMES[is_guest ? "guest" : role];

const ROLE_NAMES = { owner: "Owner", admin: "Admin", member: "Member", viewer: "Viewer", guest: "Guest" };

function roleForm(member: MemberView, base: string, own: boolean): Html {
  const now = member.is_guest ? "guest" : member.role;
  // This form cannot make an owner or a guest. Without a choice the browser asks for one.
  const kept = now === "owner" || now === "guest";
  const options = (["admin", "member", "viewer"] as const).map(
    (role) => html`<option value="${role}"${role === now ? html` selected` : ""}>${ROLE_NAMES[role]}</option>`,
  );
  const action = `${base}/members/${member.user_id}/role`;
  const select = html`<select name="role" required aria-label="Role of ${nameOf(member)}">
      ${kept ? html`<option value="" selected disabled>${ROLE_NAMES[now]}</option>` : ""}${options}
    </select>`;
  if (own) {
    return html`${ROLE_NAMES[now]}${askFirst({
      ask: "Change your role",
      action,
      consequence: "With a smaller role you cannot undo this yourself.",
      fields: html`<p>${select}</p>`,
      confirm: "Change my role",
    })}`;
  }
  if (now === "guest") {
    return html`${ROLE_NAMES[now]}${askFirst({
      ask: "Change the role",
      about: `of ${nameOf(member)}`,
      action,
      consequence: `${nameOf(member)} becomes a full member, who sees all projects that are not limited to their members. To be a guest again they must be removed and invited anew.`,
      fields: html`<p>${select}</p>`,
      confirm: `Change the role of ${nameOf(member)}`,
    })}`;
  }
  return html`<form method="post" action="${action}" class="row tight">
    ${select}
    <button class="second" aria-label="Change the role of ${nameOf(member)}">Change</button>
  </form>`;
}

/** Actions on other people that cannot be undone. */
function endings(member: MemberView, principal: Principal, base: string): Html {
  const memberPath = `${base}/members/${member.user_id}`;
  const name = nameOf(member);
  const canBecomeOwner =
    principal.role === "owner" && member.role !== "owner" && !member.is_guest && member.status === "active";
  return html`${askFirst({
    ask: "Remove",
    about: name,
    action: `${memberPath}/remove`,
    consequence: `${name} loses access at once. They are unassigned from open issues, and their keys are revoked. Their content stays.`,
    confirm: `Remove ${name}`,
  })}${
    canBecomeOwner
      ? askFirst({
          ask: "Make owner",
          about: name,
          action: `${memberPath}/owner`,
          consequence: `${name} becomes the owner instead of you. You become an admin and cannot undo this yourself.`,
          confirm: `Make ${name} the owner`,
        })
      : ""
  }`;
}

/** The projects that a guest sees. */
function seenProjects(ids: readonly string[], projects: readonly ProjectView[]): Html {
  const nameOf = (id: string) => projects.find((one) => one.id === id)?.name ?? "another project";
  return html`<br><span class="quiet">${ids.length === 0 ? "in no project yet" : ids.map(nameOf).join(", ")}</span>`;
}

export function pendingTable(invites: InviteView[], projects: ProjectView[], base: string): Html {
  if (invites.length === 0) return html``;
  const rows = invites.map(
    (invite) => html`<tr>
      <td data-label="Address"><strong>${invite.email}</strong></td>
      <td data-label="Role"><span class="short">${ROLE_NAMES[invite.role]}</span>${
        invite.role === "guest" ? seenProjects(invite.project_ids, projects) : ""
      }</td>
      <td data-label="Invited by">${invite.invited_by_name ?? "someone"}</td>
      <td data-label="Until">${instant(invite.expires_at)}</td>
      <td>${askFirst({
        ask: "Revoke",
        about: `the invite for ${invite.email}`,
        action: `${base}/invites/${invite.id}/revoke`,
        consequence: "The link in the mail stops working. You can invite the same address again.",
        confirm: `Revoke the invite for ${invite.email}`,
      })}</td>
    </tr>`,
  );
  return html`<section class="card" aria-labelledby="pending">
    <h2 id="pending">Invited</h2>
    <table class="stack"><thead><tr><th>Address</th><th>Role</th><th>Invited by</th><th>Until</th><th>Revoke</th></tr></thead>
    <tbody>${rows}</tbody></table>
  </section>`;
}

export type SentInvite = {
  email: string;
  role: string;
  message: string;
  projects: string[];
  refusal: Refusal | undefined;
};

export function inviteForm(projects: ProjectView[], sent: SentInvite, base: string): Html {
  const roles = (["member", "admin", "viewer", "guest"] as const).map(
    (role) => html`<option value="${role}"${role === sent.role ? html` selected` : ""}>${ROLE_NAMES[role]}</option>`,
  );
  const boxes = projects.map(
    ({ id, key, name }) => html`<div class="choice">
      <input type="checkbox" name="project" value="${id}" id="project-${key}"${sent.projects.includes(id) ? html` checked` : ""}>
      <label for="project-${key}">${name}</label></div>`,
  );
  return html`<section class="card" aria-labelledby="invite">
    <h2 id="invite">Invite someone</h2>
    <form method="post" action="${base}/invites">
      <div class="row field">
        <div class="field"><label for="email">E-mail address</label>
          <input id="email" name="email" type="text" inputmode="email" required maxlength="320" autocomplete="off" value="${sent.email}"${fieldState(sent.refusal, "email")}></div>
        <div class="field"><label for="role">Role</label><select id="role" name="role" aria-describedby="role-hint">${roles}</select></div>
      </div>
      <p class="quiet" id="role-hint">Members create and change things; viewers only read. Admins also manage people, keys and billing. Guests see only the projects you choose for them, and nothing without one: choose at least one below.</p>
      ${boxes.length > 0 ? html`<details class="field"${sent.projects.length > 0 ? html` open` : ""}><summary>Projects for a guest</summary><fieldset><legend>Projects that a guest sees</legend>${boxes}</fieldset></details>` : ""}
      <div class="field"><label for="message">Message</label>
        <textarea id="message" name="message" rows="2"${longest(500)}${fieldState(sent.refusal, "message", "message-hint")}>${sent.message}</textarea>
        <p class="hint" id="message-hint">Optional.</p></div>
      <button>Send the invite</button>
    </form>
  </section>`;
}

export const leaveForm = (name: string, base: string, owner = false): Html =>
  askFirst({
    ask: `Leave ${name}`,
    action: `${base}/leave`,
    consequence: `You lose access at once. You are unassigned from open issues, and your keys are revoked. Your content stays.${
      owner ? " The last owner makes somebody else the owner first, on the page of members." : ""
    }`,
    confirm: `Leave ${name}`,
  });
