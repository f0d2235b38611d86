import type { Site } from "../site/site.ts";
import { backlogPage } from "./backlog.ts";
import { boardPage } from "./board.ts";
import { listPage } from "./list.ts";
import { newIssuePage } from "./new-issue.ts";
import { newProjectPage } from "./new-project.ts";
import { plansPages } from "./plans.ts";
import { projectsPage } from "./projects.ts";
import { settingsPage } from "./settings.ts";
import { sprintPage } from "./sprint.ts";
import { sprintsPage } from "./sprints.ts";

/** The pages of projects, except those of single issues. */
export function projectPages(site: Site): void {
  projectsPage(site);
  newProjectPage(site);
  boardPage(site);
  listPage(site);
  newIssuePage(site);
  backlogPage(site);
  sprintsPage(site);
  sprintPage(site);
  plansPages(site);
  settingsPage(site);
}
