import { deletedView } from "../../../domain/kernel/wire.ts";
import { create, edit, listPage, lockById, read, remove } from "../../../domain/knowledge/doc-comments/comments.ts";
import {
  docCommentCreated,
  docCommentDeleted,
  docCommentUpdated,
} from "../../../domain/knowledge/doc-comments/events.ts";
import {
  DocCommentCreateInput,
  DocCommentPatchInput,
  DocCommentView,
} from "../../../domain/knowledge/doc-comments/view.ts";
import { byIdWithoutBodies, lockWithoutBodies } from "../../../domain/knowledge/docs/docs.ts";
import { markAbout } from "../../../domain/knowledge/notifications/notifications.ts";
import { MarkListedReadQuery } from "../../../domain/knowledge/notifications/view.ts";
import { operation } from "../../engine/operation.ts";
import { markIfAsked } from "./mark-read.ts";

const common = { needs: "docs:write", limitedKeys: "filter" } as const;

export const docCommentOperations = [
  operation({
    id: "doc-comments.list",
    route: "GET W/docs/{id}/comments",
    summary: "List a doc's comments, oldest first",
    needs: "docs:read",
    limitedKeys: "filter",
    within: byIdWithoutBodies,
    returns: DocCommentView,
    shape: "list",
    query: MarkListedReadQuery,
    handle: async ({ ctx, parent, query, paging }) => {
      const page = await listPage(ctx, parent, paging);
      await markIfAsked(ctx, query, { comment_ids: page.rows.map(({ id }) => id) });
      return page;
    },
  }),
  operation({
    ...common,
    id: "doc-comments.create",
    route: "POST W/docs/{id}/comments",
    summary: "Comment on a doc, on a part of it, or on another comment",
    about:
      "`anchor.quote` says to which part of the text the comment belongs. `parent_id` makes it a reply. `@[Name](user id)` mentions and notifies somebody.",
    on: lockWithoutBodies,
    body: DocCommentCreateInput,
    example: { body_md: "Who **signs** the tag?", anchor: { quote: "Tag the commit" } },
    records: [docCommentCreated],
    returns: DocCommentView,
    status: 201,
    handle: async ({ ctx, on, body }) => {
      const comment = await create(ctx, on, body);
      await markAbout(ctx, { doc_id: on.id });
      return comment;
    },
  }),
  operation({
    ...common,
    id: "doc-comments.patch",
    route: "PATCH W/docs/{id}/comments/{commentId}",
    summary: "Change a comment's text, or resolve it; only its author and admins may",
    about: "`resolved` may be sent alone.",
    within: byIdWithoutBodies,
    on: lockById,
    current: read,
    body: DocCommentPatchInput,
    example: { body_md: "Who signs the tag, and **with which key**?" },
    records: [docCommentUpdated],
    returns: DocCommentView,
    handle: ({ ctx, on, body }) => edit(ctx, on, body),
  }),
  operation({
    ...common,
    id: "doc-comments.delete",
    route: "DELETE W/docs/{id}/comments/{commentId}",
    summary: "Delete a comment; only its author and admins may",
    about: "A comment with replies stays as an empty row with `deleted_at`.",
    within: byIdWithoutBodies,
    on: lockById,
    current: read,
    records: [docCommentDeleted],
    returns: deletedView("comment"),
    handle: ({ ctx, on }) => remove(ctx, on),
  }),
];
