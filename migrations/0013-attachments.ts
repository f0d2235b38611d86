import { Migration } from "@mikro-orm/migrations";

/** Attachments, the objects that hold their bytes, and how much of its storage each workspace has used. */
export class Attachments extends Migration {
  override up(): void {
    // Bytes reserved by uploads and used by attachments. A separate row, so that uploads do not wait for locks of the
    // workspace. It is always the last lock taken.
    this.addSql(`
      create table storage_account (
        workspace_id uuid primary key references workspace,
        used_bytes bigint not null check (used_bytes >= 0)
      )`);

    // Where bytes may be stored. The row exists before its bytes and until after they are removed, so that none are
    // forgotten.
    this.addSql(`
      create table stored_object (
        key text primary key,
        workspace_id uuid not null references workspace,
        -- Null: in use.
        remove_after timestamptz(3),
        -- From then on no new use is allowed.
        removing boolean not null default false
      )`);
    this.addSql(`create index stored_object_due on stored_object (remove_after) where remove_after is not null`);

    this.addSql(`
      create table attachment (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        issue_id uuid not null references issue,
        comment_id uuid references comment,
        uploader_id uuid not null references app_user,
        file_name text not null,
        mime text not null,
        byte_size bigint not null,
        checksum_sha256 text,
        -- Where the client uploads to.
        storage_key text not null unique,
        -- The final location of the bytes. Null until the upload is committed.
        object_key text unique,
        -- Bytes can arrive until then.
        upload_until timestamptz(3) not null,
        -- Until then the upload can be committed.
        expires_at timestamptz(3) not null,
        -- When it was attached. For an upload: when it was requested.
        created_at timestamptz(3) not null
      )`);
    this.addSql(
      `create index attachment_list on attachment (issue_id, created_at desc, id desc) where object_key is not null`,
    );
    this.addSql(`create index attachment_comment on attachment (comment_id) where comment_id is not null`);
    this.addSql(`create index attachment_expiry on attachment (expires_at) where object_key is null`);

    // The issues whose files the sweep frees when they can no longer be restored.
    this.addSql(
      `create index issue_archived_with_files on issue (archived_at)
       where archived_at is not null and attachment_count > 0`,
    );
    this.addSql(`create index issue_with_files on issue (project_id) where attachment_count > 0`);
  }
}
