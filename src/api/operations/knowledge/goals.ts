import { aboutChartWidth, chartWidth } from "../../../domain/kernel/chart-width.ts";
import { inputPart } from "../../../domain/kernel/described.ts";
import { deletedView } from "../../../domain/kernel/wire.ts";
import { goalChart } from "../../../domain/knowledge/goals/chart.ts";
import * as goals from "../../../domain/knowledge/goals/goals.ts";
import { GoalCreateInput, GoalListQuery, GoalPatchInput } from "../../../domain/knowledge/goals/inputs.ts";
import { listPage, read } from "../../../domain/knowledge/goals/reads.ts";
import { GoalDeleted, GoalDetailView, GoalView } from "../../../domain/knowledge/goals/view.ts";
import { KeyResultCreateInput, KeyResultPatchInput } from "../../../domain/knowledge/key-results/inputs.ts";
import * as keyResults from "../../../domain/knowledge/key-results/key-results.ts";
import { KeyResultView } from "../../../domain/knowledge/key-results/view.ts";
import { MarkReadQuery } from "../../../domain/knowledge/notifications/view.ts";
import { drawn, SVG } from "../../engine/drawn.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";
import { markIfAsked } from "./mark-read.ts";

export const goalOperations = [
  ...resource("W/goals", {
    id: "goals",
    view: GoalView,
    read: "goals:read",
    write: "goals:write",
    limitedKeys: "refuse",
    entity: goals.byId,
    list: {
      summary: "List goals, newest first",
      about:
        "`scope=company` lists goals without a portfolio. It cannot be combined with `portfolio_id` (400 `mutually_exclusive`). Guests see no goals.",
      query: GoalListQuery,
      handle: ({ ctx, query, paging }) => listPage(ctx, query, paging),
    },
    create: {
      summary: "Create a goal",
      about:
        "Progress comes from key results and from the goals below it: add key results with `POST …/goals/{goalId}/key-results`. Goals have at most ten levels (400 `depth_limit_reached`). You own it unless `owner_user_id` says otherwise.",
      body: GoalCreateInput,
      example: {
        title: "Customers can pay within a minute",
        cycle_start_at: "2030-01-01",
        cycle_due_at: "2030-03-31",
      },
      handle: ({ ctx, body }) => goals.create(ctx, body),
    },
    patch: {
      summary: "Change a goal, or set its status",
      about:
        "The progress of the goals above is computed again in the same call. `progress_override` and `status_override` replace what is computed, until they are `null` again. A goal cannot be moved below itself (400 `goal_cycle`).",
      body: GoalPatchInput,
      example: { title: "Customers can pay within 40 seconds" },
      handle: ({ ctx, on, body }) => goals.change(ctx, on, body),
    },
    remove: {
      summary: "Delete a goal with its key results; the goals below it stay, without a parent",
      about: "`orphaned_goal_count` counts the goals that lost their parent.",
      returns: GoalDeleted,
      handle: ({ ctx, on }) => goals.remove(ctx, on),
    },
  }),
  operation({
    id: "goals.get",
    route: "GET W/goals/{id}",
    summary: "Read a goal with its key results, the goals below it, and how its progress was computed",
    about:
      "Progress is the mean of the measured key results and goals below, by weight; `rollup` shows the numbers. What is not measured does not count, and a goal with nothing measured has the progress `null`. If Accept names `image/svg+xml`, the reply is a chart of the roll-up.",
    needs: "goals:read",
    limitedKeys: "refuse",
    on: read,
    returns: GoalDetailView,
    query: inputPart({ width: aboutChartWidth }, { width: chartWidth }).extend(MarkReadQuery.shape),
    downloads: [SVG],
    handle: async ({ ctx, on, query, asked }) => {
      await markIfAsked(ctx, query, { goal_id: on.id });
      return asked === SVG ? drawn(ctx, goalChart(on, query.width)) : on;
    },
  }),
  ...resource("W/goals/{goalId}/key-results", {
    id: "key-results",
    view: KeyResultView,
    read: "goals:read",
    write: "goals:write",
    limitedKeys: "refuse",
    within: keyResults.goalInPath,
    entity: keyResults.byId,
    current: keyResults.read,
    all: {
      summary: "List a goal's key results, newest first",
      handle: ({ ctx, parent }) => keyResults.list(ctx, parent),
    },
    create: {
      summary: "Create a key result: a value that somebody reports, or a count of issues",
      about:
        "`manual` takes values that people report in `current_value`. `auto` counts the done issues within `scope`, and follows them without further calls; by default it counts the projects of the goal's portfolio, or of the whole workspace.",
      body: KeyResultCreateInput,
      example: { title: "Checkout takes 40 s", kind: "manual", unit: "s", start_value: 90, target_value: 40 },
      handle: ({ ctx, parent, body }) => keyResults.create(ctx, parent, body),
    },
    patch: {
      summary: "Change a key result, or report its value",
      about:
        "The progress of its goal, and of the goals above, is computed again in the same call. `kind` cannot be changed; values sent for an `auto` key result are ignored with a warning.",
      body: KeyResultPatchInput,
      example: { current_value: 70 },
      handle: ({ ctx, on, body }) => keyResults.change(ctx, on, body),
    },
    remove: {
      summary: "Delete a key result",
      about: "The progress of its goal, and of the goals above, is computed again in the same call.",
      returns: deletedView("key result"),
      handle: ({ ctx, on }) => keyResults.remove(ctx, on),
    },
  }),
];
