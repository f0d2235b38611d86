import { actingAs, personOf } from "../../access/identity/act-as.ts";
import { PRIORITIES, PRIORITY_SYNONYMS, type Priority } from "../../access/identity/issue-row.ts";
import { lackingScope, withinLimits } from "../../access/identity/set-up-by.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { Refusal } from "../../kernel/errors.ts";
import { own } from "../../kernel/own.ts";
import { shorten, singleLine, withoutTrailing } from "../../kernel/text.ts";
import { checkValue, type Named } from "../fields/check-value.ts";
import { readFields } from "../fields/fields.sql.ts";
import { findNamed } from "../fields/named.ts";
import { appliesTo, type FieldRow, namesSomething } from "../fields/rows.ts";
import { columnsOf } from "../issues/board.sql.ts";
import { create } from "../issues/create.ts";
import type { IssueCreateInput } from "../issues/inputs.ts";
import type { IssueView } from "../issues/view.ts";
import { plainMarkdown } from "./plain-markdown.ts";
import type { Answer, Answers, FormField, FormRow } from "./rows.ts";
import { findDefaults, WORK } from "./settings.ts";
import type { InForm, Reporter } from "./submit.sql.ts";

/** Creates the issue of a submission, in the same way as all new issues. */

export type Submitted = { form: FormRow; answers: Answers; number: number; reporter: Reporter };

/** Number of attempts if a default is deleted while the issue is created. Each attempt looks the defaults up again. */
const ATTEMPTS = 3;

