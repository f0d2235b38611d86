import { AUDIT_TYPES } from "../../../domain/audit-types.ts";
import type { AuditEntryView } from "../../../domain/events/audit/view.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { hidden, textField } from "../kit/fields.ts";
import { empty, fold, pager } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import { words } from "../kit/words.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { readNames } from "./names.ts";
import type { Names } from "./rule-words.ts";

/** The audit log: who changed the workspace's administration. Nobody can change it. */

const FILTERS = ["type", "actor_id", "key_id", "since", "until"] as const;

export function auditPage(site: Site): void {
  site.workspace("get", "/w/:slug/audit", (call) => show(site, call));
}

/** `member.*`, and below it `member.role_changed`. */
const GROUPS = [...new Set(AUDIT_TYPES.map((type) => type.slice(0, type.indexOf("."))))];

async function show(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const { here, query } = call;
  const base = `/w/${here.workspace.slug}/audit`;
  const chosen = Object.fromEntries(FILTERS.map((name) => [name, query(name)]).filter(([, value]) => value));
  const names = await readNames(site, call);
  const read = await site
    .list<AuditEntryView>(call, "audit-log.list", { query: { limit: "50", cursor: query("cursor"), ...chosen } })
    .catch((error: unknown) => refusalOf(error));
  if (!("data" in read) && (read.status === 403 || read.status === 404)) throw read;
  const first = `${base}?${new URLSearchParams(chosen)}`;
  return {
    title: "Audit",
    status: "data" in read ? 200 : read.status,
    body: html`<h1>Audit</h1>
      <p class="quiet">Who changed members, roles, keys, webhooks, automations and access, and who exported data. Nobody can change or delete these entries.</p>
      ${"data" in read ? "" : problemBox(read)}${filters(base, chosen, names)}
      ${chosen.key_id ? html`<p>Only what one key did. <a href="${base}">Show everything</a></p>` : ""}
      ${
        !("data" in read)
          ? ""
          : html`${read.data.length === 0 ? empty("Nothing found", "No entry matches.") : html`<ul class="rows">${read.data.map((entry) => line(entry, names, here))}</ul>`}
            ${pager(read.next && `${first}&cursor=${read.next}`, { first, isFirst: query("cursor") === "", what: "entries" })}`
      }`,
  };
}

const groupLabel = (group: string) => (group === "api_key" ? "API keys" : kindOf(group));

const kindOf = (group: string) => words(group.replace("api_key", "API key").replace("oauth", "OAuth"));

const filters = (base: string, chosen: Partial<Record<string, string>>, names: Names): Html =>
  html`<form method="get" action="${base}" class="row">
    ${filterSelect(
      "type",
      "What",
      "Everything",
      chosen.type,
      GROUPS.map((group) => [`${group}.*`, groupLabel(group)]),
    )}
    ${filterSelect("actor_id", "Who", "Everybody", chosen.actor_id, [["me", "Me"], ...names])}
    ${chosen.key_id ? hidden("key_id", chosen.key_id) : ""}
    ${textField({ name: "since", label: "Since", type: "date", value: chosen.since ?? "" })}
    ${textField({ name: "until", label: "Before", type: "date", value: chosen.until ?? "" })}
    <button class="second">Show</button></form>`;

const filterSelect = (
  name: string,
  label: string,
  none: string,
  value: string | undefined,
  options: readonly (readonly [value: string, label: string])[],
): Html =>
  html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">${none}</option>${options.map(([one, text]) => html`<option value="${one}"${one === value ? html` selected` : ""}>${text}</option>`)}</select></div>`;

/** `member.role_changed` → `role changed` */
const verbOf = (type: string) => type.slice(type.indexOf(".") + 1).replaceAll(/[._]/g, " ");

/** What led to the entry. Its parts are pages of their own. */
function causesOf({ key_id, project_id, cause, user_agent }: AuditEntryView, base: string, names: Names): Html[] {
  const page = (path: string, id: string | null, label: string) =>
    id && html`<a href="${base}/${path}/${id}">${label}</a>`;
  const all: [name: string, value: Html | string | null][] = [
    ["Project", project_id && (names.get(project_id) ?? "another")],
    ["With a key", page("developer/keys", key_id, "The key")],
    ["By an automation", page("automations", cause.automation_id, "The automation")],
    ["By a workflow", page("workflow-runs", cause.workflow_run_id, "The run")],
    ["In a session", page("agents/sessions", cause.agent_session_id, "The session")],
    ["Program", user_agent],
    ["Call", cause.request_id && html`<code>${cause.request_id}</code>`],
  ];
  return all.flatMap(([name, value]) => (value ? [html`<dt>${name}</dt><dd>${value}</dd>`] : []));
}

function line(entry: AuditEntryView, names: Names, { now, workspace }: WorkspaceCall["here"]): Html {
  const { at, actor, type, target, changes, ip } = entry;
  const changed = Object.entries(changes).filter((pair) => pair[1].some((value) => inWords(value, names) !== NOTHING));
  const causes = causesOf(entry, `/w/${workspace.slug}`, names);
  const kind = kindOf(type.slice(0, type.indexOf(".")));
  const who = actor.name ?? (actor.kind === "system" ? "The service" : "Someone");
  return html`<li><p><strong>${who}</strong>${actor.kind === "agent" ? " (agent)" : ""}: ${kind} ${verbOf(type)}${target.name ? html`, <strong>${target.name}</strong>` : ""} <span class="quiet">${ago(at, now)}${ip ? ` from ${ip}` : ""}</span></p>
    ${changed.length > 0 || causes.length > 0 ? fold("Details", html`<dl class="facts">${changed.map(([field, [from, to]]) => html`<dt>${words(field)}</dt><dd>${inWords(from, names)} → ${inWords(to, names)}</dd>`)}${causes}</dl>`) : ""}</li>`;
}

const NOTHING = "nothing";

function inWords(value: unknown, names: Names): string {
  if (value === null || value === undefined || value === "" || isEmpty(value)) return NOTHING;
  if (Array.isArray(value)) return value.map((one) => inWords(one, names)).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : (names.get(String(value)) ?? String(value));
}

const isEmpty = (value: unknown): boolean => typeof value === "object" && Object.keys(Object(value)).length === 0;
