import { hash } from "node:crypto";
import { chartSize } from "../../../domain/kernel/chart-size.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isEditor } from "../../../domain/kernel/roles.ts";
import { goalChart } from "../../../domain/knowledge/goals/chart.ts";
import type { GoalDetailView } from "../../../domain/knowledge/goals/view.ts";
import type { KeyResultView } from "../../../domain/knowledge/key-results/view.ts";
import { allProjects } from "../docs/read.ts";
import { allPeople, personOf } from "../issue/read.ts";
import { chart } from "../kit/chart.ts";
import { person } from "../kit/people.ts";
import { adding, crumbs, facts, fold, percentBar } from "../kit/pieces.ts";
import { ago, dayInWords } from "../kit/times.ts";
import { written } from "../kit/written.ts";
import { askFirst } from "../site/confirm.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { keyResultsPart, newKeyResult } from "./key-results.ts";
import { goalBadge, goalPath, goalsPath, inPath } from "./paths.ts";

/** A goal, how its progress is measured, and how that is computed. */
export async function goalPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const [goal, results, people, projects] = await Promise.all([
    site.perform<GoalDetailView>(call, "goals.get", { params: inPath(call) }),
    site.perform<KeyResultView[]>(call, "key-results.list", { params: { goalId: inPath(call).id } }),
    allPeople(site, call),
    allProjects(site, call),
  ]);
  const base = goalsPath(call);
  const path = goalPath(call, goal.id);
  const writes = isEditor(call.here.principal.role);
  return {
    title: goal.title,
    status: refusal?.status ?? 200,
    seen: { goal_id: goal.id },
    live: { kinds: ["goal", "key_result"] },
    body: html`${crumbs(
      [base, "Goals"],
      ...(goal.portfolio_id === null || goal.portfolio_name === null
        ? []
        : [[`/w/${call.here.workspace.slug}/portfolios/${goal.portfolio_id}`, goal.portfolio_name] as const]),
      ...(goal.parent_goal_id === null
        ? []
        : [[goalPath(call, goal.parent_goal_id), goal.parent_title ?? ""] as const]),
    )}
      <div class="headline"><h1 dir="auto">${goal.title}</h1>${writes ? html`<a class="button second" href="${path}/edit">Edit</a>` : ""}</div>
      ${refusal ? problemBox(refusal) : ""}
      <p class="goal-facts">${goalBadge(goal.status)} ${percentBar(goal.progress_pct, goal.title)} <span class="quiet">${standing(goal)}</span></p>
      ${meanOf(goal)}
      ${facts([
        ["Owner", goal.owner_user_id === null ? null : person(personOf(people, goal.owner_user_id))],
        ["Time", cycleOf(goal)],
        [
          "Told of its status",
          goal.watcher_count === 0
            ? null
            : goal.watcher_count === 1
              ? "1 person or agent"
              : `${goal.watcher_count} people and agents`,
        ],
        [
          "Created",
          html`${ago(goal.created_at, call.here.now)} by ${personOf(people, goal.created_by).name ?? "someone"}`,
        ],
      ])}
      ${goal.description_md ? await written(call.here, goal.description_md) : ""}
      ${keyResultsPart(call, results, { people, projects, isOfPortfolio: goal.portfolio_id !== null, writes })}
      ${writes ? adding("Add a key result", newKeyResult(call, refusal), { open: refusal !== undefined && call.form.text("kind") !== "" }) : ""}
      ${childrenPart(call, goal, writes)}
      ${rollUpPart(goal, path)}
      ${
        writes
          ? askFirst({
              ask: "Delete",
              about: goal.title,
              action: `${path}/delete`,
              consequence: "Its key results are deleted with it. The goals below it stay, without a goal above.",
              confirm: "Delete the goal",
            })
          : ""
      }`,
  };
}

/** What the status follows from, in words. */
function standing({ progress_override, status_override, expected_progress_pct, progress_pct }: GoalDetailView): string {
  const reasons = [
    progress_override === null ? "" : "The progress was set by hand.",
    status_override === null ? "" : "The status was set by hand.",
    expected_progress_pct === null || progress_pct === null ? "" : `${expected_progress_pct} % of its time is over.`,
  ];
  return reasons.filter(Boolean).join(" ");
}

function cycleOf(goal: GoalDetailView): string | null {
  const cycle_start_at = goal.cycle_start_on ?? goal.cycle_start_at;
  const cycle_due_at = goal.cycle_due_on ?? goal.cycle_due_at;
  if (cycle_start_at !== null && cycle_due_at !== null)
    return `${dayInWords(cycle_start_at)} to ${dayInWords(cycle_due_at)}`;
  if (cycle_due_at !== null) return `until ${dayInWords(cycle_due_at)}`;
  return cycle_start_at === null ? null : `from ${dayInWords(cycle_start_at)}`;
}

