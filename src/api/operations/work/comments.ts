import { deletedView } from "../../../domain/kernel/wire.ts";
import {
  BulkCommentsCreateInput,
  byId,
  CommentCreateInput,
  CommentPatchInput,
  create,
  createMany,
  edit,
  listPage,
  read,
  remove,
} from "../../../domain/work/comments/comments.ts";
import { CommentView } from "../../../domain/work/comments/view.ts";
import { bulkCost, bulkRows } from "../../engine/bulk.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

export const commentOperations = [
  ...resource("I/comments", {
    id: "comments",
    view: CommentView,
    read: "comments:read",
    write: "comments:write",
    writers: "guests",
    entity: byId,
    current: read,
    list: { summary: "List an issue's comments, oldest first", handle: ({ ctx, paging }) => listPage(ctx, paging) },
    create: {
      summary: "Comment on an issue",
      body: CommentCreateInput,
      example: { body_md: "Happens on **iOS 18**, too." },
      handle: ({ ctx, body }) => create(ctx, body),
    },
    patch: {
      summary: "Change a comment's text",
      body: CommentPatchInput,
      example: { body_md: "Happens on **iOS 17 and 18**." },
      handle: ({ ctx, on, body }) => edit(ctx, on, body),
    },
    remove: { summary: "Delete a comment", returns: deletedView("comment"), handle: ({ ctx, on }) => remove(ctx, on) },
  }),
  operation({
    id: "comments.bulk-create",
    route: "POST I/comments/bulk",
    summary: "Add 1 to 50 comments; each item has its own result",
    needs: "comments:write",
    body: BulkCommentsCreateInput,
    example: { items: [{ body_md: "Happens on **iOS 18**, too." }, { body_md: "Fixed in 1.4." }] },
    item: CommentCreateInput,
    returns: CommentView,
    shape: "bulk",
    writers: "guests",
    cost: bulkCost,
    handle: async ({ ctx, items }) => bulkRows(await createMany(ctx, items)),
  }),
];
