import type { AutomationView } from "../../../domain/automation/automations/view.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import { adding, badge, empty, pager } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import { actions } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import type { PageAnswer, Site, WorkspaceCall } from "../site/site.ts";
import { jsonField, readJson } from "./json.ts";
import { readNames, withNamesIn } from "./names.ts";
import { ifOf, type Names, thenOf, whenOf } from "./rule-words.ts";

/** The automations of a workspace, each as a sentence. */

const PATH = "/w/:slug/automations";

const EXAMPLE = {
  name: "Triage urgent bugs",
  trigger: "issue.created",
  conditions: { match: "all", rules: [{ field: "type", op: "is", value: "bug" }] },
  actions: [{ type: "set_priority", priority: "high" }],
};

export const RULE_HINT = html`<p class="quiet">What starts it (<code>trigger</code>), whether it goes on
  (<code>conditions</code>) and what it does (<code>actions</code>). <a href="/docs">The API reference</a> lists all of
  them; problems appear here.</p>`;

export function automationsPage(site: Site): void {
  site.workspace("get", PATH, (call) => show(site, call));
  actions(site, PATH, (call, refusal) => show(site, call, refusal), {
    create: {
      operation: "automations.create",
      input: ({ form }) => ({ body: readJson(form) }),
      to: ({ here }, { id }: AutomationView) => `/w/${here.workspace.slug}/automations/${id}`,
      said: ({ name }: AutomationView) => `${name} is created, and runs from now on. Try it on an issue below.`,
    },
  });
}

const REASONS: Record<NonNullable<AutomationView["disabled_reason"]>, string> = {
  user: "Disabled",
  failing: "Disabled after ten errors in a row",
  loop: "Disabled: it started itself",
  plan: "Disabled: over the plan's limit",
  rights: "Disabled: its creator lost the rights",
  credential_ended: "Disabled: the key that set it up has ended",
};

export function automationState({ enabled, disabled_reason: reason }: AutomationView): Html {
  if (enabled) return badge("Enabled", "good");
  return badge(REASONS[reason ?? "user"], reason === "user" || reason === null ? "quiet" : "bad");
}

/** When, if, and what then. */
export const sentenceOf = (rule: AutomationView, names: Names): Html =>
  html`<p class="sentence">${whenOf(rule, names)}${ifOf(rule, names) ? html`, <span>${ifOf(rule, names)}</span>` : ""}:</p>
    <ol class="sentence">${thenOf(rule, names).map((text) => html`<li>${text}</li>`)}</ol>`;

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { here } = call;
  const base = `/w/${here.workspace.slug}/automations`;
  const cursor = call.query("cursor");
  const [{ data, next }, known] = await Promise.all([
    site.list<AutomationView>(call, "automations.list", { query: { limit: "50", cursor } }),
    readNames(site, call),
  ]);
  const names = await withNamesIn(site, call, known, data);
  const row = (rule: AutomationView) => html`<li>
    <p class="acts"><a href="${base}/${rule.id}"><strong>${rule.name}</strong></a> ${automationState(rule)}</p>
    ${sentenceOf(rule, names)}
    <p class="quiet">${rule.last_run_at ? html`Ran ${counted(rule.run_count, "time")}, last ${ago(rule.last_run_at, here.now)}` : "Has not run yet"}${rule.failure_count > 0 ? html`, ${counted(rule.failure_count, "time")} with an error` : ""}</p></li>`;
  return {
    title: "Automations",
    seen: { kinds: "automation_disabled,automation" },
    status: refusal?.status ?? 200,
    body: html`<h1>Automations</h1>
      <p class="quiet">An automation reacts to what happens to issues, with the rights of the person who made it.</p>
      ${data.length === 0 ? empty("No automations yet", "Let routine happen by itself: triage bugs, tell people, move issues.") : html`<ul class="rows">${data.map(row)}</ul>`}
      ${pager(next && `${base}?cursor=${next}`, { first: base, isFirst: cursor === "", what: "automations" })}
      ${
        isAdmin(here.principal.role)
          ? adding(
              "New automation",
              html`<form method="post" action="${base}/create">${onceField()}
              ${jsonField({ label: "Automation", value: EXAMPLE, hint: RULE_HINT, rows: 18, sent: refusal && { form: call.form, refusal } })}
              <button>Create the automation</button></form>`,
              { open: refusal !== undefined },
            )
          : ""
      }`,
  };
}
