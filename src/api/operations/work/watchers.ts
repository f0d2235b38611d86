import { WatcherView } from "../../../domain/work/watchers/view.ts";
import { byUser, list, read, unwatch, WatcherDeleted, watch } from "../../../domain/work/watchers/watchers.ts";
import { operation } from "../../engine/operation.ts";

export const watcherOperations = [
  operation({
    id: "watchers.list",
    route: "GET I/watchers",
    summary: "List all watchers of an issue",
    needs: "issues:read",
    returns: WatcherView,
    shape: "all",
    handle: ({ ctx }) => list(ctx),
  }),
  operation({
    id: "watchers.create",
    route: "POST I/watchers",
    summary: "Watch an issue; watching it again changes nothing",
    about:
      "Makes the caller a watcher, who is notified of comments and changes. Reporters, assignees, commenters and mentioned people watch without this call.",
    needs: "issues:write",
    returns: WatcherView,
    writers: "viewers",
    handle: ({ ctx }) => watch(ctx),
  }),
  operation({
    id: "watchers.delete",
    route: "DELETE I/watchers/{userId}",
    summary: "Stop watching an issue; admins may stop others",
    about:
      "Stopping again changes nothing. It also holds for the reporter, assignees and commenters, until the person is mentioned or assigned again, or watches the issue again.",
    needs: "issues:write",
    on: byUser,
    current: read,
    returns: WatcherDeleted,
    writers: "viewers",
    handle: ({ ctx, on }) => unwatch(ctx, on),
  }),
];