function childrenPart(call: WorkspaceCall, { id, children }: GoalDetailView, writes: boolean): Html {
  if (children.length === 0 && !writes) return html``;
  return html`<section aria-labelledby="below"><h2 id="below">Goals below</h2>
    ${children.length === 0 ? html`<p class="quiet">None.</p>` : html`<ul class="tree">${children.map((child) => html`<li><p class="tree-line goal-line"><a dir="auto" href="${goalPath(call, child.id)}">${child.title}</a> ${goalBadge(child.status)} ${percentBar(child.progress_pct, child.title)}</p></li>`)}</ul>`}
    ${writes ? html`<p><a class="adding-way" href="${goalsPath(call)}/new?parent=${id}">New goal below this one</a></p>` : ""}</section>`;
}

/** Of more numbers, the sentence says how many there are. */
const MAX_SAID = 3;

/** Where the progress comes from, in a sentence. */
function meanOf({ rollup: { inputs }, progress_pct, progress_override }: GoalDetailView): Html {
  const measured = inputs.filter((one) => one.progress_pct !== null);
  if (inputs.length === 0)
    return html`<p class="quiet">Nothing measures this goal yet: add a key result, or a goal below it.</p>`;
  if (progress_override !== null || progress_pct === null || measured.length === 0) return html``;
  const isWeighted = new Set(measured.map(({ weight }) => weight)).size > 1;
  const count = (kind: string, noun: string, rest = "") => {
    const n = measured.filter((one) => one.kind === kind).length;
    return n === 0 ? [] : [`${counted(n, noun)}${rest}`];
  };
  const parts =
    measured.length <= MAX_SAID
      ? measured.map(({ title, progress_pct: pct }) => `“${title}” (${pct} %)`)
      : [...count("key_result", "key result"), ...count("goal", "goal", " below")];
  const said = new Intl.ListFormat("en", { type: "conjunction" }).format(parts);
  const left = inputs.length - measured.length;
  return html`<p class="quiet" dir="auto">${progress_pct} % is ${measured.length === 1 && parts.length === 1 ? "that of" : "the mean of"} ${said}${isWeighted ? ", by their weights" : ""}.${left === 0 ? "" : ` ${left === 1 ? "One is" : `${left} are`} not measured yet.`}</p>`;
}

/** The numbers that the progress is the mean of. */
function rollUpPart(goal: GoalDetailView, path: string): Html {
  const { rollup, progress_pct, progress_override } = goal;
  const { inputs } = rollup;
  if (inputs.length === 0) return html``;
  const measured = inputs.filter((one) => one.progress_pct !== null);
  const total = measured.reduce((sum, { weight }) => sum + weight, 0);
  const share = (weight: number) => `${Math.round((100 * weight) / total)} %`;
  return fold(
    "How the progress is computed",
    html`<p>It is the mean of the key results and of the goals below, by their weights. What is not measured yet does not count.${progress_override === null ? "" : " It was set by hand, so this is for information only."}</p>
    ${goalPicture(goal, path)}
    <div class="scrolls" tabindex="0" role="region" aria-label="How the progress is computed"><table>
    <thead><tr><th scope="col">Measured by</th><th scope="col" class="number">Progress</th><th scope="col" class="number">Weight</th><th scope="col" class="number">Counts for</th></tr></thead>
    <tbody>${inputs.map(
      ({ kind, title, weight, progress_pct: pct }) =>
        html`<tr><th scope="row"><span dir="auto">${title}</span> <span class="quiet">${kind === "goal" ? "goal" : "key result"}</span></th>
        <td class="number">${pct === null ? "not measured" : `${pct} %`}</td><td class="number">${weight}</td><td class="number">${pct === null ? "–" : share(weight)}</td></tr>`,
    )}</tbody>
    <tfoot><tr><th scope="row">The goal</th><td class="number">${progress_pct === null ? "not measured" : `${progress_pct} %`}</td><td></td><td></td></tr></tfoot></table></div>`,
  );
}

/** Its address changes with the numbers, so that a page that is kept current loads it again. */
function goalPicture(goal: GoalDetailView, path: string): Html {
  const version = hash("sha256", JSON.stringify([goal.rollup, goal.expected_progress_pct]), "base64url").slice(0, 10);
  const drawing = (width: number) => ({
    ...chartSize(goalChart(goal, width)),
    src: `${path}/picture.svg?width=${width}&v=${version}`,
  });
  return chart({
    wide: drawing(760),
    narrow: drawing(360),
    alt: "Progress of what measures the goal. The table below has the numbers.",
  });
}
