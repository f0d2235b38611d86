import { byIdWithoutBodies, lockById } from "../../../domain/knowledge/docs/docs.ts";
import { docUpdated } from "../../../domain/knowledge/docs/events.ts";
import { restore } from "../../../domain/knowledge/docs/restore.ts";
import { DocVersionSummaryView, DocVersionView, versionView } from "../../../domain/knowledge/docs/version-view.ts";
import { listPage, versionById } from "../../../domain/knowledge/docs/versions.ts";
import { DocView } from "../../../domain/knowledge/docs/view.ts";
import { operation } from "../../engine/operation.ts";

export const docVersionOperations = [
  operation({
    id: "doc-versions.list",
    route: "GET W/docs/{id}/versions",
    summary: "List a doc's versions, newest first, without their texts",
    about: "How many versions are kept depends on the plan; the oldest go first.",
    needs: "docs:read",
    limitedKeys: "filter",
    within: byIdWithoutBodies,
    returns: DocVersionSummaryView,
    shape: "list",
    handle: ({ ctx, parent, paging }) => listPage(ctx, parent, paging),
  }),
  operation({
    id: "doc-versions.get",
    route: "GET W/docs/{id}/versions/{versionId}",
    summary: "Read a version of a doc",
    about: "Send its id to `POST …/versions/{versionId}/restore` to bring the doc back to it.",
    needs: "docs:read",
    limitedKeys: "filter",
    within: byIdWithoutBodies,
    on: versionById,
    returns: DocVersionView,
    handle: async ({ ctx, on }) => versionView(ctx, on),
  }),
  operation({
    id: "doc-versions.restore",
    route: "POST W/docs/{id}/versions/{versionId}/restore",
    summary: "Restore a doc's title and text to those of a version; the present ones are kept as a version",
    about:
      "The restored state becomes the newest version, so nothing is lost. Comments, the place of the doc and its visibility do not change.",
    needs: "docs:write",
    limitedKeys: "filter",
    within: (ctx, id) => lockById(ctx, id),
    on: versionById,
    records: [docUpdated],
    returns: DocView,
    handle: ({ ctx, parent, on }) => restore(ctx, parent, on),
  }),
];
