import type { Writing } from "../domain/kernel/context.ts";
import { referenceKey } from "../domain/kernel/ids.ts";
import { workspaceIdOf } from "../domain/tenancy/workspaces/create.sql.ts";
import { findPeople, type MemberRow, readMember } from "../domain/tenancy/workspaces/members.sql.ts";
import { Failure } from "./command.ts";

/** @throws Failure */
export async function workspaceId({ db }: Writing, slug: string): Promise<string> {
  const id = await workspaceIdOf(db, slug.toLowerCase());
  return id ?? fail(`There is no workspace ${slug}.`);
}

/** Finds a member by e-mail or id. @throws Failure */
export async function memberOf({ db }: Writing, workspaceId: string, person: string): Promise<MemberRow> {
  const found = (await findPeople(db, workspaceId, [person], null, "workspace")).get(referenceKey(person));
  const member = found && (await readMember(db, workspaceId, found.id));
  return member || fail(`${person} is not a member of this workspace. Add them with: member add`);
}

function fail(message: string): never {
  throw new Failure(message);
}
