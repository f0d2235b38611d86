import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { refuse } from "../../kernel/errors.ts";
import { choice, reference } from "../../kernel/wire.ts";
import { aboutIssueInput } from "../../work/issues/descriptions.ts";
import { IssueCreateInput, IssuePatchInput } from "../../work/issues/inputs.ts";
import { findTarget } from "../../work/links/links.sql.ts";
import { create as createLink } from "../../work/links/links.ts";
import { LINK_KINDS } from "../../work/links/view.ts";
import { done, onIssues, onRun } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { missing } from "./references.ts";
import { target } from "./targets.ts";
import { pathProblems } from "./texts.ts";

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
  check: async (_ctx, action) => {
    const { issue } = inIssue(action);
    return [
      ...pathProblems("/issue/title", issue.title),
      ...pathProblems("/issue/description_md", issue.description_md),
    ];
  },
  run: async () => refuse("unavailable", { message: "This action is not available yet." }),
  says: (action) => `Create the issue ${inIssue(action).issue.title}`,
});

const LinkIssue = inputPart(aboutAction, {
  type: z.literal("link_issue"),
  kind: choice(LINK_KINDS),
  target_key: reference,
  target,
});

export const linkIssue = onIssues(LinkIssue, {
  check: async (ctx, { target_key }) => ((await findTarget(ctx, target_key)) ? [] : [missing("/target_key", "issue")]),
  run: async (ctx, { kind, target_key }) => {
    await createLink(ctx, { kind, target_key, direction: "out" });
    return done(`Linked to ${target_key}.`);
  },
  says: ({ kind, target_key }) => `Link to ${target_key} (${kind})`,
});
