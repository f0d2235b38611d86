import { z } from "zod";
import type { InIssue } from "../../access/identity/issue-row.ts";
import { extended, type InWorkspace } from "../../kernel/context.ts";
import { inputPart } from "../../kernel/described.ts";
import { refuseField, refuseReference } from "../../kernel/errors.ts";
import { lockBoards } from "../../kernel/locks.sql.ts";
import { choice, reference } from "../../kernel/wire.ts";
import { create } from "../../work/issues/create.ts";
import { aboutIssueInput } from "../../work/issues/descriptions.ts";
import { IssueCreateInput, IssuePatchInput } from "../../work/issues/inputs.ts";
import { findTarget } from "../../work/links/links.sql.ts";
import { create as createLink } from "../../work/links/links.ts";
import { LINK_KINDS } from "../../work/links/view.ts";
import { done, onIssues, onRun, skipped } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { warnedSince } from "./effects.ts";
import { readVisible } from "./issue.sql.ts";
import { familyProblems, fieldPathProblems, fieldProblems, filledFields } from "./new-issue.ts";
import { projectNamed } from "./project.ts";
import { missing } from "./references.ts";
import { checkProjectRole } from "./rights.ts";
import { target } from "./targets.ts";

/** Actions that create issues and links. */

const { type: _type, title, ...others } = IssueCreateInput.shape;
const flat = { ...others, title: title.optional(), priority: IssuePatchInput.shape.priority };
const FLAT = Object.keys(flat) as (keyof typeof flat)[];

const CreateIssue = inputPart(
  { ...aboutAction, ...aboutIssueInput, type: aboutAction.type },
  {
    type: z.literal("create_issue"),
    project: reference.optional(),
    link_kind: choice(LINK_KINDS).optional(),
    issue: IssueCreateInput.optional(),
    ...flat,
  },
).superRefine((action, ctx) => {
  const report = (field: string, code: string, message: string) =>
    ctx.addIssue({ code: "custom", path: [field], message, params: { code } });
  if (action.issue === undefined && action.title === undefined) return report("title", "required", "is required");
  for (const field of FLAT) {
    if (action.issue !== undefined && action[field] !== undefined) report(field, "not_allowed", "is a field of issue");
  }
});
export type CreateIssue = z.output<typeof CreateIssue>;

/** The action with the fields of the new issue in `issue`, where they may also be sent beside `type`. */
export function inIssue({ type, project, link_kind, issue, ...flat }: CreateIssue) {
  const fields = issue ?? { type: "task" as const, priority: "medium" as const, ...flat, title: flat.title! };
  return {
    type,
    ...(project === undefined ? {} : { project }),
    ...(link_kind === undefined ? {} : { link_kind }),
    issue: fields as IssueCreateInput,
  };
}

export const createIssue = onRun(CreateIssue, {
  scopes: ["issues:write"],
  check: async (ctx, action) => {
    const { issue } = inIssue(action);
    const ref = action.project ?? ctx.projectId;
    const project = ref === null ? null : await projectNamed(ctx, ref);
    if (ref !== null && !project) return [missing("/project", "project")];
    const problems = [...fieldPathProblems(issue), ...familyProblems(issue)];
    return [...problems, ...(project ? await fieldProblems(ctx, project, issue) : [])];
  },
  run: async (ctx, action, running) => {
    const { issue: fields, link_kind } = inIssue(action);
    const origin = running.issueId === null ? null : await readVisible(ctx, running.issueId);
    const project = await projectOf(ctx, action.project, origin);
    checkProjectRole(ctx, project);
    const linked = link_kind === undefined ? null : origin;
    // Both boards in their order, because the link locks them too.
    if (linked) await lockBoards(ctx, [project.id, linked.project.id]);
    const filled = filledFields(fields, running);
    if (filled.title === "") refuseField("/issue/title", "required", "is empty with the values of this run");
    const warned = ctx.warnings.length;
    const issue = await create(extended(ctx, { project }), filled);
    if (linked) {
      const made = (await readVisible(ctx, issue.id))!;
      const link = { kind: link_kind!, target_key: linked.issue.id, direction: "out" as const };
      await createLink(extended(ctx, made), link);
    }
    const link = linked ? `, linked to ${linked.issue.key}` : "";
    return done(`Created ${issue.key}${link}.${warnedSince(ctx, warned)}`);
  },
  says: (action, running) => {
    const { issue, link_kind } = inIssue(action);
    const where = action.project === undefined ? "" : ` in ${action.project}`;
    const link = link_kind === undefined ? "" : `, linked to this one (${link_kind})`;
    return `Create the issue "${filledFields(issue, running).title}"${where}${link}`;
  },
});

/** The project that the action names, or that of the run's issue. @throws Refusal invalid_reference */
async function projectOf(ctx: InWorkspace, ref: string | undefined, origin: Pick<InIssue, "project"> | null) {
  if (ref === undefined && origin?.project.archived_at === null) return origin.project;
  const named = ref === undefined ? null : await projectNamed(ctx, ref);
  if (named) return named;
  const message =
    ref === undefined
      ? "The run has no issue whose project could be used. Name a project in the action."
      : `The project ${ref} does not exist any more, or the person for whom the action runs cannot see it.`;
  return refuseReference("/project", ref ?? null, { message });
}

const LinkIssue = inputPart(aboutAction, {
  type: z.literal("link_issue"),
  kind: choice(LINK_KINDS),
  target_key: reference,
  target,
});

export const linkIssue = onIssues(LinkIssue, {
  scopes: ["issues:write"],
  check: async (ctx, { target_key }) => ((await findTarget(ctx, target_key)) ? [] : [missing("/target_key", "issue")]),
  run: async (ctx, { kind, target_key }) => {
    const before = ctx.eventIds.length;
    const { target_key: key } = await createLink(ctx, { kind, target_key, direction: "out" });
    return ctx.eventIds.length > before ? done(`Linked to ${key}.`) : skipped(`Linked to ${key} already.`);
  },
  says: ({ kind, target_key }) => `Link to ${target_key} (${kind})`,
});
