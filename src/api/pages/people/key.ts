import { hash } from "node:crypto";
import { usageChart } from "../../../domain/access/key-usage/chart.ts";
import type { KeyUsageView } from "../../../domain/access/key-usage/view.ts";
import type { ApiKeyView } from "../../../domain/access/keys/view.ts";
import { chartSize } from "../../../domain/kernel/chart-size.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { SVG } from "../../engine/drawn.ts";
import { allPeople, type People, personOf } from "../issue/read.ts";
import { chart, type Drawing } from "../kit/chart.ts";
import { textField } from "../kit/fields.ts";
import { badge, crumbs, facts, fold, ways } from "../kit/pieces.ts";
import { table } from "../kit/tables.ts";
import { ago, dayInWords, exactly } from "../kit/times.ts";
import { words } from "../kit/words.ts";
import { actions, revisionField } from "../site/actions.ts";
import { showsTyped } from "../site/field-state.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { revokeKey } from "./developer-tables.ts";

/** A key of the workspace: what it may do, and its calls as a picture and as numbers. */

const PATH = "/w/:slug/developer/keys/:id";
const PERIODS = [7, 30, 90];
const DAY_MS = 86_400_000;

export function keyPages(site: Site): void {
  site.workspace("get", PATH, (call) => show(site, call));
  site.workspace("get", `${PATH}/picture.svg`, async (call) => {
    const query = { from: call.query("from"), width: call.query("width") };
    const input = { params: idOf(call), query, headers: { accept: SVG } };
    return { file: await site.file(call, "api-keys.usage", input), type: SVG };
  });
  actions(site, PATH, (call, refusal) => show(site, call, refusal), {
    change: {
      operation: "api-keys.patch",
      input: ({ form }) => {
        const limit = form.text("rate_limit_per_minute");
        const day = form.text("expires_at");
        const rate_limit_per_minute = limit === "" ? null : Number(limit);
        // A day that was not changed keeps its hour.
        const kept = day === form.text("expires_before");
        const expires = kept ? {} : { expires_at: day === "" ? null : `${day}T23:59:59Z` };
        return { body: { name: form.text("name"), rate_limit_per_minute, ...expires } };
      },
      to: (call) => pathOf(call),
      said: "The key is changed, from its next call on.",
    },
  });
}

const idOf = ({ params }: WorkspaceCall) => ({ id: params.id ?? "" });
const pathOf = (call: WorkspaceCall) => `/w/${call.here.workspace.slug}/developer/keys/${call.params.id ?? ""}`;

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { here, query } = call;
  const days = PERIODS.find((one) => String(one) === query("days")) ?? 30;
  const from = new Date(Date.parse(here.now) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const params = idOf(call);
  const [key, usage, people] = await Promise.all([
    site.perform<ApiKeyView>(call, "api-keys.get", { params }),
    site.perform<KeyUsageView>(call, "api-keys.usage", { params, query: { from } }),
    allPeople(site, call),
  ]);
  const path = pathOf(call);
  const developer = `/w/${here.workspace.slug}/developer`;
  return {
    title: key.name,
    status: refusal?.status ?? 200,
    body: html`${crumbs([developer, "Developer"])}<h1>${key.name}</h1>${refusal ? problemBox(refusal) : ""}
      ${keyFacts(key, { people, base: `/w/${here.workspace.slug}`, now: here.now })}
      <h2>Calls</h2>
      ${ways(
        "Period",
        PERIODS.map((one) => ({ href: `${path}?days=${one}`, label: counted(one, "day"), current: one === days })),
      )}
      ${usagePicture(usage, key, path)}
      ${usageTable(usage)}
      ${
        key.state === "revoked"
          ? ""
          : html`${fold("Change the key", changeForm(key, call, path, refusal), { open: refusal !== undefined })}
      ${revokeKey(key, `${developer}/keys`)}`
      }`,
  };
}

const STATES = { active: "good", expired: "warn", revoked: "bad" } as const;

type Around = { people: People; base: string; now: string };

