import { deletedView } from "../../../domain/kernel/wire.ts";
import * as entries from "../../../domain/work/time/entries.ts";
import { TimeEntryCreateInput, TimeEntryPatchInput, TimePatchInput } from "../../../domain/work/time/inputs.ts";
import { patch, read } from "../../../domain/work/time/time.ts";
import { TimeEntryView, TimeTrackingView } from "../../../domain/work/time/view.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

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
      "`log` adds minutes to the time spent, keeps an entry with a note and a day, and lowers `remaining_minutes` if it was set. `spent_minutes` sets the total instead; the two cannot be sent together. Only admins take back minutes that others logged. To correct an entry, change or delete it under `time/entries`.",
    needs: "issues:write",
    body: TimePatchInput,
    example: { estimate_minutes: 240, log: { minutes: 30, note: "Looked at the logs" } },
    returns: TimeTrackingView,
    handle: ({ ctx, body }) => patch(ctx, body),
  }),
  ...resource("I/time/entries", {
    id: "time-entries",
    view: TimeEntryView,
    read: "issues:read",
    write: "issues:write",
    param: "entryId",
    entity: entries.byId,
    list: {
      summary: "List the entries of an issue's time log, newest first",
      about: "Their sum need not be `spent_minutes`, which can also be set as a whole.",
      handle: ({ ctx, paging }) => entries.listPage(ctx, paging),
    },
    create: {
      summary: "Log time spent on an issue",
      about: "Like `log` in `PATCH …/time`, and returns the entry alone, with the id by which it can be corrected.",
      body: TimeEntryCreateInput,
      example: { minutes: 30, note: "Looked at the logs" },
      handle: ({ ctx, body }) => entries.addEntry(ctx, body),
    },
    get: { summary: "Read an entry of an issue's time log", row: entries.read },
    patch: {
      summary: "Correct an entry of an issue's time log",
      about:
        "The author, owners and admins may. `spent_minutes` of the issue changes by the difference, and `remaining_minutes` as if the entry had been right from the start, if it was set.",
      body: TimeEntryPatchInput,
      example: { minutes: 45 },
      handle: ({ ctx, on, body }) => entries.edit(ctx, on, body),
    },
    remove: {
      summary: "Delete an entry of an issue's time log",
      about:
        "The author, owners and admins may. Its minutes are taken back from `spent_minutes` of the issue, and `remaining_minutes` gets back what they took from it, if it was set.",
      returns: deletedView("entry"),
      handle: ({ ctx, on }) => entries.remove(ctx, on),
    },
  }),
];
