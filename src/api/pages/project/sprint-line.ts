import { type Html, html } from "../../../domain/kernel/html.ts";
import type { SprintView } from "../../../domain/work/planning/views.ts";
import { unlessRefused } from "../issue/read.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import type { SprintChoice } from "./choices.ts";
import { named } from "./head.ts";
import { progressOf } from "./planned.ts";
import { daysOf, sprintBadge } from "./sprints.ts";

/** A sprint with its progress: null if there is none. */
export const readAhead = async (
  site: Site,
  call: WorkspaceCall,
  sprint: SprintChoice | undefined,
): Promise<SprintView | null> =>
  sprint
    ? unlessRefused(site.perform<SprintView>(call, "sprints.get", { params: { ...named(call), id: sprint.id } }), null)
    : null;

/** The sprint that is going on, or the next one, above a board or a backlog. `base`: path of the project's pages. */
export const sprintLine = (sprint: SprintView, base: string): Html =>
  html`<p class="marks ahead"><a class="strong" href="${base}/sprints/${sprint.id}">${sprint.name}</a> ${sprintBadge(sprint)}
    <span class="quiet">${daysOf(sprint)}</span> ${progressOf(sprint)}</p>`;
