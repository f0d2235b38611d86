import { Migration } from "@mikro-orm/migrations";

/** Attachments, the objects that hold their bytes, and how much of its storage each workspace has used. */
export class Attachments extends Migration {
  override up(): void {
    // Bytes that uploads reserved and attachments hold. A row of its own, so that no upload waits for whoever holds the
    // workspace's. The last lock that anything takes.
    this.addSql(`
      create table storage_account (
        workspace_id uuid primary key references workspace,
        used_bytes bigint not null check (used_bytes >= 0)
      )`);

    // Where bytes may lie. A row is there before its bytes and until after them, so none is ever forgotten.
    this.addSql(`
      create table stored_object (
        key text primary key,
        workspace_id uuid not null references workspace,
        -- Null: in use.
        remove_after timestamptz(3),
        -- From then on nobody can begin to use it.
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
        -- Where the bytes lie for good; null until the upload was committed.
        object_key text unique,
        -- Until then bytes can begin to arrive.
        upload_until timestamptz(3) not null,
        -- Until then the upload can be committed.
        expires_at timestamptz(3) not null,
        -- When it was attached; of an upload, when it was asked for.
        created_at timestamptz(3) not null
      )`);
    this.addSql(
      `create index attachment_list on attachment (issue_id, created_at desc, id desc) where object_key is not null`,
    );
    this.addSql(`create index attachment_comment on attachment (comment_id) where comment_id is not null`);
    this.addSql(`create index attachment_expiry on attachment (expires_at) where object_key is null`);

    // Whose files the sweep frees when they cannot be restored any more.
    this.addSql(
      `create index issue_archived_with_files on issue (archived_at)
       where archived_at is not null and attachment_count > 0`,
    );
    this.addSql(`create index issue_with_files on issue (project_id) where attachment_count > 0`);
  }
}
