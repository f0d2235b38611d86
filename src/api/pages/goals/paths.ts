import type { Html } from "../../../domain/kernel/html.ts";
import type { GoalStatus } from "../../../domain/knowledge/goals/status.ts";
import type { GoalView } from "../../../domain/knowledge/goals/view.ts";
import { badge, type Tone } from "../kit/pieces.ts";
import { words } from "../kit/words.ts";
import type { List } from "../site/perform.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";

/** The pages of goals: `/w/:slug/goals`, and below it each goal by its id. */

export const GOALS = "/w/:slug/goals";
export const GOAL = `${GOALS}/:goalId`;

export const KEY_RESULT = `${GOAL}/key-results/:id`;

export const goalsPath = ({ here }: WorkspaceCall): string => `/w/${here.workspace.slug}/goals`;
export const goalPath = (call: WorkspaceCall, id = call.params.goalId ?? ""): string => `${goalsPath(call)}/${id}`;

/** The goal as operations name it in their paths. */
export const inPath = ({ params }: WorkspaceCall) => ({ id: params.goalId ?? "" });

const TONES: Record<GoalStatus, Tone> = {
  on_track: "good",
  at_risk: "warn",
  off_track: "bad",
  done: "good",
  not_started: "quiet",
};

export const goalBadge = (status: GoalStatus): Html => badge(words(status), TONES[status]);

/** Goals that one page reads, in lists of a hundred. */
const MAX_PAGES = 3;

/** `isAll`: there are no more. */
export async function readGoals(site: Site, call: WorkspaceCall): Promise<{ goals: GoalView[]; isAll: boolean }> {
  const goals: GoalView[] = [];
  let cursor: string | null = "";
  for (let page = 0; page < MAX_PAGES && cursor !== null; page++) {
    const list: List<GoalView> = await site.list(call, "goals.list", { query: { limit: "100", cursor } });
    goals.push(...list.data);
    cursor = list.next;
  }
  return { goals, isAll: cursor === null };
}
