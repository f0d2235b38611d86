import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of portfolios, for the API description. */

const portfolio = {
  name: ["What people see as the portfolio's name.", "Payments"],
  description_md: [
    "What the portfolio brings together, as Markdown. `null` if nobody said.",
    "Everything around **paying**.",
  ],
} as const;

export const aboutPortfolio = {
  ...portfolio,
  id: idOf("portfolio", "portfolio"),
  workspace_id: ["The workspace whose goals and projects it groups.", SAMPLE.workspace],
  color: ["Color (`#RRGGBB`) that shows the portfolio in lists.", "#8b8f98"],
  lead_user_id: userId("User id of the person or agent who leads the portfolio. `null` if nobody does."),
  goal_count: countOf("How many goals are in the portfolio, also those below other goals.", 4),
  project_count: countOf(
    "Number of projects in the portfolio that you can see. In events: without projects that only their members see.",
  ),
  progress_pct: [
    "Mean of the portfolio's topmost goals by weight and of its projects (weight 1), in whole percent. 100 only if all is done, 0 only if nothing is. Projects that only their members see do not count. `null` if nothing is measured.",
    40,
  ],
  created_by: userId("User id of the person or agent who created the portfolio."),
  ...timesOf("portfolio"),
} as const;

export const aboutPortfolioInput = {
  ...portfolio,
  color: ["Color (`#RRGGBB`) that shows the portfolio in lists. If it is missing on creation: `#8b8f98`.", "#8b8f98"],
  lead_user_id: ["Who leads the portfolio: user id, e-mail or `me`. `null`: nobody.", "me"],
} as const;

export const aboutPortfolioDeleted = {
  id: ["The portfolio that is gone.", SAMPLE.portfolio],
  deleted: ["Always `true`."],
  released_goal_count: countOf("Number of its goals. They are goals of the company now.", 4),
  removed_project_count: countOf("Number of its projects. They stay as they are."),
} as const;

const projectId = ["The project whose progress counts in the portfolio.", SAMPLE.project] as const;

export const aboutPortfolioProject = {
  portfolio_id: idOf("portfolio", "portfolio"),
  project_id: projectId,
  project_key: ["The project, by the key that paths and issue keys use.", "WEB"],
  name: ["The project's present name, for people.", "Website"],
  progress_pct: [
    "Share of the project's issues that are done, in whole percent. Cancelled and archived issues do not count. 100 only if all are done, 0 only if none is. `null` if there are none.",
    40,
  ],
  added_at: ["When the project was added to the portfolio.", "2026-01-16T14:05:12.480Z"],
} as const;

export const aboutPortfolioProjectInput = {
  project_id: ["Project to add: id, key or slug.", SAMPLE.project],
} as const;

export const aboutPortfolioProjectRemoved = {
  portfolio_id: idOf("portfolio", "portfolio"),
  project_id: projectId,
  removed: ["Always `true`."],
} as const;
