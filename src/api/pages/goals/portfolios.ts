import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { GoalView } from "../../../domain/knowledge/goals/view.ts";
import type { PortfolioProjectView, PortfolioView } from "../../../domain/knowledge/portfolios/view.ts";
import { allProjects } from "../docs/read.ts";
import { allPeople, personOf } from "../issue/read.ts";
import { hidden, select, textArea, textField } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { act, colored, crumbs, fold, percentBar } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import { long, orNull, valuesOf } from "../kit/typed.ts";
import { written } from "../kit/written.ts";
import { actions, revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { treePart } from "./list.ts";
import { goalsPath } from "./paths.ts";

/** Portfolios: goals and projects that belong together. Admins change them. */

const PORTFOLIOS = "/w/:slug/portfolios";
const PORTFOLIO = `${PORTFOLIOS}/:portfolioId`;

const pathOf = (call: WorkspaceCall, id = call.params.portfolioId ?? "") =>
  `/w/${call.here.workspace.slug}/portfolios/${id}`;

export function portfolioPages(site: Site): void {
  const to = (call: WorkspaceCall, { id }: PortfolioView) => pathOf(call, id);
  site.workspace("get", PORTFOLIOS, async (call) => ({ to: goalsPath(call) }));
  site.workspace("get", `${PORTFOLIOS}/new`, async (call) => newPage(call));
  actions(site, `${PORTFOLIOS}/new`, async (call, refusal) => newPage(call, refusal), {
    create: {
      operation: "portfolios.create",
      input: (call) => ({ body: fieldsIn(call) }),
      to,
      said: "The portfolio is created.",
    },
  });
  site.workspace("get", PORTFOLIO, (call) => portfolioPage(site, call));
  actions(site, PORTFOLIO, (call, refusal) => portfolioPage(site, call, refusal), {
    save: { operation: "portfolios.patch", input: (call) => ({ body: fieldsIn(call) }), to, said: "Saved." },
    delete: { operation: "portfolios.delete", to: goalsPath, said: "The portfolio is deleted." },
    add: {
      operation: "portfolio-projects.create",
      input: ({ form }) => ({ body: { project_id: form.text("project_id") } }),
      to: (call) => pathOf(call),
      said: "The project is added.",
    },
    remove: {
      operation: "portfolio-projects.delete",
      input: ({ form }) => ({ params: { projectId: form.text("project") } }),
      to: (call) => pathOf(call),
      said: "The project is removed from the portfolio.",
    },
  });
}

const fieldsIn = ({ form }: WorkspaceCall) => ({
  name: form.text("name"),
  description_md: orNull(long(form.text("description_md"))),
  color: form.text("color"),
  // A new one is led by nobody yet.
  ...(form.all("lead_user_id").length > 0 ? { lead_user_id: orNull(form.text("lead_user_id")) } : {}),
});

function fieldsPart(call: WorkspaceCall, refusal: Refusal | undefined, stored: Partial<PortfolioView> = {}): Html {
  const values = valuesOf(call.form, refusal);
  return html`${textField({ name: "name", label: "Name", value: values.of("name", stored.name), required: true, max: 120, refusal })}
    ${textArea({ name: "description_md", label: "Description", value: values.of("description_md", stored.description_md), rows: 4, refusal })}
    ${textField({ name: "color", label: "Colour", type: "color", value: values.of("color", stored.color ?? "#0f766e"), required: true, refusal })}`;
}

const newPage = (call: WorkspaceCall, refusal?: Refusal): PageAnswer => ({
  title: "New portfolio",
  status: refusal?.status ?? 200,
  body: html`${crumbs([goalsPath(call), "Goals"])}<h1>New portfolio</h1>${refusal ? problemBox(refusal) : ""}
    <form class="writing" method="post" action="${pathOf(call, "new")}/create">${onceField()}${fieldsPart(call, refusal)}<button>Create</button></form>`,
});

async function portfolioPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const params = { portfolioId: call.params.portfolioId ?? "" };
  const [portfolio, projects, goals, all, people] = await Promise.all([
    site.perform<PortfolioView>(call, "portfolios.get", { params }),
    site.perform<PortfolioProjectView[]>(call, "portfolio-projects.list", { params }),
    site.list<GoalView>(call, "goals.list", { query: { portfolio_id: params.portfolioId, limit: "100" } }),
    allProjects(site, call),
    allPeople(site, call),
  ]);
  const path = pathOf(call, portfolio.id);
  const writes = isAdmin(call.here.principal.role);
  const known = new Set(goals.data.map(({ id }) => id));
  const top = goals.data.filter(({ parent_goal_id }) => parent_goal_id === null || !known.has(parent_goal_id));
  const others = all.filter(({ id }) => !projects.some(({ project_id }) => project_id === id));
  return {
    title: portfolio.name,
    status: refusal?.status ?? 200,
    live: { kinds: ["goal", "portfolio", "key_result"] },
    body: html`${crumbs([goalsPath(call), "Goals"])}<h1 dir="auto">${portfolio.name}</h1>${refusal ? problemBox(refusal) : ""}
      <p class="goal-facts">${colored(portfolio.color, "Portfolio")} ${percentBar(portfolio.progress_pct, portfolio.name)}${portfolio.lead_user_id === null ? "" : person(personOf(people, portfolio.lead_user_id))}</p>
      ${portfolio.description_md ? await written(call.here, portfolio.description_md) : ""}
      <p class="quiet">Created ${ago(portfolio.created_at, call.here.now)} by ${personOf(people, portfolio.created_by).name ?? "someone"}.</p>
      <section aria-labelledby="goals"><h2 id="goals">Goals</h2>${top.length > 0 ? treePart(call, top, { goals: goals.data, people }) : html`<p class="quiet">None.</p>`}
        ${writes ? html`<p><a class="adding-way" href="${goalsPath(call)}/new?portfolio=${portfolio.id}">New goal in this portfolio</a></p>` : ""}</section>
      <section aria-labelledby="projects"><h2 id="projects">Projects</h2>
        ${projects.length === 0 ? html`<p class="quiet">None.</p>` : html`<ul class="tree">${projects.map((project) => projectLine(call, project, writes))}</ul>`}
        ${writes && others.length > 0 ? html`<form class="row check-in" method="post" action="${path}/add">${select({ name: "project_id", label: "Add a project", options: others.map(({ id, name }) => ({ value: id, label: name })), required: true })}<button class="second">Add</button></form>` : ""}</section>
      ${
        writes
          ? html`${fold("Change this portfolio", html`<form class="writing" method="post" action="${path}/save">${revisionField(portfolio)}${fieldsPart(call, refusal?.is("validation_failed") ? refusal : undefined, portfolio)}${select({ name: "lead_user_id", label: "Lead", value: portfolio.lead_user_id, options: [...people.values()].map(({ id, name }) => ({ value: id, label: name ?? "Someone" })), none: "Nobody" })}<button>Save</button></form>`)}
            ${askFirst({ ask: "Delete", about: portfolio.name, action: `${path}/delete`, consequence: "Its goals become goals of the company. Its projects stay.", confirm: "Delete the portfolio" })}`
          : ""
      }`,
  };
}

const projectLine = (call: WorkspaceCall, project: PortfolioProjectView, writes: boolean): Html =>
  html`<li><div class="tree-line goal-line"><a dir="auto" href="/w/${call.here.workspace.slug}/p/${project.project_key.toLowerCase()}">${project.name}</a> ${percentBar(project.progress_pct, project.name)}
    ${writes ? act(`${pathOf(call)}/remove`, "Remove", { fields: hidden("project", project.project_id), name: `Remove ${project.name}` }) : ""}</div></li>`;
