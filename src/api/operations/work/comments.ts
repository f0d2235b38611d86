import { deletedView } from "../../../domain/kernel/wire.ts";
import { markAbout } from "../../../domain/knowledge/notifications/notifications.ts";
import { MarkListedReadQuery } from "../../../domain/knowledge/notifications/view.ts";
import {
  BulkCommentsCreateInput,
  byId,
  CommentCreateInput,
  CommentPatchInput,
  CommentQuery,
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
import { markIfAsked } from "../knowledge/mark-read.ts";

export const commentOperations = [
  ...resource("I/comments", {
    id: "comments",
    view: CommentView,
    read: "comments:read",
    write: "comments:write",
    writers: "guests",
    entity: byId,
    current: read,
    list: {
      summary: "List an issue's comments, oldest first",
      about:
        "Replies are in the list too; `parent_id` names the comment that they answer. `from` begins with one of the comments, e.g. with one that a search has found. A deleted comment that has replies stays as an empty row with `deleted_at`.",
      query: CommentQuery.extend(MarkListedReadQuery.shape),
      handle: async ({ ctx, query, paging }) => {
        const page = await listPage(ctx, query, paging);
        await markIfAsked(ctx, query, { comment_ids: page.rows.map(({ id }) => id) });
        return page;
      },
    },
    create: {
      summary: "Comment on an issue",
      about:
        "`@[Name](user id)` mentions and notifies somebody; the author starts watching the issue. A person's comment on an issue also reaches the agents that work on it, as `agent_session.input`. `parent_id` makes it a reply; replies have one level. The same `external_id` by the same author returns the existing comment.",
      body: CommentCreateInput,
      example: { body_md: "Happens on **iOS 18**, too." },
      handle: async ({ ctx, body }) => {
        const comment = await create(ctx, body);
        await markAbout(ctx, { issue_id: ctx.issue.id });
        return comment;
      },
    },
    patch: {
      summary: "Change a comment's text",
      about: "The author, owners and admins may. Only people whom the earlier text did not mention are notified.",
      body: CommentPatchInput,
      example: { body_md: "Happens on **iOS 17 and 18**." },
      handle: ({ ctx, on, body }) => edit(ctx, on, body),
    },
    remove: {
      summary: "Delete a comment",
      about: "The author, owners and admins may. A comment with replies stays as an empty row with `deleted_at`.",
      returns: deletedView("comment"),
      handle: ({ ctx, on }) => remove(ctx, on),
    },
  }),
  operation({
    id: "comments.bulk-create",
    route: "POST I/comments/bulk",
    summary: "Add 1 to 50 comments; each item has its own result",
    about: "All items belong to the issue in the path.",
    needs: "comments:write",
    body: BulkCommentsCreateInput,
    example: { items: [{ body_md: "Happens on **iOS 18**, too." }, { body_md: "Fixed in 1.4." }] },
    item: CommentCreateInput,
    returns: CommentView,
    shape: "bulk",
    writers: "guests",
    cost: bulkCost,
    handle: async ({ ctx, items }) => {
      const rows = bulkRows(await createMany(ctx, items));
      await markAbout(ctx, { issue_id: ctx.issue.id });
      return rows;
    },
  }),
];
