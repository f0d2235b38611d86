import type { InWorkspace } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import type { Principal } from "../../kernel/principal.ts";
import { hasScope, type Scope } from "./scopes.ts";
import { readKeyReach } from "./set-up-by.sql.ts";

/**
 * The credential that last defined an object that acts later, such as an automation. The object keeps the limits of this
 * credential: its projects, its scopes, and its end.
 */
export type SetUpBy = {
  /** Null: a person in a browser, so all rights of the person's role. A deleted key counts as an ended one. */
  key_id: string | null;
  /** The scopes of the call. An access token may have fewer than its grant. */
  key_scopes: string[] | null;
};

/** A person in a browser. */
export const BY_PERSON: SetUpBy = { key_id: null, key_scopes: null };

/** The caller's credential, for an object that the caller defines. */
export const setUpBy = ({ key }: Principal): SetUpBy =>
  key ? { key_id: key.id, key_scopes: [...key.scopes] } : BY_PERSON;

/** For whom an object acts: the rights of a user, within the limits of a credential. */
export type ActsFor = SetUpBy & { created_by: string };

/** An object that the caller defines acts for the caller. */
export const actsFor = (principal: Principal): ActsFor => ({ ...setUpBy(principal), created_by: principal.user_id });

/**
 * For whom an object acts after a change. The credential that redefines an object takes it over, so an object never has
 * rights that its last author lacked. A call that only enables it or moves it takes it over if the object reaches further
 * than the caller, or if its credential has ended.
 * @returns the columns that change; none if the object keeps its credential
 */
export async function takeOver(
  ctx: InWorkspace,
  before: ActsFor,
  { redefined }: { redefined: boolean },
): Promise<Partial<ActsFor>> {
  const now = actsFor(ctx.principal);
  const isOwn = now.key_id === before.key_id && isSame(now.key_scopes, before.key_scopes);
  if (isOwn || (!redefined && (await isWithin(ctx, before)))) return {};
  return now;
}

/** Whether an object's credential is live and reaches no project outside of the caller's. */
async function isWithin({ db, workspace, principal }: InWorkspace, { key_id }: SetUpBy): Promise<boolean> {
  const { project_ids: own } = principal;
  if (key_id === null) return own === null;
  const key = await readKeyReach(db, workspace.id, key_id);
  return key !== null && (own === null || (key.project_ids?.every((id) => own.includes(id)) ?? false));
}

/**
 * The same principal within the limits of the credential that defined an object. Null if the credential has ended.
 */
export async function withinLimits(
  { db, workspace }: Pick<InWorkspace, "db" | "workspace">,
  principal: Principal,
  { key_id, key_scopes }: SetUpBy,
): Promise<Principal | null> {
  if (key_id === null) return principal;
  const reach = await readKeyReach(db, workspace.id, key_id);
  if (!reach) return null;
  const { project_ids, agent } = reach;
  return { ...principal, project_ids, key: { id: key_id, scopes: key_scopes ?? [] }, ...(agent ? { agent } : {}) };
}

/** Whether the credential that defined an object still works. A person in a browser needs none. */
export const isKeyLive = async (
  { db, workspace }: Pick<InWorkspace, "db" | "workspace">,
  { key_id }: SetUpBy,
): Promise<boolean> => key_id === null || (await readKeyReach(db, workspace.id, key_id)) !== null;

/** As `isKeyLive`, and the key's person is still an admin. */
export const isAdminsKeyLive = async (
  { db, workspace }: Pick<InWorkspace, "db" | "workspace">,
  { key_id }: SetUpBy,
): Promise<boolean> => key_id === null || ((await readKeyReach(db, workspace.id, key_id))?.of_admin ?? false);

/** The first of the scopes that the principal lacks; null if there is none. */
export const lackingScope = (principal: Principal, needed: readonly Scope[]): Scope | null =>
  principal.key === null ? null : (needed.find((scope) => !hasScope(principal, principal.key!, scope)) ?? null);

/**
 * Checks the scopes for work that the principal does or sets up.
 * @param work the beginning of the sentence "… needs the scope …"
 * @throws Refusal insufficient_scope
 */
export function requireScopes(principal: Principal, needed: readonly Scope[], work: string): void {
  const scope = lackingScope(principal, needed);
  if (scope === null) return;
  refuse("insufficient_scope", {
    message: `${work} needs the scope ${scope}, which the key lacks.`,
    required_scope: scope,
    granted: [...principal.key!.scopes],
  });
}
