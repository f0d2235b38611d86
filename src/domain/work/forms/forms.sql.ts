import type { InProject } from "../../kernel/context.ts";
import { shownEmail } from "../../kernel/email.ts";
import { untilHeavy, type Weighed } from "../../kernel/paging.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { type FormRow, type FormSummaryRow, formColumns, HAS_ENDED } from "./rows.ts";

/** A project's forms and their submissions. */

const live = `f.workspace_id = $1 and f.project_id = $2 and f.deleted_at is null`;

/** Returns a page of forms, newest first, without their fields, which summaries do not show. */
export function listForms({ db, workspace, project }: InProject, after: Cursor | null, limit: number) {
  return db.query<FormSummaryRow>(
    {
      name: after ? "list_forms_after" : "list_forms",
      text: `
        select f.id, f.title, f.description, f.status, f.public_enabled, f.token_sealed, f.submission_count, f.close_at,
               f.response_limit, f.created_by, f.created_at, f.updated_at, ${HAS_ENDED}
        from form f
        where ${live} ${after ? `and (f.created_at, f.id) < ($4::timestamptz, $5::uuid)` : ""}
        order by f.created_at desc, f.id desc limit $3`,
    },
    [workspace.id, project.id, limit, ...(after ?? [])],
  );
}

export async function findForm({ db, workspace, project }: InProject, id: string): Promise<FormRow | null> {
  const [row] = await db.query<FormRow>(
    { name: "find_form", text: `select ${formColumns} from form f where ${live} and f.id = $3` },
    [workspace.id, project.id, id],
  );
  return row ?? null;
}

export async function countForms({ db, workspace, project }: InProject): Promise<number> {
  const [row] = await db.query<{ forms: number }>({ text: `select count(*) as forms from form f where ${live}` }, [
    workspace.id,
    project.id,
  ]);
  return row?.forms ?? 0;
}

export type SubmissionRow = {
  id: string;
  form_id: string;
  answers: Record<string, unknown>;
  submitter_email: string | null;
  submitter_user_id: string | null;
  source: "public" | "internal";
  created_issue_id: string | null;
  created_issue_key: string | null;
  created_at: string;
};

const submissions = `
  select s.id, s.form_id, s.answers, s.submitter_email, s.submitter_user_id, s.source, s.created_issue_id,
         i.key as created_issue_key, s.created_at, octet_length(s.answers::text) as bytes
  from form_submission s left join issue i on i.id = s.created_issue_id
  where s.workspace_id = $1 and s.project_id = $2`;

const shown = <Row extends SubmissionRow>(row: Row): Row => ({
  ...row,
  submitter_email: row.submitter_email && shownEmail(row.submitter_email),
});

/** Returns a page of a form's submissions, newest first. */
export async function listSubmissions(ctx: InProject, formId: string, after: Cursor | null, limit: number) {
  const rows = await ctx.db.query<Weighed<SubmissionRow>>(
    {
      name: after ? "list_submissions_after" : "list_submissions",
      text: untilHeavy(
        `${submissions} and s.form_id = $3 ${after ? `and (s.created_at, s.id) < ($5::timestamptz, $6::uuid)` : ""}
         order by s.created_at desc, s.id desc limit $4`,
        "created_at desc, id desc",
      ),
    },
    [ctx.workspace.id, ctx.project.id, formId, limit, ...(after ?? [])],
  );
  return rows.map(shown);
}

/** Returns a submission, also of a deleted form. */
export async function findSubmission(
  ctx: Pick<InProject, "db" | "workspace" | "project">,
  id: string,
): Promise<SubmissionRow | null> {
  const [row] = await ctx.db.query<SubmissionRow>({ name: "find_submission", text: `${submissions} and s.id = $3` }, [
    ctx.workspace.id,
    ctx.project.id,
    id,
  ]);
  return row ? shown(row) : null;
}
