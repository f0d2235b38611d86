import type { AutomationRunView } from "../../../domain/automation/automation-runs/view.ts";
import type { AutomationDryRunView } from "../../../domain/automation/automations/dry-run-view.ts";
import type { AutomationView } from "../../../domain/automation/automations/view.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import { hidden, textField } from "../kit/fields.ts";
import { act, badge, crumbs, empty, facts, fold, pager, type Tone } from "../kit/pieces.ts";
import { ago, exactly } from "../kit/times.ts";
import { words } from "../kit/words.ts";
import { actions, revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { notice } from "../site/layout.ts";
import type { List } from "../site/perform.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { automationState, RULE_HINT, sentenceOf } from "./automations.ts";
import { jsonField, readJson } from "./json.ts";
import { readNames, withNamesIn } from "./names.ts";

/** An automation: what it does, its runs with their reasons, and its definition. */

const PATH = "/w/:slug/automations/:id";

const pathOf = ({ here, params }: WorkspaceCall) =>
  `/w/${here.workspace.slug}/automations/${encodeURIComponent(params.id ?? "")}`;

export function automationPage(site: Site): void {
  site.workspace("get", PATH, (call) => show(site, call));
  actions(site, PATH, (call, refusal) => show(site, call, { refusal }), {
    change: {
      operation: "automations.patch",
      input: ({ form }) => ({ body: readJson(form) }),
      to: pathOf,
      said: "The automation is changed.",
    },
    enabled: {
      operation: "automations.patch",
      input: ({ form }) => ({ body: { enabled: form.text("enabled") === "true" } }),
      to: pathOf,
      said: ({ enabled }: AutomationView) => `The automation is ${enabled ? "enabled" : "disabled"}.`,
    },
    delete: {
      operation: "automations.delete",
      to: ({ here }) => `/w/${here.workspace.slug}/automations`,
      said: "The automation is deleted.",
    },
  });
  // Its result is the page itself: nothing has changed that a reload would show.
  site.workspace("post", `${PATH}/try`, async (call): Promise<PageAnswer> => {
    try {
      const body = { issue_key: call.form.text("issue_key") || null };
      const params = { id: call.params.id ?? "" };
      const tried = await site.perform<AutomationDryRunView>(call, "automations.dry-run", { params, body });
      return await show(site, call, { told: triedBox(tried) });
    } catch (error) {
      return show(site, call, { refusal: refusalOf(error) });
    }
  });
}

function triedBox({ matched, failed, skipped_reason, actions, omitted }: AutomationDryRunView): Html {
  if (!matched) return notice("info", `It would not run: ${failed?.message ?? "the project is another one."}`);
  return notice(
    "info",
    html`<p>${skipped_reason ? `It matches, but would not run now: ${skipped_reason}` : "It would run, and:"}</p>
      <ul>${actions.map(({ would, ok, detail, issue_key }) => html`<li>${would}${issue_key ? ` on ${issue_key}` : ""}${ok ? "" : html` <strong>That would fail.</strong>`}${detail ? html` <span class="quiet">${detail}</span>` : ""}</li>`)}</ul>
      ${omitted > 0 ? html`<p>${omitted} more issues were not tried.</p>` : ""}<p>Nothing was changed.</p>`,
  );
}

/** What of an automation its form contains. */
const definitionOf = ({
  name,
  description,
  trigger,
  trigger_config,
  conditions,
  actions,
  project_id,
  allow_chaining,
  on_error,
}: AutomationView) => ({
  name,
  description,
  project_id,
  trigger,
  trigger_config,
  conditions,
  actions,
  allow_chaining,
  on_error,
});

type Before = { told?: Html; refusal?: Refusal };

async function show(site: Site, call: WorkspaceCall, { told, refusal }: Before = {}): Promise<PageAnswer> {
  const { here, query } = call;
  const params = { id: call.params.id ?? "" };
  const [rule, runs, known] = await Promise.all([
    site.perform<AutomationView>(call, "automations.get", { params }),
    site.list<AutomationRunView>(call, "automations.runs", { params, query: { limit: "50", cursor: query("cursor") } }),
    readNames(site, call),
  ]);
  const names = await withNamesIn(site, call, known, [rule]);
  const base = pathOf(call);
  const changing = refusal && call.request.path.endsWith("/change") ? { form: call.form, refusal } : undefined;
  return {
    title: rule.name,
    seen: { kinds: "automation_disabled,automation" },
    status: refusal?.status ?? 200,
    body: html`${crumbs([`/w/${here.workspace.slug}/automations`, "Automations"])}
      <div class="headline"><h1>${rule.name}</h1>${automationState(rule)}</div>
      ${refusal && !changing ? problemBox(refusal) : (told ?? "")}
      ${rule.description ? html`<p>${rule.description}</p>` : ""}${sentenceOf(rule, names)}
      ${facts([
        ["Acts as", names.get(rule.created_by) ?? "someone who left"],
        ["Made", ago(rule.created_at, here.now)],
        ["Changed", rule.updated_at === rule.created_at ? null : ago(rule.updated_at, here.now)],
        ["Next run", rule.next_run_at ? exactly(rule.next_run_at) : null],
        [
          "Last left out",
          rule.last_skipped ? html`${ago(rule.last_skipped.at, here.now)}: ${rule.last_skipped.reason}` : null,
        ],
        ["After an error", rule.on_error === "stop" ? "It stops" : "It goes on with the next action"],
        ["Changes of other automations", rule.allow_chaining ? "Start it too" : "Do not start it"],
      ])}
      ${isAdmin(here.principal.role) ? steering(rule, { base, tried: call.form.text("issue_key"), changing }) : ""}
      ${runsOf(runs, base, call)}`,
  };
}

/** `tried`: the key that was typed. */
type Steering = { base: string; tried: string; changing: Parameters<typeof jsonField>[0]["sent"] };

const steering = (rule: AutomationView, { base, tried, changing }: Steering): Html => html`
  <div class="acts">${act(`${base}/enabled`, rule.enabled ? "Disable" : "Enable", { fields: hidden("enabled", String(!rule.enabled)) })}</div>
  ${fold(
    "Try it on an issue",
    html`<form method="post" action="${base}/try">${textField({ name: "issue_key", label: "Key of the issue", value: tried, placeholder: "WEB-12", hint: "Nothing changes. Empty for an automation without an issue." })}
      <button class="second">Try</button></form>`,
    { open: tried !== "" },
  )}
  ${fold(
    "Change the automation",
    html`<form method="post" action="${base}/change">${revisionField(rule)}${jsonField({ label: "Automation", value: definitionOf(rule), hint: RULE_HINT, sent: changing })}
      <button>Save</button></form>`,
    { open: changing !== undefined },
  )}
  ${askFirst({ ask: "Delete", action: `${base}/delete`, consequence: "It does not run any more. Runs that have begun go on.", confirm: `Delete ${rule.name}` })}`;

const STATUS: Record<AutomationRunView["status"], [words: string, tone: Tone]> = {
  ok: ["Done", "good"],
  partial: ["Done in part", "warn"],
  error: ["Failed", "bad"],
};

const REASONS: Record<NonNullable<AutomationRunView["reason"]>, string> = {
  loop_stopped: "It was stopped, because it had started itself.",
  throttled: "It ran too often.",
  plan: "The plan's runs of the month are used up.",
  rights: "Its creator lacks the rights.",
};

/** How long it took, what started it, and how far from a change by a person. */
const circumstances = ({ duration_ms, trigger, depth }: Pick<AutomationRunView, "duration_ms" | "trigger" | "depth">) =>
  `took ${duration_ms < 1000 ? `${duration_ms} ms` : `${(duration_ms / 1000).toFixed(1)} s`}, started by ${trigger.replace(".", " ").replaceAll("_", " ")}${depth > 1 ? `, ${depth} steps after the first change` : ""}`;

function runsOf({ data, next }: List<AutomationRunView>, base: string, { here, query }: WorkspaceCall): Html {
  const run = ({
    status,
    reason,
    detail,
    issue_key,
    actions_applied,
    finished_at,
    ...more
  }: AutomationRunView) => html`<li>
    <p class="acts">${badge(...STATUS[status])} ${issue_key ? html`<strong>${issue_key}</strong>` : ""} <span class="quiet">${ago(finished_at, here.now)}, ${circumstances(more)}</span></p>
    ${reason || detail ? html`<p>${reason ? REASONS[reason] : ""} ${detail ?? ""}</p>` : ""}
    <ul>${(actions_applied ?? []).map(({ type, ok, detail: said }) => html`<li>${words(type)}${ok ? "" : html` <span class="late">failed</span>`}${said ? html`: ${said}` : ""}</li>`)}</ul></li>`;
  return html`<section aria-labelledby="runs"><h2 id="runs">Runs</h2>
    ${data.length === 0 ? empty("No runs yet", "A change that does not match its conditions leaves no run.") : html`<ul class="rows">${data.map(run)}</ul>`}
    ${pager(next && `${base}?cursor=${next}`, { first: base, isFirst: query("cursor") === "", what: "runs" })}</section>`;
}
