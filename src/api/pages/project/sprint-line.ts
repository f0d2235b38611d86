import { type Html, html } from "../../../domain/kernel/html.ts";
import type { SprintView } from "../../../domain/work/planning/views.ts";
import { progressOf } from "./planned.ts";
import { daysOf, sprintBadge } from "./sprints.ts";

/** The sprint that is going on, or the next one, above a board or a backlog. `base`: path of the project's pages. */
export const sprintLine = (sprint: SprintView, base: string): Html =>
  html`<p class="marks ahead"><a class="strong" href="${base}/sprints/${sprint.id}">${sprint.name}</a> ${sprintBadge(sprint)}
    <span class="quiet">${daysOf(sprint)}</span> ${progressOf(sprint)}</p>`;
