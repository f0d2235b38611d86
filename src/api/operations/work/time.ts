import { TimePatchInput } from "../../../domain/work/time/inputs.ts";
import { patch, read } from "../../../domain/work/time/time.ts";
import { TimeTrackingView } from "../../../domain/work/time/view.ts";
import { operation } from "../../engine/operation.ts";

export const timeOperations = [
  operation({
    id: "time.get",
    route: "GET I/time",
    summary: "Read an issue's estimate and the time spent on it",
    about:
      "`remaining_minutes` is the estimate less the time spent, unless it was set. `children_spent_minutes` is not part of `spent_minutes`.",
    needs: "issues:read",
    returns: TimeTrackingView,
    handle: ({ ctx }) => read(ctx),
  }),
  operation({
    id: "time.patch",
    route: "PATCH I/time",
    summary: "Change an issue's estimate, or log time spent on it",
    about:
      "`log` adds minutes to the time spent and keeps an entry with a note and a day; negative minutes correct an earlier entry. `spent_minutes` sets the total instead; the two cannot be sent together.",
    needs: "issues:write",
    body: TimePatchInput,
    example: { estimate_minutes: 240, log: { minutes: 30, note: "Looked at the logs" } },
    returns: TimeTrackingView,
    handle: ({ ctx, body }) => patch(ctx, body),
  }),
];
