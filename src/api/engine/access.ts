import { agentErrors } from "../../domain/access/agents/errors.ts";
import { type Located, locate as read } from "../../domain/access/identity/access.sql.ts";
import { actingAs } from "../../domain/access/identity/act-as.ts";
import { lookupOf } from "../../domain/access/identity/lookup.ts";
import { projectOfIssue } from "../../domain/access/identity/project-of-issue.sql.ts";
import { hasScope } from "../../domain/access/identity/scopes.ts";
import { lookupOfVisitor, type SignedIn } from "../../domain/access/sign-in/sessions.ts";
import { seesProject } from "../../domain/kernel/belongs.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { Refusal, refuse } from "../../domain/kernel/errors.ts";
import type { Principal } from "../../domain/kernel/principal.ts";
import { isAdmin, isEditor } from "../../domain/kernel/roles.ts";
import type { Project } from "../../domain/kernel/rows.ts";
import { looksLikeSecret } from "../../domain/kernel/secrets.ts";
import type { Call, InCall, Runtime } from "./call.ts";
import { refuseMissing } from "./missing.ts";
import { isClosedToLimitedKeys, type Operation } from "./operation.ts";
import { countBadCredential, takeOwnRate, takeRate } from "./rate.ts";

/**
 * Authenticates and authorizes a call. Errors come in this order: credential 401, rate limit 429, workspace 404,
 * scope 403, project and issue 404, pause 403, projects of the key 403, role 403, plan 403.
 */
export async function admit(runtime: Runtime, operation: Operation, call: Call, ctx: Ctx): Promise<Located> {
  const located = await identify(runtime, call, ctx);
  if (call.ownWorkspace && operation.head !== "none") call.params.slug ??= located.workspace.slug;
  const { perMinute } = operation;
  if (perMinute !== undefined) await takeOwnRate(runtime, located.credential, { ...operation, perMinute });
  authorize(runtime, operation, call, located);
  return located;
}

/** Identifies and authorizes the caller of a stream again, without counting a call. Returns null if that fails. */
export async function admitAgain(
  runtime: Runtime,
  operation: Operation,
  call: Calling,
  base: Ctx,
): Promise<Located | null> {
  const located = await locateCaller(runtime, call, base);
  if (located) authorize(runtime, operation, call, located);
  return located;
}

/** @throws Refusal not_found, insufficient_scope, agent_paused, key_project_limit, insufficient_role, plan_required */
function authorize(runtime: Runtime, operation: Operation, call: Calling, located: Located): void {
  const { principal, workspace, project } = located;
  // A key belongs to one workspace. To the key, every other slug is unknown.
  if (operation.head !== "none" && call.params.slug?.toLowerCase() !== workspace.slug) {
    refuseMissing("slug", call.params);
  }
  checkScope(runtime, call, operation, located);
  if (operation.head === "P" || operation.head === "I") {
    const named = operation.path.includes("{key}") ? "key" : "issueKey";
    if (!project || !seesProject(principal, project)) refuseMissing(named, call.params);
    if (operation.head === "I" && !located.issue) refuseMissing("issueKey", call.params);
  }
  if (operation.writes && principal.agent?.paused) refuse(agentErrors.agent_paused);
  checkProjectLimit(operation, principal);
  checkRole(operation, principal, project);
  if (operation.gate && runtime.settings.plans(workspace.plan, operation.gate) === 0) {
    refuse("plan_required", { plan: workspace.plan, required_plan: "pro" });
  }
}