const keyFacts = (key: ApiKeyView, { people, base, now }: Around): Html =>
  facts([
    ["State", badge(words(key.state), STATES[key.state])],
    ["Key", html`<code>${key.prefix}…${key.last_four}</code> <span class="quiet">${words(key.kind)}</span>`],
    ["May", key.scopes.join(", ")],
    ["Projects", key.project_ids === null ? "All that its owner sees" : `Limited to ${key.project_ids.length}`],
    ["Limit", `${key.effective_rate_limit} calls a minute`],
    ["Created", html`${exactly(key.created_at)} by ${personOf(people, key.created_by).name ?? "someone"}`],
    [
      "Acts as",
      key.agent_id &&
        html`<a href="${base}/agents/${key.agent_id}">${personOf(people, key.agent_id).name ?? "An agent"}</a>`,
    ],
    ["Changed", html`<a href="${base}/audit?key_id=${key.id}">What it did in the audit log</a>`],
    ["Expires", key.expires_at === null ? "never" : exactly(key.expires_at)],
    [
      "Last used",
      key.last_used_at === null
        ? "never"
        : html`${ago(key.last_used_at, now)}${key.last_used_ip ? html` <span class="quiet">from ${key.last_used_ip}</span>` : ""}`,
    ],
    ["Revoked", key.revoked_at && exactly(key.revoked_at)],
    ["Why", key.revoke_reason && words(key.revoke_reason)],
  ]);

function usagePicture(usage: KeyUsageView, key: ApiKeyView, path: string): Html {
  const version = hash("sha256", JSON.stringify(usage.series), "base64url").slice(0, 10);
  const drawing = (width: number): Drawing => {
    const address = new URLSearchParams({ from: usage.from, width: String(width), v: version });
    return { ...chartSize(usageChart(usage, key.name, width)), src: `${path}/picture.svg?${address}` };
  };
  return chart({
    wide: drawing(900),
    narrow: drawing(360),
    alt: `Calls of ${key.name}. The table below has the numbers.`,
  });
}

const NUMBERS = ["Calls", "Refused", "Failed", "Too many", "Half within", "95 % within"] as const;
const inMs = (ms: number | undefined) => (ms === undefined ? "–" : `${ms} ms`);

/** Days without calls say nothing. */
function usageTable({ series, totals }: KeyUsageView): Html | string {
  if (totals.requests === 0) return "";
  type Counts = Omit<KeyUsageView["series"][number], "date" | "p50_ms" | "p99_ms"> & { p50_ms?: number };
  const row = (name: string, { requests, client_errors, server_errors, rate_limited, p50_ms, p95_ms }: Counts) => [
    name,
    ...[requests, client_errors, server_errors, rate_limited].map(String),
    inMs(p50_ms),
    inMs(p95_ms),
  ];
  const days = series.filter(({ requests }) => requests > 0).reverse();
  return table(
    ["Day (UTC)", ...NUMBERS.map((name) => ({ name, number: true as const }))],
    [row("All", totals), ...days.map((day) => row(dayInWords(day.date), day))],
  );
}

function changeForm(key: ApiKeyView, { form }: WorkspaceCall, path: string, refusal?: Refusal): Html {
  const typed = (name: string, stored: string) => (showsTyped(refusal) ? form.text(name) : stored);
  const day = key.expires_at?.slice(0, 10) ?? "";
  return html`<form method="post" action="${path}/change">${revisionField(key)}
    <input type="hidden" name="expires_before" value="${day}">
    ${textField({ name: "name", label: "Name", required: true, max: 80, value: typed("name", key.name), refusal })}
    ${textField({ name: "rate_limit_per_minute", label: "Calls a minute", type: "number", value: typed("rate_limit_per_minute", String(key.rate_limit_per_minute ?? "")), hint: "Empty: as for all keys.", refusal })}
    ${textField({ name: "expires_at", label: "Expires after", type: "date", value: typed("expires_at", day), hint: "Empty: never. The day ends at midnight UTC.", refusal })}
    <button>Save</button></form>`;
}
