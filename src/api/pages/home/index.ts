import type { Site } from "../site/site.ts";
import { workspaceHome } from "./home.ts";
import { inboxPage } from "./inbox.ts";
import { searchPage } from "./search.ts";

/** What a person begins with: the home of a workspace, their inbox, and the search. */
export function homePages(site: Site): void {
  workspaceHome(site);
  inboxPage(site);
  searchPage(site);
}
