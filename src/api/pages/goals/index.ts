import type { GoalView } from "../../../domain/knowledge/goals/view.ts";
import type { KeyResultView } from "../../../domain/knowledge/key-results/view.ts";
import { SVG } from "../../engine/drawn.ts";
import { numberOf } from "../kit/typed.ts";
import { actions } from "../site/actions.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { changedKeyResult, keyResultPage } from "./key-result-form.ts";
import { madeKeyResult } from "./key-results.ts";
import { listPage } from "./list.ts";
import { GOAL, GOALS, goalPath, goalsPath, inPath, KEY_RESULT } from "./paths.ts";
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
  site.workspace("get", `${GOAL}/picture.svg`, async (call) => {
    const width = call.query("width");
    const query: Record<string, string> = width === "" ? {} : { width };
    const file = await site.file(call, "goals.get", { params: inPath(call), query, headers: { accept: SVG } });
    return { file, type: SVG };
  });
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
      // Which issues count is said on a page of its own.
      to: (call, made: KeyResultView) =>
        made.kind === "auto" ? `${goalPath(call)}/key-results/${made.id}/edit` : toResult(call, made),
      said: ({ kind }: KeyResultView) =>
        `The key result is added.${kind === "auto" ? " Choose which issues count." : ""}`,
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

  actions(site, KEY_RESULT, (call, refusal) => goalPage(site, call, refusal), {
    report: {
      operation: "key-results.patch",
      input: ({ form }) => ({ body: { current_value: numberOf(form.text("current_value")) } }),
      to: toResult,
      said: "The value is reported.",
    },
    delete: { operation: "key-results.delete", to: (call) => goalPath(call), said: "The key result is deleted." },
  });
  site.workspace("get", `${KEY_RESULT}/edit`, (call) => keyResultPage(site, call));
  actions(site, `${KEY_RESULT}/edit`, (call, refusal) => keyResultPage(site, call, refusal), {
    save: {
      operation: "key-results.patch",
      input: (call) => ({ body: changedKeyResult(call) }),
      to: toResult,
      said: "Saved.",
    },
  });
  portfolioPages(site);
}
