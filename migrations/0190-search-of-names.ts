import { Migration } from "@mikro-orm/migrations";

/**
 * Search finds projects, people and goals. Their tables are small, so their vectors have no tags of time. Rows that exist
 * already are indexed by a worker (`index-old-rows`).
 */
export class SearchOfNames extends Migration {
  override up(): void {
    for (const sql of [...COLUMNS, ...PROJECTS, ...GOALS, ...PEOPLE]) this.addSql(sql);
  }
}

const PENDING = "with (gin_pending_list_limit = 512)";

const COLUMNS = (
  [
    ["project", "id", "archived_at is null and"],
    ["goal", "id", "deleted_at is null and"],
    ["member", "workspace_id, user_id", ""],
  ] as const
).flatMap(([table, key, live]) => [
  `alter table ${table} add column search tsvector`,
  `create index ${table}_search on ${table} using gin (search) ${PENDING} where ${live} search is not null`,
  `create index ${table}_unindexed on ${table} (${key}) where search is null`,
]);

const description = "setweight(search_vector(left(coalesce(new.description_md, ''), 65536)), 'C')";
const workspace = "array_to_tsvector(array[search_tag('w', new.workspace_id)])";

const PROJECTS = [
  `create function index_project() returns trigger language plpgsql as $$
   begin
     new.search := setweight(search_vector(new.name), 'A') ||
       setweight(to_tsvector('simple', replace(new.key || ' ' || new.slug, '-', ' ')), 'A') || ${description} || ${workspace};
     return new;
   end $$`,
  `create trigger project_indexed before insert or update of name, key, slug, description_md on project
   for each row execute function index_project()`,
];

const GOALS = [
  `create function index_goal() returns trigger language plpgsql as $$
   begin
     new.search := setweight(search_vector(new.title), 'A') || ${description} || ${workspace};
     return new;
   end $$`,
  `create trigger goal_indexed before insert or update of title, description_md on goal
   for each row execute function index_goal()`,
];

const PEOPLE = [
  // The name (A), the local part of the address (B) and its domain (D), one after the other, so that an address is a phrase.
  `create function search_of_person(workspace uuid, name text, email text) returns tsvector
   language sql immutable parallel safe as $$
     select setweight(search_vector(coalesce(name, '')), 'A') ||
       setweight(search_vector(coalesce(substring(email from '^(.*)@'), '')), 'B') ||
       setweight(search_vector(coalesce(substring(email from '@([^@]*)$'), '')), 'D') ||
       array_to_tsvector(array[search_tag('w', workspace)]) $$`,
  // A new member waits for a change of the person's name that is not committed yet; that change would not see the new row.
  // For a row that exists, the change waits for the row instead.
  `create function index_member() returns trigger language plpgsql as $$
   declare
     person record;
   begin
     if tg_op = 'INSERT' then
       select u.name, u.email into person from app_user u where u.id = new.user_id for share;
     else
       select u.name, u.email into person from app_user u where u.id = new.user_id;
     end if;
     new.search := search_of_person(new.workspace_id, person.name, person.email);
     return new;
   end $$`,
  `create trigger member_indexed before insert or update of user_id on member
   for each row execute function index_member()`,
  `create function index_memberships() returns trigger language plpgsql as $$
   begin
     update member set search = search_of_person(workspace_id, new.name, new.email) where user_id = new.id;
     return null;
   end $$`,
  `create trigger memberships_indexed after update of name, email on app_user
   for each row when (old.name is distinct from new.name or old.email is distinct from new.email)
   execute function index_memberships()`,
];
