import { WatcherView } from "../../../domain/work/watchers/view.ts";
import { byUser, list, read, unwatch, WatcherDeleted, watch } from "../../../domain/work/watchers/watchers.ts";
import { operation } from "../../engine/operation.ts";

export const watcherOperations = [
  operation({
    id: "watchers.list",
    route: "GET I/watchers",
    summary: "Who watches an issue, all at once",
    needs: "issues:read",
    returns: WatcherView,
    shape: "all",
    handle: ({ ctx }) => list(ctx),
  }),
  operation({
    id: "watchers.create",
    route: "POST I/watchers",
    summary: "Watch an issue; who watches already stays as they are",
    needs: "issues:write",
    returns: WatcherView,
    writers: "viewers",
    handle: ({ ctx }) => watch(ctx),
  }),
  operation({
    id: "watchers.delete",
    route: "DELETE I/watchers/{userId}",
    summary: "Stop watching an issue; admins may stop others",
    needs: "issues:write",
    on: byUser,
    current: read,
    returns: WatcherDeleted,
    writers: "viewers",
    handle: ({ ctx, on }) => unwatch(ctx, on),
  }),
];