/** Whether the caller may make some call of the operation. What depends on its objects, the call itself checks. */
export function mayEverCall(
  { settings }: Pick<Runtime, "settings">,
  operation: Operation,
  { principal, credential, workspace }: Pick<Located, "principal" | "credential" | "workspace">,
): boolean {
  if (operation.scope && !hasScope(principal, credential, operation.scope)) return false;
  if (operation.gate && settings.plans(workspace.plan, operation.gate) === 0) return false;
  try {
    checkProjectLimit(operation, principal);
    checkRole(operation, principal, null);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** The visitor in one of their workspaces, as a caller. Null if they are not a member, or signed out meanwhile. */
export async function locateVisitor(
  { database, memory }: Pick<Runtime, "database" | "memory">,
  visitor: SignedIn,
  slug: string,
  base: Ctx,
): Promise<InCall | null> {
  const located = await read(database, memory, lookupOfVisitor(visitor, slug), {}, base.now);
  return located && contextOf(base, located);
}

/** The context of an admitted call. Parts that the route does not name are undefined. */
export function contextOf(base: Ctx, { principal, credential, workspace, project, issue }: Located): InCall {
  const cause = credential.kind === "session" ? base.cause : { ...base.cause, key_id: credential.id };
  return {
    ...actingAs(base, principal, { workspace, cause }),
    credential,
    // The route's head decides which of these a handler can see. admit() has rejected the call if one is missing.
    project: project as InCall["project"],
    issue: issue as InCall["issue"],
  };
}

/** The parts of a call that identify the caller. */
type Calling = Pick<Call, "secret" | "visitor" | "unmetered" | "params" | "address" | "path" | "onRate">;

/** Identifies the caller and counts a call. @throws Refusal unauthorized, rate_limited, not_found */
export async function identify(runtime: Runtime, call: Calling & Pick<Call, "onCaller">, base: Ctx): Promise<Located> {
  const located = await locateCaller(runtime, call, base);
  if (!located) return call.visitor ? refuse("not_found") : unauthorized(runtime, call);
  // Before the limit is checked, because a call that it refuses is a use of the key, too.
  call.onCaller(located.credential.id);
  if (!call.unmetered) await takeRate(runtime, call, located.credential, 1);
  return located;
}

async function locateCaller(runtime: Runtime, call: Calling, base: Ctx): Promise<Located | null> {
  const { secret, visitor, params } = call;
  const { database, memory } = runtime;
  if (visitor) return read(database, memory, lookupOfVisitor(visitor, params.slug ?? ""), params, base.now);
  if (secret === null || !looksLikeSecret(secret)) return null;
  if (params.issueKey !== undefined) params.key ??= await projectOfIssue(database, params.slug, params.issueKey);
  return read(database, memory, lookupOf(secret), params, base.now);
}

async function unauthorized(runtime: Runtime, call: Calling): Promise<never> {
  if (call.secret !== null) await countBadCredential(runtime, call);
  const error = call.secret === null ? "" : ', error="invalid_token"';
  // Clients with no other information request these scopes.
  const challenge = `${challengeOf(runtime, call)}, scope="read write"${error}`;
  refuse("unauthorized", { headers: { "WWW-Authenticate": challenge } });
}

/**
 * The `WWW-Authenticate` challenge, which tells clients where to find the authorization server (RFC 9728 §5.1). The
 * document must describe a prefix of the path.
 */
function challengeOf({ settings }: Runtime, { path }: Pick<Call, "path">): string {
  const part = /^(\/v1|\/api\/mcp\/v1)(\/|$)/.exec(path)?.[1] ?? "";
  return `Bearer realm="muster", resource_metadata="${settings.baseUrl}/.well-known/oauth-protected-resource${part}"`;
}

function checkScope(runtime: Runtime, call: Calling, { scope }: Operation, { principal, credential }: Located) {
  if (!scope || hasScope(principal, credential, scope)) return;
  refuse("insufficient_scope", {
    message: `The key lacks the scope ${scope}. ${waysTo(scope)}`,
    required_scope: scope,
    granted: credential.scopes,
    headers: {
      "WWW-Authenticate": `${challengeOf(runtime, call)}, error="insufficient_scope", scope="${scope}"`,
    },
  });
}

/** How a client gets a scope. */
function waysTo(scope: string): string {
  const request = `request scope=${scope} in a new authorization, as /auth.md describes`;
  return `Use a key that has it: an admin creates one with createApiKey or on the page API keys. With an OAuth token, ${request}.`;
}

function checkProjectLimit(operation: Operation, { project_ids }: Principal) {
  if (project_ids && isClosedToLimitedKeys(operation)) refuse("key_project_limit");
}

function checkRole(operation: Operation, principal: Principal, project: Project | null) {
  const { role } = principal;
  // An agent buys on behalf of the person who created its key.
  const buyer = principal.user_kind === "agent" ? principal.maker_role : role;
  if (
    (operation.tier === "admin tier" && !isAdmin(role)) ||
    (operation.tier === "role owner or admin" && !isAdmin(buyer))
  )
    refuse("insufficient_role", { role, required_role: "admin" });
  // A guest's role in a project that the path does not name is checked when the object is loaded, or the body read.
  const isBelow =
    operation.head === "P" ||
    operation.head === "I" ||
    Boolean(operation.on ?? operation.within ?? operation.inProject);
  const isForGuests = operation.writers === "guests" && isBelow;
  if (isChange(operation) && !isEditor(role) && !(role === "guest" && isForGuests)) {
    refuse("insufficient_role", { role, required_role: "member" });
  }
  if (project) checkProjectRole(operation, principal, project);
}

/** Checks that the caller's project role allows the operation. @throws Refusal insufficient_role */
export function checkProjectRole(
  operation: Pick<Operation, "tier" | "writes" | "scope" | "writers">,
  { role }: Principal,
  project: Pick<Project, "role">,
): void {
  if (isAdmin(role)) return;
  if (operation.tier === "project admin or admin tier" && project.role !== "admin") {
    refuse("insufficient_role", { role, required_role: "project admin" });
  }
  if (!isChange(operation)) return;
  if (role === "guest" && (operation.writers !== "guests" || (project.role ?? "viewer") === "viewer")) {
    refuse("insufficient_role", { role, required_role: "member" });
  }
  if (project.role === "viewer") {
    refuse("insufficient_role", { message: "You are a viewer of this project.", project_role: "viewer" });
  }
}

const isChange = ({ writes, scope, writers }: Pick<Operation, "writes" | "scope" | "writers">) =>
  writes && scope !== null && writers !== "viewers";
