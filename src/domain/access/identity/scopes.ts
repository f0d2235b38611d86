import { own } from "../../kernel/own.ts";
import type { Principal } from "../../kernel/principal.ts";
import { isAdmin, type Role } from "../../kernel/roles.ts";

/**
 * Scopes: fine ones (`issues:write`) and the three bundles that contain them. They are stored as granted and expanded
 * when checked.
 */

const FAMILIES = [
  "workspaces",
  "projects",
  "issues",
  "comments",
  "attachments",
  "labels",
  "custom_fields",
  "saved_views",
  "docs",
  "members",
  "notifications",
  "chat",
  "forms",
  "automations",
  "portfolios",
  "goals",
  "agents",
  "workflows",
  "api_keys",
  "webhooks",
  "oauth_apps",
] as const;
type Family = (typeof FAMILIES)[number];

export type Scope =
  | `${Family}:read`
  | `${Family}:write`
  | "search:read"
  | "projects:admin"
  | "workflow.run"
  | "audit:read";
export type Bundle = "read" | "write" | "admin";

const DEVELOPER: readonly Family[] = ["api_keys", "webhooks", "oauth_apps"];
const WRITE: readonly Family[] = [
  "projects",
  "issues",
  "comments",
  "attachments",
  "labels",
  "custom_fields",
  "saved_views",
  "docs",
  "notifications",
  "chat",
  "goals",
  "agents",
];

const read: Scope[] = [
  "search:read",
  ...FAMILIES.filter((f) => !DEVELOPER.includes(f)).map((f) => `${f}:read` as const),
];
const write: Scope[] = [...read, "workflow.run", ...WRITE.map((f) => `${f}:write` as const)];
const admin: Scope[] = [
  ...write,
  "projects:admin",
  "audit:read",
  ...FAMILIES.flatMap((f) => [`${f}:read`, `${f}:write`] as const),
];

const BUNDLES: Record<Bundle, ReadonlySet<Scope>> = {
  read: new Set(read),
  write: new Set(write),
  admin: new Set(admin),
};

/** The other scopes that a fine scope includes. */
function contained(scope: Scope): Scope[] {
  if (scope === "issues:write") return ["issues:read", "workflow.run"];
  if (scope === "projects:admin") return ["projects:write", "projects:read"];
  return scope.endsWith(":write") ? [scope.replace(/write$/, "read") as Scope] : [];
}

export const BUNDLE_NAMES = Object.keys(BUNDLES) as Bundle[];
/** All scopes that a key can have, bundles first. */
export const SCOPES: readonly (Scope | Bundle)[] = [...BUNDLE_NAMES, ...BUNDLES.admin];

const expansions = new Map<string, ReadonlySet<Scope>>();

/** All fine scopes that a key's scopes include. */
export function expand(granted: readonly string[]): ReadonlySet<Scope> {
  const key = granted.join(" ");
  const known = expansions.get(key);
  if (known) return known;

  const all = new Set<Scope>();
  for (const scope of granted) {
    const bundle = own<ReadonlySet<Scope>>(BUNDLES, scope);
    if (bundle) for (const fine of bundle) all.add(fine);
    else for (const fine of [scope as Scope, ...contained(scope as Scope)]) all.add(fine);
  }
  // Keys use few distinct lists of scopes. The limit only protects the memory from a client that makes endless ones.
  if (expansions.size < 10_000) expansions.set(key, all);
  return all;
}

/**
 * Whether the caller has a scope. `admin` means billing. The key must have the scope. If the key belongs to an agent,
 * the current role of the person who created it must allow the scope too.
 */
export function hasScope(
  { user_kind, maker_role }: Pick<Principal, "user_kind" | "maker_role">,
  { scopes }: { readonly scopes: readonly string[] },
  scope: Scope | "admin",
): boolean {
  const held = scope === "admin" ? grantsBilling(scopes) : expand(scopes).has(scope);
  if (!held || user_kind === "person") return held;
  return scope === "admin" ? isAdmin(maker_role) : grantableScopes(maker_role).has(scope);
}

/** Whether scopes grant billing and credit purchase. Only the bundle `admin` does. */
export const grantsBilling = (granted: readonly string[]): boolean => granted.includes("admin");

const ADMIN_ONLY: readonly Family[] = [
  "members",
  "forms",
  "automations",
  "workflows",
  "portfolios",
  "workspaces",
  ...DEVELOPER,
];

/**
 * Scopes that members may grant beyond the bundle. Some members are admins of a project; each call that needs this
 * checks it.
 */
const OF_MEMBERS: ReadonlySet<Scope> = new Set([...write, "projects:admin"]);

/** The scopes that a role can grant. A key never has more rights than its creator. */
export function grantableScopes(role: Role): ReadonlySet<Scope> {
  if (role === "owner" || role === "admin") return BUNDLES.admin;
  if (role === "member") return OF_MEMBERS;
  return BUNDLES.read;
}

/** Whether only owners and admins grant the scope to a key. Sessions have all scopes, so such calls check the role as well. */
export const isAdminScope = (scope: Scope): boolean => !OF_MEMBERS.has(scope);

/** Scopes of `wanted` that the role cannot grant. A bundle counts as excess if any of its scopes does. */
export function excessScopes(role: Role, wanted: readonly string[]): string[] {
  const held = grantableScopes(role);
  // Guests and viewers may write in some cases (comments, watching). Each call checks this.
  const relaxed = (scope: Scope) =>
    held.has(scope) || (role !== "member" && (isOrdinaryWrite(scope) || scope === "workflow.run"));
  return wanted.filter((scope) => ![...expand([scope])].every(relaxed));
}

const isOrdinaryWrite = (scope: Scope) =>
  WRITE.some((family) => scope === `${family}:write`) && !ADMIN_ONLY.some((family) => scope.startsWith(`${family}:`));
