import type { Site } from "../site/site.ts";
import { boardPage } from "./board.ts";
import { listPage } from "./list.ts";
import { newProjectPage } from "./new-project.ts";
import { projectsPage } from "./projects.ts";

/** The pages of projects, except those of single issues. */
export function projectPages(site: Site): void {
  projectsPage(site);
  newProjectPage(site);
  boardPage(site);
  listPage(site);
}