/** @param acting the context that actingFor returns */
export async function createIssue(acting: InProject & Writing, submitted: Submitted): Promise<IssueView> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await create(acting, await inputOf(acting, submitted));
    } catch (error) {
      // The submitter is not at fault if a column or a field changes at this moment.
      if (!(error instanceof Refusal) || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Returns a context in which the form acts: with the rights of the reporter, within the limits of the credential that
 * defined the form. Null if the credential has ended, its agent is paused, or it may not create issues in this project.
 */
export async function actingFor(
  ctx: InForm & Writing,
  { form, reporter }: Pick<Submitted, "form" | "reporter">,
): Promise<(InProject & Writing) | null> {
  const reporting = personOf({ id: reporter.user_id, name: reporter.name, email: reporter.email }, reporter.role);
  const person = await withinLimits(ctx, reporting, form);
  if (!person || person.agent?.paused || lackingScope(person, WORK)) return null;
  if (person.project_ids?.includes(ctx.project.id) === false) return null;
  const through = { kind: "form" as const, id: form.id, name: form.title };
  return { ...actingAs(ctx, person, { workspace: ctx.workspace, cause: ctx.cause, through }), warnings: [] };
}

async function inputOf(ctx: InProject, { form, answers, number }: Submitted): Promise<IssueCreateInput> {
  const mapped = (mapping: FormField["mapping"]) => form.fields.find((field) => field.mapping === mapping);
  const answerTo = (field: FormField | undefined) => field && own(answers, field.id);
  const title = singleLine(String(answerTo(mapped("title")) ?? ""));
  const custom = await customFields(ctx, form, answers);
  const listed = form.fields.filter(
    ({ id, mapping }) => own(answers, id) !== undefined && mapping === "none" && !custom.answered.has(id),
  );
  return {
    type: form.issue_type,
    title: shorten(title || `${form.title} #${number}`, MAX_TITLE),
    description_md: descriptionOf(answerTo(mapped("description")), listed, answers),
    priority: priorityOf(answerTo(mapped("priority"))) ?? form.priority,
    ...(await defaultsLeft(ctx, form)),
    custom_fields: custom.values,
  };
}

const MAX_TITLE = 255;
/** Shorter than a description may be, to leave room for the note that it was cut. */
const MAX_DESCRIPTION = 65_000;

/** Like `shorten`, but removes a backslash at the end, which would escape the ellipsis. */
const shortenEscaped = (text: string, max: number) => `${withoutTrailing(shorten(text, max).slice(0, -1), "\\")}…`;

function descriptionOf(first: Answer | undefined, listed: FormField[], answers: Answers): string | null {
  let whole = first === undefined ? "" : plainMarkdown(String(first));
  for (const field of listed) {
    // The rest would be cut off anyway.
    if (whole.length > MAX_DESCRIPTION) break;
    const part = `**${plainMarkdown(field.label)}**\n${plainMarkdown(textOf(own(answers, field.id)!))}`;
    whole = whole === "" ? part : `${whole}\n\n${part}`;
  }
  if (whole.length <= MAX_DESCRIPTION) return whole || null;
  return `${shortenEscaped(whole, MAX_DESCRIPTION)}\n\n*Cut; the whole answers are with the submission.*`;
}

const textOf = (answer: Answer): string => {
  if (Array.isArray(answer)) return answer.join(", ");
  if (typeof answer === "object") return answer.file_name;
  return typeof answer === "boolean" ? (answer ? "Yes" : "No") : String(answer);
};

const SPOKEN: Record<string, Priority> = { ...PRIORITY_SYNONYMS, normal: "medium" };

/** Returns the priority that an answer names, ignoring case; null if it names none. */
function priorityOf(answer: Answer | undefined): Priority | null {
  const word = String(answer ?? "")
    .trim()
    .toLowerCase();
  return PRIORITIES.find((priority) => priority === word) ?? own(SPOKEN, word) ?? null;
}

/** Returns the form's defaults that still exist. A completed sprint is none: the issue is new work. */
async function defaultsLeft(ctx: InProject, form: FormRow): Promise<Partial<IssueCreateInput>> {
  const { default_assignee_id: person, default_label_ids: labels, default_sprint_id: sprint } = form;
  const found = await findDefaults(ctx, { person, labels, sprint });
  const columns = form.default_status_id ? await columnsOf(ctx.db, ctx.workspace.id, ctx.project.id) : [];
  return {
    labels: labels.filter((id) => found.labels.has(id)),
    ...(person && found.people.has(person) ? { assignee: person } : {}),
    ...(sprint && found.planning.sprint_id.has(sprint) && !found.completedSprints.has(sprint)
      ? { sprint_id: sprint }
      : {}),
    ...(columns.some(({ id }) => id === form.default_status_id) ? { status_id: form.default_status_id! } : {}),
  };
}

/**
 * Maximum length of the custom-field values from one form, as JSON. It is lower than the limit of an issue, to leave
 * room for the project's defaults.
 */
const MAX_VALUES = 40_000;

/**
 * Returns values of the project's custom fields. An answer that its field or the issue does not accept is listed in the
 * description like other answers.
 */
async function customFields(ctx: InProject, form: FormRow, answers: Answers) {
  const setting = form.fields.filter(({ id, custom_field_id }) => custom_field_id && own(answers, id) !== undefined);
  const values: Record<string, unknown> = {};
  const answered = new Set<string>();
  let room = MAX_VALUES;
  if (setting.length === 0) return { values, answered };

  const rows = await readFields(
    ctx,
    setting.map(({ custom_field_id }) => custom_field_id!),
  );
  const given = setting.flatMap(({ id, custom_field_id, ...choices }) => {
    const field = rows.find((row) => row.id === custom_field_id);
    return field && appliesTo(field, form.issue_type)
      ? [{ id, field, value: sentTo(field, own(answers, id)!, choices) }]
      : [];
  });
  const named = await findNamed(
    ctx,
    given.map(({ field: { kind }, value }) => ({ kind, value })),
  );
  for (const { id, field, value: sent } of given) {
    const value = valueFor(field, sent, named);
    if (value === null) continue;
    room -= JSON.stringify(value).length + field.id.length;
    if (room < 0) break;
    values[field.id] = value;
    answered.add(id);
  }
  return { values, answered };
}

/** The value that an answer is for a field. The options of people, projects and docs stand for their ids. */
function sentTo(field: FieldRow, answer: Answer, { options, option_ids }: Pick<FormField, "options" | "option_ids">) {
  if (namesSomething(field.kind)) return option_ids?.[options.indexOf(String(answer))] ?? null;
  return field.kind === "text" ? textOf(answer) : answer;
}

function valueFor(field: FieldRow, value: unknown, named: Named): unknown {
  try {
    return checkValue(field, value, "", named);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
