import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin, isEditor } from "../../../domain/kernel/roles.ts";
import type { GoalView } from "../../../domain/knowledge/goals/view.ts";
import type { PortfolioView } from "../../../domain/knowledge/portfolios/view.ts";
import { allPeople, type People, personOf, unlessRefused } from "../issue/read.ts";
import { colored, empty, percentBar } from "../kit/pieces.ts";
import { due } from "../kit/times.ts";
import type { PageAnswer, Site, WorkspaceCall } from "../site/site.ts";
import { goalBadge, goalPath, goalsPath, readGoals } from "./paths.ts";

/** All goals: those of the company, and those of each portfolio, each with the goals below it. */
export async function listPage(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const [{ goals, isAll }, portfolios, people] = await Promise.all([
    readGoals(site, call),
    unlessRefused(site.list<PortfolioView>(call, "portfolios.list", { query: { limit: "100" } }), {
      data: [],
      next: null,
    }),
    allPeople(site, call),
  ]);
  const { role } = call.here.principal;
  const base = goalsPath(call);
  const known = new Set(goals.map(({ id }) => id));
  const top = goals.filter(({ parent_goal_id }) => parent_goal_id === null || !known.has(parent_goal_id));
  const of = (id: string | null) => top.filter(({ portfolio_id }) => portfolio_id === id);
  const companyGoals = of(null);
  return {
    title: "Goals",
    live: { kinds: ["goal", "key_result", "portfolio"] },
    body: html`<div class="headline"><h1>Goals</h1>${isEditor(role) ? html`<a class="button" href="${base}/new">New goal</a>` : ""}</div>
      ${goals.length === 0 ? nothingYet : ""}
      ${isAll ? "" : html`<p class="quiet">Only the newest ${goals.length} goals are shown.</p>`}
      ${companyGoals.length > 0 ? html`<section aria-labelledby="company"><h2 id="company">${call.here.workspace.name}</h2>${treePart(call, companyGoals, { goals, people })}</section>` : ""}
      ${portfolios.data.map((one) => portfolioPart(call, one, { top: of(one.id), goals, people }))}
      ${isAdmin(role) ? html`<p><a class="adding-way" href="/w/${call.here.workspace.slug}/portfolios/new">New portfolio</a></p>` : ""}`,
  };
}

const nothingYet = empty(
  "No goals yet",
  "A goal says what should be different by when, and its key results how that is measured. Progress is computed from them, and from the goals below.",
);

const portfolioPart = (
  call: WorkspaceCall,
  { id, name, color, progress_pct, project_count }: PortfolioView,
  { top, goals, people }: Known & { top: readonly GoalView[] },
): Html =>
  html`<section aria-labelledby="portfolio-${id}"><h2 id="portfolio-${id}"><a class="portfolio" href="/w/${call.here.workspace.slug}/portfolios/${id}">${colored(color, name)}</a></h2>
    <p class="goal-facts">${percentBar(progress_pct, name)} <span class="quiet">${counted(project_count, "project")}</span></p>
    ${top.length > 0 ? treePart(call, top, { goals, people }) : html`<p class="quiet">No goals in this portfolio.</p>`}</section>`;

type Known = { goals: readonly GoalView[]; people: People };

/** Goals have at most ten levels. */
export const treePart = (call: WorkspaceCall, shown: readonly GoalView[], known: Known): Html =>
  html`<ul class="tree">${shown.map((goal) => {
    const below = known.goals.filter(({ parent_goal_id }) => parent_goal_id === goal.id);
    return html`<li>${goalLine(call, goal, known)}${below.length > 0 ? treePart(call, below, known) : ""}</li>`;
  })}</ul>`;

const goalLine = (
  call: WorkspaceCall,
  { id, title, status, progress_pct, cycle_due_at, cycle_due_on, owner_user_id: owner }: GoalView,
  { people }: Known,
): Html =>
  html`<p class="tree-line goal-line"><a dir="auto" href="${goalPath(call, id)}">${title}</a>
    ${goalBadge(status)} ${percentBar(progress_pct, title)}
    ${cycle_due_at === null ? "" : html`<span class="quiet">${due(cycle_due_on ?? cycle_due_at, call.here.now, status === "done")}</span>`}${owner === null ? "" : html` <span class="quiet">${personOf(people, owner).name ?? "Someone"}</span>`}</p>`;
