import { mayFindBy, withoutEmail } from "../../access/identity/emails.ts";
import { createUser } from "../../access/identity/users.ts";
import { record } from "../../events/record.ts";
import { type Found, ofWorkspace } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { emailKey } from "../../kernel/email.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import type { Role } from "../../kernel/roles.ts";
import { memberAdded } from "./events.ts";
import { userInPath } from "./in-path.ts";
import { type MemberQuery, type MemberView, memberView } from "./member-view.ts";
import { findMember, insertMember, listMembers, type MemberRow, readMember } from "./members.sql.ts";

/**
 * People of the workspace, latest joined first or by name. Agents have their own list. A key limited to projects sees the people
 * who see one of them.
 */
export async function listPage(ctx: InWorkspace, { q, email, sort }: MemberQuery, paging: Paging) {
  const { principal } = ctx;
  const own = principal.project_ids;
  const { after, limit } = paging;
  // A guest would learn from an answer who has an address.
  const mayFind = email === undefined || mayFindBy(principal, email);
  const filter = {
    sort,
    seeing: own,
    q: q ? likePattern(q) : null,
    email: email === undefined ? null : (emailKey(email) ?? email),
  };
  const rows = mayFind ? await listMembers(ctx.db, ctx.workspace.id, { ...filter, after, limit: limit + 1 }) : [];
  const page = pageOf(rows, paging, (row) => [sort === "name" ? sortName(row) : row.joined_at, row.user_id]);
  const shown = (row: MemberRow) => {
    const project_ids = own ? row.project_ids.filter((id) => own.includes(id)) : row.project_ids;
    return withoutEmail(principal, memberView({ ...row, project_ids }));
  };
  return { rows: page.rows.map(shown), next_cursor: page.next_cursor };
}

/** The name by which a person is sorted. Those without one are at the end. */
const sortName = ({ name }: MemberRow): string => name ?? "\uffff";

/** A pattern for names that contain a text. */
const likePattern = (text: string): string => `%${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;

/** A member as the API shows them. */
export async function read(ctx: InWorkspace, text: string): Promise<Found<MemberView> | null> {
  const userId = await userInPath(ctx, text);
  const row = userId && (await findMember(ctx.db, ctx.workspace.id, userId));
  return ofWorkspace(row && withoutEmail(ctx.principal, memberView(row)));
}

/** Adds a person to a workspace. An existing member keeps their role. */
export async function addMember(ctx: Writing, workspaceId: string, email: string, role: Role): Promise<MemberView> {
  const user = await createUser(ctx, { email });
  const added = await insertMember(ctx.db, workspaceId, { userId: user.id, role, now: ctx.now });
  const member = memberView(await readMember(ctx.db, workspaceId, user.id));
  if (added) record({ ...ctx, workspace: { id: workspaceId } }, memberAdded, member);
  return member;
}
