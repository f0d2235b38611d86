import type { Refusal } from "../../../domain/kernel/errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import type { MarkedReadView, NotificationView } from "../../../domain/knowledge/notifications/view.ts";
import { hidden } from "../kit/fields.ts";
import { noticeLine } from "../kit/notifications.ts";
import { act, empty, pager, tabs } from "../kit/pieces.ts";
import { actions } from "../site/actions.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";

/** What the person was notified of: unread first, or everything. */

const INBOX = "/w/:slug/inbox";

export function inboxPage(site: Site): void {
  site.workspace("get", INBOX, (call) => show(site, call));
  actions(site, INBOX, (call, refusal) => show(site, call, refusal), {
    mark: {
      operation: "notifications.patch",
      input: ({ form }) => ({ params: { id: form.text("id") }, body: { read: form.text("read") === "true" } }),
      to: backOf,
    },
    "mark-all": {
      operation: "notifications.mark-all-read",
      to: backOf,
      said: ({ count }: MarkedReadView) => (count === 0 ? "Nothing was unread." : "Everything is marked as read."),
    },
  });
}

const backOf = ({ here, form }: WorkspaceCall): string =>
  `/w/${here.workspace.slug}/inbox${form.text("show") === "all" ? "?show=all" : ""}`;

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { here } = call;
  const all = (call.query("show") || call.form.text("show")) === "all";
  const cursor = call.query("cursor");
  const query = { limit: "50", cursor, ...(all ? {} : { unread: "true" }) };
  const { data, next } = await site.list<NotificationView>(call, "notifications.list", { query });
  const base = `/w/${here.workspace.slug}`;
  const inbox = `${base}/inbox`;
  const first = all ? `${inbox}?show=all` : inbox;
  const kept = hidden("show", all ? "all" : "");
  const mark = ({ id, read_at, title }: NotificationView) =>
    act(`${inbox}/mark`, read_at === null ? "Mark as read" : "Mark as unread", {
      fields: html`${hidden("id", id)}${hidden("read", String(read_at === null))}${kept}`,
      name: `${read_at === null ? "Mark as read" : "Mark as unread"}: ${title}`,
    });
  const none = all
    ? empty(
        "No notifications yet",
        "You hear here of what is assigned to you, of mentions and comments, and of agents that need you.",
      )
    : empty("Nothing is unread", "New notifications come here on their own.");
  return {
    title: "Inbox",
    status: refusal?.status ?? 200,
    // What is written for the person alone is told to them alone.
    live: { kinds: ["notification"] },
    body: html`<div class="headline"><h1>Inbox</h1>${data.some(({ read_at }) => read_at === null) ? act(`${inbox}/mark-all`, "Mark all as read", { fields: kept }) : ""}</div>
      ${refusal ? problemBox(refusal) : ""}
      ${tabs("Notifications", [
        { href: inbox, label: "Unread", current: !all },
        { href: `${inbox}?show=all`, label: "All", current: all },
      ])}
      ${data.length === 0 ? none : html`<ul class="lines">${data.map((one) => noticeLine(one, { base, now: here.now, isMixed: all }, mark(one)))}</ul>`}
      ${pager(next === null ? null : `${first}${all ? "&" : "?"}cursor=${next}`, { first, isFirst: cursor === "", what: "notifications" })}
      <p class="quiet">Mails with your unread notifications are a setting of <a href="/account">your account</a>.</p>`,
  };
}
