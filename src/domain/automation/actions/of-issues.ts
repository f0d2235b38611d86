import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { reference, text } from "../../kernel/wire.ts";
import { create as createComment } from "../../work/comments/comments.ts";
import { archive } from "../../work/issues/archive.ts";
import { priority } from "../../work/issues/inputs.ts";
import { done, onIssues, skipped } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { changed } from "./effects.ts";
import { statusProblems } from "./references.ts";
import { columnNamed } from "./statuses.ts";
import { target } from "./targets.ts";
import { markdown, pathProblems } from "./texts.ts";

/** Actions that move, comment on and archive issues. */

const SetStatus = inputPart(aboutAction, { type: z.literal("set_status"), status: reference, target });

export const setStatus = onIssues(SetStatus, {
  scopes: ["issues:write"],
  check: (ctx, { status }) => statusProblems(ctx, "/status", status),
  run: async (ctx, { status }) =>
    changed(ctx, await columnNamed(ctx, status), ({ status_name }) => `Status: ${status_name}`),
  says: ({ status }) => `Set the status to ${status}`,
});

const SetPriority = inputPart(aboutAction, { type: z.literal("set_priority"), priority, target });

export const setPriority = onIssues(SetPriority, {
  scopes: ["issues:write"],
  check: async () => [],
  run: (ctx, action) => changed(ctx, { priority: action.priority }, `Priority: ${action.priority}`),
  says: (action) => `Set the priority to ${action.priority}`,
});

const AddComment = inputPart(aboutAction, { type: z.literal("add_comment"), comment: text(1, 2_000), target });

/** Maximum length of a comment, in characters. */
const MAX_COMMENT = 64_000;

export const addComment = onIssues(AddComment, {
  scopes: ["comments:write"],
  guests: true,
  check: async (_ctx, { comment }) => pathProblems("/comment", comment),
  run: async (ctx, { comment }, running) => {
    const body_md = markdown(comment, running, MAX_COMMENT);
    if (body_md.trim() === "") return skipped("The comment would be empty.");
    await createComment(ctx, { body_md });
    return done("Comment added.");
  },
  says: ({ comment }, running) => `Comment: ${markdown(comment, running, MAX_COMMENT)}`,
});

const ArchiveIssue = inputPart(aboutAction, { type: z.literal("archive_issue"), target });

export const archiveIssue = onIssues(ArchiveIssue, {
  scopes: ["issues:write"],
  check: async () => [],
  run: async (ctx) => {
    const before = ctx.eventIds.length;
    await archive(ctx);
    return ctx.eventIds.length > before ? done("Archived.") : skipped("The issue is archived already.");
  },
  says: () => "Archive the issue",
});
