import {
  PortfolioCreateInput,
  PortfolioPatchInput,
  PortfolioProjectAddInput,
} from "../../../domain/knowledge/portfolios/inputs.ts";
import * as portfolios from "../../../domain/knowledge/portfolios/portfolios.ts";
import * as projects from "../../../domain/knowledge/portfolios/projects.ts";
import {
  PortfolioDeleted,
  PortfolioProjectRemoved,
  PortfolioProjectView,
  PortfolioView,
} from "../../../domain/knowledge/portfolios/view.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

export const portfolioOperations = [
  ...resource("W/portfolios", {
    id: "portfolios",
    view: PortfolioView,
    read: "portfolios:read",
    write: "portfolios:write",
    limitedKeys: "refuse",
    param: "portfolioId",
    entity: portfolios.byId,
    list: {
      summary: "List portfolios, newest first",
      handle: ({ ctx, paging }) => portfolios.listPage(ctx, paging),
    },
    get: { summary: "Read a portfolio", row: portfolios.read },
    create: {
      summary: "Create a portfolio",
      about: "Add projects with `POST …/portfolios/{portfolioId}/projects`, and goals with `portfolio_id` of the goal.",
      body: PortfolioCreateInput,
      example: { name: "Payments", lead_user_id: "me" },
      handle: ({ ctx, body }) => portfolios.create(ctx, body),
    },
    patch: {
      summary: "Change a portfolio",
      about: "Goals and projects in it do not change.",
      body: PortfolioPatchInput,
      example: { name: "Payments and billing" },
      handle: ({ ctx, on, body }) => portfolios.change(ctx, on, body),
    },
    remove: {
      summary: "Delete a portfolio; its goals become goals of the company, its projects stay",
      about:
        "`released_goal_count` and `removed_project_count` count what it contained. Automatic key results that counted the portfolio's projects count others now.",
      returns: PortfolioDeleted,
      handle: ({ ctx, on }) => portfolios.remove(ctx, on),
    },
  }),
  operation({
    id: "portfolio-projects.list",
    route: "GET W/portfolios/{portfolioId}/projects",
    summary: "List the projects of a portfolio that you can see, by name",
    needs: "portfolios:read",
    limitedKeys: "refuse",
    within: projects.portfolioInPath,
    returns: PortfolioProjectView,
    shape: "all",
    handle: ({ ctx, parent }) => projects.list(ctx, parent),
  }),
  operation({
    id: "portfolio-projects.create",
    route: "POST W/portfolios/{portfolioId}/projects",
    summary: "Add a project to a portfolio",
    about:
      "Adding it again changes nothing; the reply is 201 in any case. Automatic key results of the portfolio's goals count its issues too.",
    needs: "portfolios:write",
    limitedKeys: "refuse",
    within: projects.portfolioInPath,
    body: PortfolioProjectAddInput,
    example: { project_id: "WEB" },
    returns: PortfolioProjectView,
    status: 201,
    handle: ({ ctx, parent, project }) => projects.add(ctx, parent, project!),
  }),
  operation({
    id: "portfolio-projects.delete",
    route: "DELETE W/portfolios/{portfolioId}/projects/{projectId}",
    summary: "Remove a project from a portfolio; the project stays as it is",
    about: "The reply is 200 also if the project was not in the portfolio.",
    needs: "portfolios:write",
    limitedKeys: "refuse",
    within: projects.portfolioInPath,
    on: projects.projectInPath,
    current: projects.read,
    returns: PortfolioProjectRemoved,
    onArchived: true,
    handle: ({ ctx, parent, on }) => projects.remove(ctx, parent, on),
  }),
];
