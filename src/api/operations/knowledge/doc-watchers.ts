import { byIdWithoutBodies, lockWithoutBodies } from "../../../domain/knowledge/docs/docs.ts";
import { byUser, list, read, unwatch, watch } from "../../../domain/knowledge/docs/watchers.ts";
import { WatcherView } from "../../../domain/work/watchers/view.ts";
import { WatcherDeleted } from "../../../domain/work/watchers/watchers.ts";
import { operation } from "../../engine/operation.ts";

export const docWatcherOperations = [
  operation({
    id: "doc-watchers.list",
    route: "GET W/docs/{id}/watchers",
    summary: "List all watchers of a doc",
    needs: "docs:read",
    limitedKeys: "filter",
    within: byIdWithoutBodies,
    returns: WatcherView,
    shape: "all",
    handle: ({ ctx, parent }) => list(ctx, parent),
  }),
  operation({
    id: "doc-watchers.create",
    route: "POST W/docs/{id}/watchers",
    summary: "Watch a doc; watching it again changes nothing",
    about:
      "Makes the caller a watcher, who is notified of comments. The author, commenters and people mentioned in comments watch without this call.",
    needs: "docs:write",
    limitedKeys: "filter",
    on: lockWithoutBodies,
    returns: WatcherView,
    writers: "viewers",
    handle: ({ ctx, on }) => watch(ctx, on),
  }),
  operation({
    id: "doc-watchers.delete",
    route: "DELETE W/docs/{id}/watchers/{userId}",
    summary: "Stop watching a doc; admins may stop others",
    about: "Stopping again changes nothing. It holds until the person is mentioned or watches the doc again.",
    needs: "docs:write",
    limitedKeys: "filter",
    within: byIdWithoutBodies,
    on: byUser,
    current: read,
    returns: WatcherDeleted,
    writers: "viewers",
    handle: ({ ctx, on, parent }) => unwatch(ctx, parent, on),
  }),
];
