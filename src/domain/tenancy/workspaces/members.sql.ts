import { mayFindBy } from "../../access/identity/emails.ts";
import { kindOf, type UserKind } from "../../access/identity/kind.sql.ts";
import { opening, seesOneOf, visibleTo } from "../../access/identity/visible.sql.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { byName } from "../../kernel/paging.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Role } from "../../kernel/roles.ts";
import type { Project } from "../../kernel/rows.ts";

/**
 * Adds a person to a workspace. Returns false if they are a member already, whose role does not change, or have
 * deleted their account at the same moment. If they are back
 * before a worker has unassigned them from all their earlier issues, they stay assigned to the rest.
 */
export async function insertMember(
  db: Db,
  workspaceId: string,
  { userId, role, now }: { userId: string; role: Role; now: string },
): Promise<boolean> {
  const rows = await db.query(
    {
      text: `
        insert into member (workspace_id, user_id, role, joined_at)
        select $1, u.id, $3, $4 from app_user u where u.id = $2 and u.email is not null for key share
        on conflict do nothing returning user_id`,
    },
    [workspaceId, userId, role, now],
  );
  if (rows.length === 0) return false;
  // A statement of its own: the first one may have waited for the end of the earlier membership.
  const back = `delete from member_departure where workspace_id = $1 and user_id = $2`;
  await db.query({ text: back }, [workspaceId, userId]);
  return true;
}

/** A person of the workspace, as the member view needs them. */
export type MemberRow = {
  user_id: string;
  email: string;
  name: string | null;
  avatar_url: string | null;
  role: Role;
  status: "active" | "suspended";
  /** Projects that list them as a member. */
  project_ids: string[];
  joined_at: string;
  last_active_at: string | null;
};

const columns = `
  m.user_id, u.email, u.name, u.avatar_url, m.role, m.status, m.joined_at, m.last_active_at,
  array(select pm.project_id from project_member pm
        where pm.workspace_id = m.workspace_id and pm.user_id = m.user_id order by pm.project_id) as project_ids`;
const people = `member m join app_user u on u.id = m.user_id and u.kind = 'person'`;

export async function findMember(db: Db, workspaceId: string, userId: string): Promise<MemberRow | null> {
  const [row] = await db.query<MemberRow>(
    { text: `select ${columns} from ${people} where m.workspace_id = $1 and m.user_id = $2` },
    [workspaceId, userId],
  );
  return row ?? null;
}

/** A person who is known to be a member. */
export const readMember = async (db: Db, workspaceId: string, userId: string): Promise<MemberRow> =>
  (await findMember(db, workspaceId, userId)) as MemberRow;

/**
 * People of a workspace, latest joined first or by name. `seeing` limits the list to people who see one of these projects, `q` is
 * a pattern of names in lower case.
 */
export function listMembers(
  db: Db,
  workspaceId: string,
  {
    seeing,
    q,
    email,
    sort,
    after,
    limit,
  }: {
    seeing: string[] | null;
    q: string | null;
    email: string | null;
    sort: "joined" | "name";
    after: Cursor | null;
    limit: number;
  },
): Promise<MemberRow[]> {
  // U+FFFF is the last character, so people without a name are at the end. Their addresses must not be in cursors.
  const name = byName("coalesce(u.name, U&'\\FFFF')");
  const [order, beyond] =
    sort === "name"
      ? [`${name}, m.user_id`, `(${name}, m.user_id) > ($6::text, $7::uuid)`]
      : ["m.joined_at desc, m.user_id desc", "(m.joined_at, m.user_id) < ($6::timestamptz, $7::uuid)"];
  const paged = after ? `and ${beyond}` : "";
  return db.query<MemberRow>(
    {
      name: `list_members_${sort}_${after !== null}`,
      text: `
        select ${columns} from ${people} where m.workspace_id = $1 and ($2::uuid[] is null or ${seesOneOf(2)})
          and ($4::text is null or lower(u.name) like $4) and ($5::text is null or lower(u.email) = $5) ${paged}
        order by ${order} limit $3`,
    },
    [workspaceId, seeing, limit, q, email, ...(after ?? [])],
  );
}

