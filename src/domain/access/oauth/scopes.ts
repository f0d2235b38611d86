import { type Bundle, expand, grantsBilling, SCOPES, type Scope } from "../identity/scopes.ts";

/** Scopes in OAuth's form: words in one text, separated by spaces. */

const KNOWN: ReadonlySet<string> = new Set(SCOPES);
/** OpenID Connect clients request these by habit. They have no effect here. */
const OPENID: ReadonlySet<string> = new Set(["openid", "profile", "email", "offline_access"]);

/** The distinct scopes of a text, in order, without those of OpenID Connect. */
export function readScopes(text: string | undefined): { known: string[]; unknown: string[] } {
  const words = new Set((text ?? "").split(" ").filter((word) => word !== "" && !OPENID.has(word)));
  return {
    known: [...words].filter((word) => KNOWN.has(word)),
    unknown: [...words].filter((word) => !KNOWN.has(word)),
  };
}

/** All scopes that include no more than the given scopes. */
export function scopesWithin(held: readonly string[]): string[] {
  const own = expand(held);
  const fits = (scope: string) => [...expand([scope])].every((fine) => own.has(fine));
  return SCOPES.filter((scope) => (scope === "admin" ? grantsBilling(held) : fits(scope)));
}

/** The scopes that a client without its own list may request: all except those that only admins can use. */
export const ORDINARY: readonly string[] = scopesWithin(["write"]);

const BUNDLES: readonly Bundle[] = ["read", "write", "admin"];

/** The scopes that a person can choose from: the requested ones and the smaller bundles that they include. */
export function choosableScopes(requested: readonly string[]): string[] {
  const most = Math.max(...BUNDLES.map((bundle, size) => (requested.includes(bundle) ? size : -1)));
  return [...BUNDLES.slice(0, most + 1), ...requested.filter((scope) => !BUNDLES.includes(scope as Bundle))];
}

/**
 * The scopes to grant: the chosen ones, without smaller bundles that were not requested and are included in a larger
 * one.
 */
export function grantedScopes(requested: readonly string[], ticked: readonly string[]): string[] {
  const kept = choosableScopes(requested).filter((scope) => ticked.includes(scope));
  const most = kept.findLast((scope) => BUNDLES.includes(scope as Bundle));
  return kept.filter((scope) => requested.includes(scope) || scope === most);
}

/** A scope as text for people. */
export function describeScope(scope: string): string {
  if (BUNDLES.includes(scope as Bundle)) return describeBundle(scope as Bundle);
  if (scope === "search:read") return "Search";
  if (scope === "workflow.run") return "Start and advance workflows of issues";
  if (scope === "projects:admin") return "Administer projects";
  if (scope === "audit:read") return "See the audit log";
  return `${scope.endsWith(":write") ? "Create and change" : "See"} ${thingsOf(scope)}`;
}

/** What a bundle adds to the next smaller one. */
function describeBundle(bundle: Bundle): string {
  const smaller = expand(BUNDLES.slice(0, BUNDLES.indexOf(bundle)));
  const opened = [...expand([bundle])].filter((scope) => !smaller.has(scope));
  const things = (right: string) =>
    LIST.format(opened.filter((scope) => scope.endsWith(right) && scope !== "search:read").map(thingsOf));
  if (bundle === "read") return `See ${things(":read")}; search`;
  const changes = `create and change ${things(":write")}`;
  if (bundle === "write") return `All of read; ${changes}; start and advance workflows of issues`;
  return `All of write; as far as its role goes, ${changes}; administer projects; see the audit log; buy AI credits with the card of the workspace`;
}

/** What a scope allows, as people sort permissions. */
export type ScopeKind = "read" | "write" | "admin";

/** `admin`: money, people and the workspace itself. Everything else reads, or writes. */
export function kindOfScope(scope: string): ScopeKind {
  if (BUNDLES.includes(scope as Bundle)) return scope as Bundle;
  if (scope === "audit:read") return "admin";
  if (scope.endsWith(":read")) return "read";
  return expand(["write"]).has(scope as Scope) ? "write" : "admin";
}

/** A scope in a few words, for a line beside a box. What a bundle adds is in `linesOfScope`. */
export function shortScope(scope: string): string {
  if (scope === "read") return "See everything that you see";
  if (scope === "write") return "Create and change things";
  if (scope === "admin") return "Administer the workspace and spend its money";
  return describeScope(scope);
}

/** Everything that a bundle adds to the next smaller one, a line each. Empty for fine scopes. */
export function linesOfScope(scope: string): string[] {
  if (!BUNDLES.includes(scope as Bundle)) return [];
  const smaller = expand(BUNDLES.slice(0, BUNDLES.indexOf(scope as Bundle)));
  const opened = [...expand([scope])].filter((one) => !smaller.has(one));
  // Writing includes reading.
  const lines = opened.filter(
    (one) => !opened.includes(one.replace(/:read$/, ":write") as Scope) || !one.endsWith(":read"),
  );
  return [...lines.map(describeScope), ...(scope === "admin" ? ["Buy AI credits with the card of the workspace"] : [])];
}

const thingsOf = (scope: string): string =>
  scope.split(":")[0]!.replaceAll("_", " ").replace("api keys", "API keys").replace("oauth", "OAuth");

const LIST = new Intl.ListFormat("en-GB");
