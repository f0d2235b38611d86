import { defineEvent } from "../../events/define-event.ts";
import { PortfolioView } from "./view.ts";

/**
 * The goals and projects that a portfolio counts have events of their own. `portfolio.updated` names `project_count` in
 * `changed` only when a project is added or removed.
 */
const ofPortfolio = {
  view: PortfolioView,
  audience: "members",
  derived: ["updated_at", "goal_count", "progress_pct"],
} as const;

export const portfolioCreated = defineEvent("portfolio.created", ofPortfolio);
export const portfolioUpdated = defineEvent("portfolio.updated", ofPortfolio);
export const portfolioDeleted = defineEvent("portfolio.deleted", ofPortfolio);
