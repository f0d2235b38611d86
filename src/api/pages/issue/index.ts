import { PROJECT } from "../project/head.ts";
import type { Site } from "../site/site.ts";
import { show } from "./page.ts";

/** The page of an issue. `:issue` matches everything below a project, so this comes after all other pages of it. */

export const ISSUE = `${PROJECT}/:issue`;

export function issuePages(site: Site): void {
  site.workspace("get", ISSUE, (call) => show(site, call));
}
