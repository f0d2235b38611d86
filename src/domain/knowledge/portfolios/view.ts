import { z } from "zod";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import {
  aboutPortfolio,
  aboutPortfolioDeleted,
  aboutPortfolioProject,
  aboutPortfolioProjectRemoved,
} from "./descriptions.ts";

const count = z.number().int();
const percent = count.nullable();

export const PortfolioView = view("Portfolio", aboutPortfolio, {
  id,
  workspace_id: id,
  name: z.string(),
  description_md: z.string().nullable(),
  color: z.string(),
  lead_user_id: id.nullable(),
  created_by: id,
  created_at: timestamp,
  updated_at: timestamp,
  goal_count: count,
  project_count: count,
  progress_pct: percent,
});
export type PortfolioView = z.output<typeof PortfolioView>;

/** A portfolio as statements return it. */
export type PortfolioRow = PortfolioView & {
  /** Number of projects that all members see. */
  open_project_count: number;
};

/** A portfolio as the caller sees it. */
export const portfolioView = ({ open_project_count: _, ...row }: PortfolioRow): PortfolioView => row;

/** A portfolio as events show it. All members may read them, so projects that only their members see do not count. */
export const announcedView = ({ open_project_count, ...row }: PortfolioRow): PortfolioView => ({
  ...row,
  project_count: open_project_count,
});

export const PortfolioDeleted = part(aboutPortfolioDeleted, {
  id,
  deleted: z.literal(true),
  released_goal_count: count,
  removed_project_count: count,
});
export type PortfolioDeleted = z.output<typeof PortfolioDeleted>;

export const PortfolioProjectView = view("PortfolioProject", aboutPortfolioProject, {
  portfolio_id: id,
  project_id: id,
  project_key: z.string(),
  name: z.string(),
  progress_pct: percent,
  added_at: timestamp,
});
export type PortfolioProjectView = z.output<typeof PortfolioProjectView>;

export const PortfolioProjectRemoved = part(aboutPortfolioProjectRemoved, {
  portfolio_id: id,
  project_id: id,
  removed: z.literal(true),
});
export type PortfolioProjectRemoved = z.output<typeof PortfolioProjectRemoved>;
