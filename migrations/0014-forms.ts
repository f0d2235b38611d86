import { Migration } from "@mikro-orm/migrations";

/** Forms with their fields, and what was submitted through them. */
export class Forms extends Migration {
  override up(): void {
    this.addSql(`
      create table form (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        title text not null,
        description text,
        status text not null check (status in ('draft', 'published', 'closed')),
        issue_type text not null check (issue_type in ('task', 'story', 'bug')),
        priority text not null check (priority in ('lowest', 'low', 'medium', 'high', 'highest', 'critical')),
        success_message text,
        accent_color text,
        header_text text,
        show_project_header boolean not null,
        close_at timestamptz(3),
        response_limit integer,
        one_per_email boolean not null,
        confirmation_mode text not null check (confirmation_mode in ('message', 'redirect')),
        redirect_url text,
        -- Defaults of new issues. No foreign keys: deleted objects are left out.
        default_assignee_id uuid,
        default_label_ids uuid[] not null,
        default_sprint_id uuid,
        default_status_id uuid,
        access_mode text not null check (access_mode in ('anyone', 'members', 'invited')),
        allowed_emails text[] not null,
        password_hash text,
        notify_submission boolean not null,
        confirmation_email boolean not null,
        public_enabled boolean not null,
        -- The address is found by its token's hash. The token itself is shown repeatedly, so it is sealed.
        token_hash bytea not null unique,
        token_sealed text not null,
        -- In order, as one value: fields are read and replaced together, and only with their form.
        fields jsonb not null,
        -- Every submission updates it under this row's lock, so that limits are exact.
        submission_count integer not null default 0,
        deleted_at timestamptz(3),
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      ) with (fillfactor = 70)`);
    this.addSql(`create index form_list on form (project_id, created_at desc, id desc) where deleted_at is null`);

    this.addSql(`
      create table form_submission (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        form_id uuid not null references form,
        answers jsonb not null,
        submitter_email text,
        submitter_user_id uuid references app_user,
        source text not null check (source in ('public', 'internal')),
        created_issue_id uuid references issue,
        -- Identifies one sending of the page, so that repeats create nothing.
        once_hash bytea,
        -- Whether the form allowed one answer per address at that time.
        one_per_email boolean not null,
        -- Mail that it caused, which is limited.
        confirmed boolean not null,
        notified boolean not null,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index form_submission_list on form_submission (form_id, created_at desc, id desc)`);
    this.addSql(`
      create unique index form_submission_once on form_submission (form_id, once_hash) where once_hash is not null`);
    this.addSql(`
      create unique index form_submission_one_per_email on form_submission (form_id, lower(submitter_email))
      where one_per_email`);
    this.addSql(`
      create index form_submission_address on form_submission (form_id, lower(submitter_email))
      where submitter_email is not null`);
    this.addSql(`
      create index form_submission_confirmed on form_submission (lower(submitter_email), created_at) where confirmed`);
    this.addSql(`
      create index form_submission_mailed on form_submission (form_id, created_at) where confirmed or notified`);
  }
}
