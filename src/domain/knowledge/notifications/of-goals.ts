import { goalStatusChanged } from "../goals/events.ts";
import { notice, rule } from "./notice.ts";

/** What goals notify of. */

const IS_WATCHED = `
  exists (select from goal_watcher w where w.workspace_id = e.workspace_id and w.goal_id = (e.data ->> 'id')::uuid)`;

export const goalRules = [
  rule(goalStatusChanged, IS_WATCHED, ({ data }) => {
    const status = (data.status ?? "another status").replaceAll("_", " ");
    const title = `The status of a goal is now: ${status}`;
    return [notice("status_changed", { goal_id: data.id }, { circle: "watchers", title, body: data.title ?? "" })];
  }),
];
