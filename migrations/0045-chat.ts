import { Migration } from "@mikro-orm/migrations";

/** Chat: channels with their members and messages, and events that only the readers of a channel may see. */
export class Chat extends Migration {
  override up(): void {
    // Events of a channel that is not public name the channel whose members alone may see them.
    this.addSql(`alter table event add column channel_id uuid`);
    // Whoever sets a webhook's URL decides who gets its messages. null: whoever created it.
    this.addSql(`alter table webhook add column url_set_by uuid`);

    this.addSql(`
      create table chat_channel (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        -- null: a channel of the workspace.
        project_id uuid references project,
        kind text not null check (kind in ('public', 'private', 'dm')),
        -- Direct messages have neither name nor slug.
        name text,
        slug text,
        topic text,
        -- The sorted ids of the people of a direct message, so that the same people have one.
        dm_key text,
        -- Number of the last message.
        last_number bigint not null default 0,
        last_message_at timestamptz(3),
        member_count integer not null default 0,
        archived_at timestamptz(3),
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      ) with (fillfactor = 50)`);
    this.addSql(`
      create index chat_channel_slug on chat_channel (workspace_id, slug)
      where archived_at is null and slug is not null`);
    this.addSql(`create unique index chat_channel_dm on chat_channel (workspace_id, dm_key) where dm_key is not null`);
    this.addSql(`
      create index chat_channel_public on chat_channel (workspace_id, created_at desc, id desc) where kind = 'public'`);

    this.addSql(`
      create table chat_member (
        channel_id uuid not null references chat_channel,
        user_id uuid not null references app_user,
        workspace_id uuid not null references workspace,
        role text not null check (role in ('owner', 'member')),
        joined_at timestamptz(3) not null,
        -- Number of the last message that the member has read.
        read_number bigint not null default 0,
        -- The member has archived a direct message for themselves. The next message brings it back.
        hidden_at timestamptz(3),
        primary key (channel_id, user_id)
      )`);
    this.addSql(`create index chat_member_list on chat_member (channel_id, joined_at desc, user_id desc)`);
    this.addSql(`create index chat_member_of on chat_member (user_id, workspace_id, channel_id)`);

    this.addSql(`
      create table chat_message (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        channel_id uuid not null references chat_channel,
        -- Counts up in the channel.
        number bigint not null,
        author_id uuid not null references app_user,
        -- While the message is streamed, its text is in chat_part.
        body_md text not null,
        mentions jsonb not null default '[]',
        -- The message that it answers, and the first message of the thread.
        parent_id uuid references chat_message,
        root_id uuid references chat_message,
        reply_count integer not null default 0,
        last_reply_at timestamptz(3),
        -- The author's own id of the message, so that it is not created twice.
        client_id text,
        stream_status text check (stream_status in ('open', 'done', 'timed_out')),
        -- Number of the last part, and when it came.
        stream_seq integer,
        stream_length integer,
        stream_due_at timestamptz(3),
        edited_at timestamptz(3),
        deleted_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      ) with (fillfactor = 70)`);
    this.addSql(`create unique index chat_message_list on chat_message (channel_id, number desc)`);
    this.addSql(`create index chat_message_top on chat_message (channel_id, number desc) where root_id is null`);
    this.addSql(`
      create index chat_message_thread on chat_message (root_id, number desc) where root_id is not null`);
    this.addSql(`
      create unique index chat_message_client on chat_message (channel_id, author_id, client_id)
      where client_id is not null`);
    this.addSql(`
      create index chat_message_open on chat_message (stream_due_at) where stream_status = 'open'`);

    this.addSql(`
      create table chat_part (
        message_id uuid not null references chat_message,
        seq integer not null,
        delta text not null,
        primary key (message_id, seq)
      )`);

    this.addSql(`
      create table chat_reaction (
        message_id uuid not null references chat_message,
        emoji text not null,
        user_id uuid not null references app_user,
        workspace_id uuid not null references workspace,
        created_at timestamptz(3) not null,
        primary key (message_id, emoji, user_id)
      )`);
  }
}
