import { z } from "zod";
import type { InIssue } from "../../access/identity/issue-row.ts";
import { extended } from "../../kernel/context.ts";
import { inputPart } from "../../kernel/described.ts";
import { newId } from "../../kernel/ids.ts";
import { choice, reference, text } from "../../kernel/wire.ts";
import { notice } from "../../knowledge/notifications/notice.ts";
import { writeNotices } from "../../knowledge/notifications/write.sql.ts";
import { done, onRun, reportRequired, skipped } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { readVisible } from "./issue.sql.ts";
import { peopleNamed, peopleProblems } from "./references.ts";
import { pathProblems, plainText } from "./texts.ts";

/** The action that notifies people. */

const MAX_MESSAGE = 2_000;

const NotifyUsers = inputPart(aboutAction, {
  type: z.literal("notify_users"),
  user_ids: z.array(reference).min(1).max(50).optional(),
  to: choice(["assignee", "reporter", "watchers"]).optional(),
  message: text(1, MAX_MESSAGE),
}).superRefine(({ user_ids, to }, ctx) => {
  if (user_ids === undefined && to === undefined) reportRequired(ctx, "user_ids", "is required, unless to is sent");
});
type NotifyUsers = z.output<typeof NotifyUsers>;

export const notifyUsers = onRun(NotifyUsers, {
  scopes: ["notifications:write"],
  check: async (ctx, { user_ids = [], message }) => [
    ...(await peopleProblems(
      ctx,
      user_ids.map((id, n) => [`/user_ids/${n}`, id] as const),
    )),
    ...pathProblems("/message", message),
  ],
  run: async (ctx, { user_ids = [], to, message }, running) => {
    const at = running.issueId === null ? null : await readVisible(ctx, running.issueId);
    // People who left are passed over.
    const named = await peopleNamed(extended(ctx, { projectId: at?.project.id ?? null }), user_ids);
    const people = new Set([...[...named.values()].map(({ id }) => id), ...(at ? peopleOf(at, to) : [])]);
    const { name } = running.source;
    const text = notice(
      "automation",
      { issue_id: at?.issue.id ?? null },
      {
        people: [...people],
        circle: to === "watchers" && at ? "watchers" : null,
        title: at ? `${name}: ${at.issue.key}` : name,
        body: plainText(message, running, MAX_MESSAGE),
      },
    );
    // Only people who see the issue get it.
    const told = { ...text, cause_id: newId(), place: 0, actor_id: null, actor_name: name };
    const { count } = await writeNotices(ctx.tx, ctx.workspace.id, [told]);
    return count > 0 ? done(`Notified ${count}.`) : skipped("There is nobody to notify.");
  },
  says: ({ user_ids = [], to, message }, running) => {
    const people = [...user_ids, ...(to === undefined ? [] : [`the issue's ${to}`])].join(", ");
    return `Notify ${people}: ${plainText(message, running, MAX_MESSAGE)}`;
  },
});

function peopleOf({ issue }: Pick<InIssue, "issue">, to: NotifyUsers["to"]): string[] {
  if (to === "assignee") return issue.assignee_ids;
  return to === "reporter" ? [issue.reporter_id] : [];
}
