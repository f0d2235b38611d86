import { ERRORS } from "../../domain/error-catalogue.ts";
import { Refusal, type RefusalDetails } from "../../domain/kernel/errors.ts";
import { own } from "../../domain/kernel/own.ts";
import { PROBLEM_BASE, TYPES } from "../../domain/tenancy/credits/challenges.ts";
import { REPORTS } from "../../domain/work/reports/views.ts";
import { documentOf } from "../http/problem.ts";

/** A reply with each error, as a client gets it. */

const ID = "0199aa00-7b1c-7c07-9d0e-3f2a10b4c8d1";
const NO_FIELD = "titel is not a field of this call. Did you mean title?";

/**
 * What the replies of some codes say beyond the catalogue, above all the details that its texts name. A test makes the most
 * frequent ones and compares.
 */
const detailsFor = (baseUrl: string): Record<string, RefusalDetails> => ({
  validation_failed: {
    message: "title is required",
    errors: [{ path: "/title", code: "required", message: "is required" }],
  },
  unknown_field: {
    message: NO_FIELD,
    path: "/titel",
    did_you_mean: "title",
    errors: [{ code: "unknown_field", message: NO_FIELD, path: "/titel", did_you_mean: "title" }],
  },
  unknown_parameter: {
    message: "statuz is not a parameter of this call. Did you mean status?",
    parameter: "statuz",
    did_you_mean: "status",
  },
  invalid_parameter: { message: "limit must be a whole number of at least 1.", parameter: "limit", value: "many" },
  invalid_reference: {
    message: `assignee: ${ID} does not exist here. listMembers (GET /v1/workspaces/{slug}/members) lists what exists.`,
    path: "/assignee",
    value: ID,
  },
  mutually_exclusive: { message: "Send assignee or assignee_id, not both.", fields: ["assignee", "assignee_id"] },
  insufficient_scope: {
    message:
      "The key lacks the scope issues:write. Use a key that has it: an admin creates one with createApiKey or on the page API keys. With an OAuth token, request scope=issues:write in a new authorization, as /auth.md describes.",
    required_scope: "issues:write",
    granted: ["read"],
  },
  insufficient_role: { role: "viewer", required_role: "member" },
  plan_required: { plan: "free", required_plan: "pro" },
  already_exists: {
    message: "The project has a label bug.",
    existing_id: ID,
    path: "/name",
  },
  version_conflict: { version: 7 },
  precondition_failed: { headers: { ETag: '"cZ8Qk2vT0aU.mN3_pQ7vWxY"' } },
  rate_limited: {
    message: "This key may make 600 requests a minute; retry in 12 s.",
    limit: 600,
    "violated-policies": ["key"],
    headers: { "Retry-After": "12" },
  },
  idempotency_in_progress: { headers: { "Retry-After": "1" } },
  unavailable: { headers: { "Retry-After": "2" } },
  unauthorized: { headers: { "WWW-Authenticate": 'Bearer realm="muster"' } },
  method_not_allowed: { headers: { Allow: "GET, HEAD, OPTIONS" } },
  open_blockers: { open_blockers: 1, blocked_by: ["WEB-12"] },
  transition_not_allowed: { message: "The board does not allow a move to Done from here.", allowed: [ID] },
  invalid_state_change: { message: "A revoked key cannot be changed.", from: "revoked", allowed: [] },
  unknown_report: { allowed: REPORTS },
  link_self: { path: "/target_key" },
  run_already_active: { run_id: ID },
  stream_gap: { expected_seq: 4 },
  credits_exhausted: { purchase_url: `${baseUrl}/api/mpp/v1/credits/small` },
  no_saved_card: cardPage(baseUrl),
  payment_action_required: cardPage(baseUrl),
  person_required: cardPage(baseUrl),
});

const cardPage = (baseUrl: string) => ({ action_url: `${baseUrl}/w/acme/billing/card`, action_method: "GET" });

/** The head of the reply and its body, as JSON on several lines. */
export function exampleOf(code: string, baseUrl: string): string {
  const error = ERRORS.find((one) => one.code === code)!;
  const type = own<string>(TYPES, code);
  const problem = type ? { problem: { type: PROBLEM_BASE + type } } : {};
  const refusal = new Refusal(error, { ...problem, ...own(detailsFor(baseUrl), code) });
  const head = { "Content-Type": "application/problem+json; charset=utf-8", ...refusal.headers };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  const body = JSON.stringify(documentOf(refusal, baseUrl, "req-81"), null, 2);
  return [`HTTP/2 ${error.status}`, ...lines, "", body].join("\n");
}
