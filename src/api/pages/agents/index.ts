import type { Site } from "../site/site.ts";
import { agentPage } from "./agent.ts";
import { agentsPage } from "./agents.ts";
import { sessionPage } from "./session.ts";

/** The agents of a workspace and their sessions. */
export function agentPages(site: Site): void {
  agentsPage(site);
  // Before the page of an agent, whose path matches, too.
  sessionPage(site);
  agentPage(site);
}
