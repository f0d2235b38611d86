import type { Ctx, InProject, Writing } from "../../kernel/context.ts";
import type { Role } from "../../kernel/roles.ts";
import { type Answers, type FormRow, formColumns, type SOURCES } from "./rows.ts";

/** Reads and writes of a submission. Order of locks: workspace, form, board. */

/** The context of a form's page. It has no principal, because the visitor may be unknown. */
export type InForm = Ctx & Pick<InProject, "workspace" | "project">;

/** Locks a form and returns it; null if it was deleted. */
export async function lockForm(ctx: InForm & Writing, id: string): Promise<FormRow | null> {
  const [row] = await ctx.db.query<FormRow>(
    {
      name: "lock_form",
      text: `
        select ${formColumns} from form f
        where f.workspace_id = $1 and f.project_id = $2 and f.id = $3 and f.deleted_at is null
        for no key update`,
    },
    [ctx.workspace.id, ctx.project.id, id],
  );
  ctx.waited(row?.updated_at);
  return row ?? null;
}

/** Whether this submission of the page was stored before. */
export async function wasSent({ db, workspace }: InForm, formId: string, once: Buffer): Promise<boolean> {
  const rows = await db.query(
    {
      name: "form_sent_before",
      text: `select 1 from form_submission where workspace_id = $1 and form_id = $2 and once_hash = $3`,
    },
    [workspace.id, formId, once],
  );
  return rows.length > 0;
}

/** Whether this address submitted the form before, also while the form allowed several answers. */
export async function hasAnswered({ db, workspace }: InForm, formId: string, email: string): Promise<boolean> {
  const rows = await db.query(
    {
      name: "form_answered_by",
      text: `
        select 1 from form_submission
        where workspace_id = $1 and form_id = $2 and lower(submitter_email) = lower($3) limit 1`,
    },
    [workspace.id, formId, email],
  );
  return rows.length > 0;
}

export type Reporter = { user_id: string; role: Role; name: string | null; email: string | null };

/**
 * Returns the reporter of the issue: the first of these people who is in the workspace and can see the project, else
 * the project's lead, else the owner who has been a member the longest.
 */
export async function findReporter(
  { db, workspace, project }: InForm,
  candidates: { submitter: string | null; creator: string },
): Promise<Reporter | null> {
  const [row] = await db.query<Reporter>(
    {
      name: "form_reporter",
      text: `
        select m.user_id, m.role, u.name, u.email
        from project p
        join member m on m.workspace_id = p.workspace_id and m.status = 'active'
          and (m.user_id in ($3::uuid, $4::uuid, p.lead_user_id) or m.role = 'owner')
        join app_user u on u.id = m.user_id
        left join project_member pm on pm.project_id = p.id and pm.user_id = m.user_id
        where p.workspace_id = $1 and p.id = $2
          and (m.role in ('owner', 'admin') or pm.role is not null or (not p.scoped and m.role <> 'guest'))
        order by coalesce(array_position(array[$3::uuid, $4::uuid, p.lead_user_id], m.user_id), 9), m.joined_at, m.user_id
        limit 1`,
    },
    [workspace.id, project.id, candidates.submitter, candidates.creator],
  );
  return row ?? null;
}

/** Returns a user's address if they are in the workspace. */
export async function addressOf({ db, workspace }: InForm, userId: string): Promise<string | null> {
  const [row] = await db.query<{ email: string | null }>(
    {
      name: "form_creator_address",
      text: `
        select u.email from member m join app_user u on u.id = m.user_id
        where m.workspace_id = $1 and m.user_id = $2 and m.status = 'active'`,
    },
    [workspace.id, userId],
  );
  return row?.email ?? null;
}

/**
 * Counts mails about submissions since a time: confirmations to one address and from the workspace, and both kinds from
 * one form.
 */
export async function countMailed(
  { db, workspace }: InForm,
  { formId, email, since }: { formId: string; email: string | null; since: string },
): Promise<{ to: number; here: number; confirmed: number; notified: number }> {
  const [row] = await db.query<{ to: number; here: number; confirmed: number; notified: number }>(
    {
      name: "form_mails",
      text: `
        select (select count(*) from form_submission
                where lower(submitter_email) = lower($3) and confirmed and created_at > $4) as to,
               (select count(*) from form_submission
                where workspace_id = $1 and confirmed and created_at > $4) as here,
               count(*) filter (where confirmed) as confirmed, count(*) filter (where notified) as notified
        from form_submission
        where workspace_id = $1 and form_id = $2 and (confirmed or notified) and created_at > $4`,
    },
    [workspace.id, formId, email, since],
  );
  return row!;
}

export type NewSubmission = {
  id: string;
  form_id: string;
  answers: Answers;
  submitter_email: string | null;
  submitter_user_id: string | null;
  source: (typeof SOURCES)[number];
  created_issue_id: string;
  once_hash: Buffer | null;
  one_per_email: boolean;
  confirmed: boolean;
  notified: boolean;
};

/** Stores a submission and increments the form's count. */
export async function insertSubmission(
  { db, workspace, project, now }: InForm,
  { answers, ...s }: NewSubmission,
): Promise<void> {
  await db.query(
    {
      name: "insert_submission",
      text: `
        with counted as (
          update form set submission_count = submission_count + 1 where workspace_id = $2 and id = $4)
        insert into form_submission (id, workspace_id, project_id, form_id, answers, submitter_email,
                                     submitter_user_id, source, created_issue_id, once_hash, one_per_email, confirmed,
                                     notified, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    },
    [
      s.id,
      workspace.id,
      project.id,
      s.form_id,
      JSON.stringify(answers),
      s.submitter_email,
      s.submitter_user_id,
      s.source,
      s.created_issue_id,
      s.once_hash,
      s.one_per_email,
      s.confirmed,
      s.notified,
      now,
    ],
  );
}

const ONE_PER_EMAIL = "form_submission_one_per_email";

/** Whether storing failed because the form already has an answer from this address. */
export const isSecondAnswer = (error: unknown): boolean =>
  (error as { constraint?: string }).constraint === ONE_PER_EMAIL;
