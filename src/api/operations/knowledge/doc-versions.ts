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
    needs: "docs:write",
    limitedKeys: "filter",
    within: (ctx, id) => lockById(ctx, id),
    on: versionById,
    records: [docUpdated],
    returns: DocView,
    handle: ({ ctx, parent, on }) => restore(ctx, parent, on),
  }),
];
