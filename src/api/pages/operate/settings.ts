import type { Refusal } from "../../../domain/kernel/errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { WorkspaceView } from "../../../domain/tenancy/workspaces/view.ts";
import { select, textField } from "../kit/fields.ts";
import { facts } from "../kit/pieces.ts";
import { exactly } from "../kit/times.ts";
import { words } from "../kit/words.ts";
import { actions, revisionField } from "../site/actions.ts";
import { showsTyped } from "../site/field-state.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";

/** The settings of a workspace. */

const PATH = "/w/:slug/settings";

export function settingsPage(site: Site): void {
  site.workspace("get", PATH, (call) => show(site, call));
  actions(site, PATH, (call, refusal) => show(site, call, refusal), {
    change: {
      operation: "workspaces.patch",
      input: ({ form }) => ({
        body: { name: form.text("name"), timezone: form.text("timezone"), default_locale: form.text("default_locale") },
      }),
      to: ({ here }) => `/w/${here.workspace.slug}/settings`,
      said: "The workspace is changed.",
    },
  });
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const workspace = await site.perform<WorkspaceView>(call, "workspaces.get");
  const { here } = call;
  const base = `/w/${workspace.slug}`;
  const typed = (name: "name" | "timezone" | "default_locale") =>
    showsTyped(refusal) ? call.form.text(name) : workspace[name];
  const zones = Intl.supportedValuesOf("timeZone");
  return {
    title: "Settings",
    status: refusal?.status ?? 200,
    body: html`<h1>Settings</h1>${refusal ? problemBox(refusal) : ""}
      ${facts([
        ["Address", html`<a class="broken" href="${workspace.url}">${workspace.url}</a>`],
        ["Plan", html`${words(workspace.plan)} <a href="${base}/billing">Billing</a>`],
        ["Members", html`<a href="${base}/members">${workspace.member_count}</a>`],
        ["Projects", String(workspace.project_count)],
        ["Since", exactly(workspace.created_at)],
        ...(isAdmin(here.principal.role) ? [] : ([["Time zone", workspace.timezone]] as const)),
      ])}
      ${
        isAdmin(here.principal.role)
          ? html`<form class="narrow" method="post" action="${base}/settings/change">${revisionField(workspace)}
            ${textField({ name: "name", label: "Name", required: true, max: 100, value: typed("name"), refusal })}
            ${select({ name: "timezone", label: "Time zone", required: true, value: typed("timezone"), options: [...new Set([typed("timezone"), "UTC", ...zones])].map((zone) => ({ value: zone, label: zone })), hint: "Of schedules that name none, and of pages for people who have chosen none.", refusal })}
            ${textField({ name: "default_locale", label: "Language", required: true, max: 100, value: typed("default_locale"), hint: "A language tag, such as en or pt-BR.", refusal })}
            <button>Save</button></form>`
          : ""
      }
      ${here.principal.role === "owner" ? html`<p class="quiet">You make somebody else the owner on the page of <a href="${base}/members">members</a>.</p>` : ""}
      <p class="quiet">Your own name, time zone, mails and sessions are in <a href="/account">your account</a>, where you also leave the workspace.</p>`,
  };
}