/** Whether the workspace has another active owner. */
export async function hasOtherOwner(db: Db, workspaceId: string, userId: string): Promise<boolean> {
  const rows = await db.query(
    {
      text: `select 1 from member where workspace_id = $1 and user_id <> $2 and role = 'owner' and status = 'active'
             limit 1`,
    },
    [workspaceId, userId],
  );
  return rows.length > 0;
}

export async function setRole(db: Db, workspaceId: string, userId: string, role: Role): Promise<void> {
  await db.query({ text: `update member set role = $3 where workspace_id = $1 and user_id = $2` }, [
    workspaceId,
    userId,
    role,
  ]);
}

/** Removes a person from the workspace and from its projects. */
export async function deleteMember(db: Db, workspaceId: string, userId: string): Promise<void> {
  await db.query(
    {
      text: `
        with named as (delete from project_member where workspace_id = $1 and user_id = $2)
        delete from member where workspace_id = $1 and user_id = $2`,
    },
    [workspaceId, userId],
  );
}

/** Keyed by id, e-mail or `me`, as `referenceKey` returns them. */
export type People = Map<string, Person>;
type Person = { id: string; name: string | null; kind: UserKind };

/**
 * The people to search: everyone in the workspace, everyone but guests (`members`), or those who can see a project plus
 * those in `besides`.
 */
export type Among = "workspace" | "members" | { project: Pick<Project, "id" | "scoped">; besides?: readonly string[] };

/**
 * Active members and agents that a body references by id, e-mail or `me`. `principal` is null for an operator. A key limited
 * to projects finds the people who see one of them, as in its list of members.
 */
export async function findPeople(
  db: Db,
  workspaceId: string,
  refs: readonly string[],
  principal: Principal | null,
  among: Among,
): Promise<People> {
  const found: People = new Map();
  if (refs.length === 0) return found;
  const ids = refs.map(readId).filter((id) => id !== null);
  const words = refs.map(referenceKey);
  const emails = words.filter((word) => principal === null || mayFindBy(principal, word));
  const own = principal && words.includes("me") ? principal.user_id : null;
  const bounds = typeof among === "string" ? [[], null, false] : [among.besides ?? [], ...opening(among.project)];
  const rows = await db.query<Person & { email: string | null }>(
    {
      name: "find_people",
      text: `
        select u.id, u.name, ${kindOf("u")} as kind, lower(u.email) as email
        from app_user u left join member m on m.user_id = u.id and m.workspace_id = $1 and m.status = 'active'
        where (u.id = any($2::uuid[]) or (u.email is not null and lower(u.email) = any($3::text[])))
          and (u.id = any($4::uuid[]) or (m.user_id is not null and ($5::uuid is null or ${visibleTo(5)})
               and not ($7::boolean and m.role = 'guest') and ($8::uuid[] is null or u.id = $9 or ${seesOneOf(8)})))`,
    },
    [
      ...[workspaceId, own ? [...ids, own] : ids, emails, ...bounds, among === "members"],
      ...[principal?.project_ids ?? null, principal?.user_id ?? null],
    ],
  );
  for (const { email, ...person } of rows) {
    found.set(person.id, person);
    if (email) found.set(referenceKey(email), person);
    if (person.id === own) found.set("me", person);
  }
  return found;
}

/**
 * The ids that belong to members, suspended or not. Locks the rows: none of them can be removed until the transaction
 * ends.
 */
export async function membersAmong(db: Db, workspaceId: string, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const text = `
    select user_id from member where workspace_id = $1 and user_id = any($2::uuid[]) order by user_id for key share`;
  const rows = await db.query<{ user_id: string }>({ name: "members_among", text }, [workspaceId, userIds]);
  const found = new Set(rows.map(({ user_id }) => user_id));
  return userIds.filter((id) => found.has(id));
}
