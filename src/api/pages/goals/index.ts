import type { GoalView } from "../../../domain/knowledge/goals/view.ts";
import type { KeyResultView } from "../../../domain/knowledge/key-results/view.ts";
import { numberOf } from "../kit/typed.ts";
import { actions } from "../site/actions.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { changedKeyResult, madeKeyResult } from "./key-results.ts";
import { listPage } from "./list.ts";
import { GOAL, GOALS, goalPath, goalsPath, inPath } from "./paths.ts";
import { portfolioPages } from "./portfolios.ts";
import { goalPage } from "./show.ts";
import { changedGoal, editPage, newGoal, newPage } from "./write.ts";

/** The pages of goals, key results and portfolios. */
export function goalPages(site: Site): void {
  const toGoal = (call: WorkspaceCall, { id }: GoalView) => goalPath(call, id);
  const toResult = (call: WorkspaceCall, { id }: KeyResultView) => `${goalPath(call)}#key-result-${id}`;

  site.workspace("get", GOALS, (call) => listPage(site, call));
  // Before the pages of goals, whose ids match every path below.
  site.workspace("get", `${GOALS}/new`, (call) => newPage(site, call));
  actions(site, `${GOALS}/new`, (call, refusal) => newPage(site, call, refusal), {
    create: {
      operation: "goals.create",
      input: (call) => ({ body: newGoal(call) }),
      to: toGoal,
      said: "The goal is created.",
    },
  });

  site.workspace("get", GOAL, (call) => goalPage(site, call));
  actions(site, GOAL, (call, refusal) => goalPage(site, call, refusal), {
    delete: {
      operation: "goals.delete",
      input: (call) => ({ params: inPath(call) }),
      to: goalsPath,
      said: "The goal is deleted.",
    },
    "key-result": {
      operation: "key-results.create",
      input: (call) => ({ body: madeKeyResult(call) }),
      to: toResult,
      said: "The key result is added.",
    },
  });

  site.workspace("get", `${GOAL}/edit`, (call) => editPage(site, call));
  actions(site, `${GOAL}/edit`, (call, refusal) => editPage(site, call, refusal), {
    save: {
      operation: "goals.patch",
      input: (call) => ({ params: inPath(call), body: changedGoal(call) }),
      to: toGoal,
      said: "Saved.",
    },
  });

  actions(site, `${GOAL}/key-results/:id`, (call, refusal) => goalPage(site, call, refusal), {
    report: {
      operation: "key-results.patch",
      input: ({ form }) => ({ body: { current_value: numberOf(form.text("current_value")) } }),
      to: toResult,
      said: "The value is reported.",
    },
    save: {
      operation: "key-results.patch",
      input: (call) => ({ body: changedKeyResult(call) }),
      to: toResult,
      said: "Saved.",
    },
    delete: { operation: "key-results.delete", to: (call) => goalPath(call), said: "The key result is deleted." },
  });
  portfolioPages(site);
}
