import type { Change } from "../../../domain/events/changes.sql.ts";
import type { Principal } from "../../../domain/kernel/principal.ts";

/** Which changes concern a page. */

/** What a page shows. Everything that is named must fit; what is left out may be anything that the person can see. */
export type Live = {
  /** Id of the project. */
  project?: string;
  /** Ids of issues. */
  issues?: readonly string[];
  /** Id of a channel of the chat. */
  channel?: string;
  /** Beginnings of types of events, such as `issue` or `agent.session`. */
  kinds?: readonly string[];
};

/** Address of the stream that tells a page of changes. @param since when the page was made */
export function streamPath(slug: string, { project, issues = [], channel, kinds = [] }: Live, since: string): string {
  const query = new URLSearchParams({ since });
  if (project) query.set("project", project);
  if (channel) query.set("channel", channel);
  if (issues.length > 0) query.set("issues", issues.join(","));
  if (kinds.length > 0) query.set("kinds", kinds.join(","));
  return `/w/${slug}/live?${query}`;
}

/** What somebody may see. `projects`: null if the page shows one project, which is checked by itself. */
export type Seeing = { principal: Pick<Principal, "user_id" | "role">; projects: ReadonlySet<string> | null };

export function concerns(change: Change, { project, issues, channel, kinds }: Live, seeing: Seeing): boolean {
  if (!isVisible(change, seeing, channel)) return false;
  if (project && change.project_id !== project) return false;
  if (channel && change.channel_id !== channel) return false;
  if (issues?.length && !issues.includes(change.issue_id ?? "")) return false;
  return !kinds?.length || kinds.some((kind) => change.type === kind || change.type.startsWith(`${kind}.`));
}

function isVisible(change: Change, { principal, projects }: Seeing, channel: string | undefined): boolean {
  if (change.person_id !== null) return change.person_id === principal.user_id;
  if (change.is_private && change.channel_id !== channel) return false;
  if (change.project_id !== null) return projects === null || projects.has(change.project_id);
  return principal.role !== "guest";
}
