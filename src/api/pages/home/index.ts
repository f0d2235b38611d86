import type { Site } from "../site/site.ts";
import { workspaceHome } from "./home.ts";

/** What a person begins with: the home of a workspace. */
export function homePages(site: Site): void {
  workspaceHome(site);
}
