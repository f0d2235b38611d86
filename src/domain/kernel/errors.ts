/** Everything a client may be refused with: one word, its status, coarse code and title. Statuses and texts stand nowhere else. */

type Coarse =
  | "validation"
  | "unauthorized"
  | "payment_required"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "idempotency_violation"
  | "rate_limited"
  | "internal_error";

type Row = readonly [status: number, coarse: Coarse, title: string, text: string];

const invalid = (title: string, text: string): Row => [400, "validation", title, text];
const payable = (title: string, text: string): Row => [402, "payment_required", title, text];
const forbidden = (title: string, text: string): Row => [403, "forbidden", title, text];
const missing = (title: string, text: string): Row => [404, "not_found", title, text];
const conflict = (title: string, text: string): Row => [409, "conflict", title, text];
const limited = (title: string, text: string): Row => [429, "rate_limited", title, text];

export const refusals = {
  validation_failed: invalid("Validation failed", "Some fields are not valid; see errors."),
  invalid_json: invalid("Invalid JSON", "The body is not valid JSON in UTF-8."),
  body_too_large: invalid("Body too large", "The body is larger than this call accepts."),
  unsupported_media_type: invalid("Unsupported media type", "Send the body as application/json in UTF-8."),
  unknown_field: invalid("Unknown field", "The body has a field that this call does not know."),
  unknown_parameter: invalid("Unknown parameter", "The query has a parameter that this call does not know."),
  invalid_parameter: invalid("Invalid parameter", "A query parameter is not valid."),
  invalid_cursor: invalid("Invalid cursor", "The cursor is broken; start again without one."),
  cursor_mismatch: invalid(
    "Cursor mismatch",
    "The cursor belongs to other filters; keep them while paging, or start again.",
  ),
  invalid_reference: invalid("Invalid reference", "The body names something that does not exist here."),
  mutually_exclusive: invalid("Mutually exclusive", "Send only one of these fields."),
  read_only_field: invalid(
    "Read-only field",
    "This field cannot be written; leave it out, or send it as it was shown.",
  ),
  immutable_field: invalid("Immutable field", "This field cannot be changed."),
  parent_cycle: invalid("Parent cycle", "An issue cannot be its own ancestor."),
  link_self: invalid("Link to itself", "An issue cannot be linked to itself."),
  link_cycle: invalid("Link cycle", "The issues would block each other in a circle; see cycle."),
  depth_limit_reached: invalid("Depth limit reached", "The hierarchy would get too deep."),
  invalid_url: invalid("Invalid URL", "This address cannot be used."),
  not_a_member: invalid("Not a member", "This person is not in the workspace."),
  upload_size_mismatch: invalid("Upload mismatch", "The file is not the announced one; see field."),
  checksum_mismatch: invalid("Checksum mismatch", "The file does not have the announced checksum."),
  method_not_allowed: [405, "validation", "Method not allowed", "See the Allow header for the methods of this path."],
  unauthorized: [
    401,
    "unauthorized",
    "Unauthorized",
    "Send a valid key: Authorization: Bearer <key>, or X-Api-Key: <key>.",
  ],
  malformed_credential: invalid(
    "Malformed credential",
    "The Payment credential is malformed; pay the fresh challenge.",
  ),
  method_unsupported: invalid(
    "Method unsupported",
    "The Payment credential is for another payment method than the challenge; nothing was charged.",
  ),
  payment_required: payable("Payment required", "Pay the challenge and send the call again with the credential."),
  challenge_unknown: payable("Unknown challenge", "There is no such challenge for this workspace; pay the fresh one."),
  challenge_expired: payable("Challenge expired", "The challenge is older than ten minutes; pay the fresh one."),
  challenge_consumed: payable(
    "Challenge used",
    "The challenge was paid with another credential; nothing was charged now. Pay the fresh one only to buy more.",
  ),
  challenge_mismatch: payable("Challenge mismatch", "The challenge was made for something else; pay the fresh one."),
  payment_failed: payable("Payment failed", "The card was declined; nothing was charged."),
  payment_insufficient: payable("Payment insufficient", "The token's limit is below the price; nothing was charged."),
  payment_action_required: payable(
    "Action required",
    "The card's holder has to confirm; send a person to action_url, where they do.",
  ),
  no_saved_card: payable(
    "No saved card",
    "The workspace has no saved card; send an owner or admin to action_url, where they save one.",
  ),
  payment_unknown: [
    503,
    "internal_error",
    "Payment outcome unknown",
    "The card processor has not said how it ended. Do not pay again: send the same call again until it is answered.",
  ],
  payments_off: [
    503,
    "internal_error",
    "Payments off",
    "This installation has no card processor; its operator has to set STRIPE_SECRET_KEY.",
  ],
  credits_exhausted: forbidden("Credits exhausted", "The workspace has too few AI credits; buy some at purchase_url."),
  insufficient_scope: forbidden("Insufficient scope", "The key lacks the scope for this call."),
  invite_for_another: forbidden(
    "Invite for another",
    "The invite is for another e-mail address; sign in with that one.",
  ),
  insufficient_role: forbidden("Insufficient role", "The role of the key's user does not allow this."),
  not_owner_of_resource: forbidden("Not the owner", "Only its author or an admin may change this."),
  key_project_limit: forbidden("Key limited to projects", "The key is limited to some projects and cannot do this."),
  scope_exceeds_grantor: forbidden("Scope exceeds grantor", "A key cannot hold more than its maker."),
  plan_required: forbidden("Plan required", "The workspace's plan does not include this."),
  plan_limit_reached: forbidden("Plan limit reached", "The workspace's plan allows no more of these."),
  storage_limit_reached: forbidden("Storage limit reached", "The workspace's plan has no room for this file."),
  foreign_form: forbidden("Foreign form", "This form was sent from another site; open the page here and try again."),
  not_found: missing("Not found", "There is nothing here, or not for you."),
  unknown_report: missing("Unknown report", "There is no such report; see allowed."),
  last_owner: conflict("Last owner", "A workspace keeps at least one owner; make somebody else one first."),
  already_member: conflict("Already a member", "This person is in the workspace already."),
  invite_over: conflict("Invite over", "The invite was used, revoked or has expired; ask for a new one."),
  token_limit_reached: conflict(
    "Token limit reached",
    "You have as many personal tokens as one may; revoke one first.",
  ),
  already_exists: conflict("Already exists", "Another one has this name already."),
  field_in_use: conflict("Field in use", "Issues have values of this field; its kind cannot change any more."),
  version_conflict: conflict("Version conflict", "The object was changed meanwhile; read it again and retry."),
  precondition_failed: [
    412,
    "conflict",
    "Precondition failed",
    "The object was changed since you read it; read it again, and retry with the ETag of that reply.",
  ],
  archived: conflict("Archived", "The object is archived; restore it first."),
  restore_window_over: conflict("Restore window over", "It was archived too long ago to be restored."),
  link_limit_reached: conflict("Link limit reached", "The issue has as many links as one may have."),
  attachment_limit_reached: conflict(
    "Attachment limit reached",
    "The comment has as many attachments as one may have.",
  ),
  upload_missing: conflict("Upload missing", "The bytes are not there yet; PUT them to the upload's url first."),
  upload_expired: conflict("Upload expired", "The upload was not finished in time; ask for a new one."),
  view_limit_reached: conflict(
    "View limit reached",
    "There are as many saved views as there may be; delete one first.",
  ),
  form_closed: conflict("Form closed", "This form takes no more answers."),
  already_answered: conflict("Already answered", "Somebody with this e-mail address has answered already."),
  status_limit_reached: conflict("Status limit reached", "A board has at most 12 statuses."),
  last_status: conflict("Last status", "The last status of a board cannot be deleted."),
  transition_not_allowed: conflict("Transition not allowed", "The board's rules do not allow this move; see allowed."),
  wip_limit_exceeded: conflict("WIP limit exceeded", "The column is full."),
  open_blockers: conflict("Open blockers", "The issue is blocked by open issues."),
  invalid_state_change: conflict("Invalid state change", "The object's state does not allow this."),
  idempotency_key_reused: [
    409,
    "idempotency_violation",
    "Idempotency key reused",
    "This Idempotency-Key was used for another request.",
  ],
  idempotency_in_progress: limited(
    "Still in progress",
    "The first request with this Idempotency-Key is still running; retry shortly.",
  ),
  rate_limited: limited("Rate limited", "Too many requests; wait for the seconds in Retry-After."),
  internal_error: [
    500,
    "internal_error",
    "Internal error",
    "Something broke on our side; quote the request_id when reporting it.",
  ],
  unavailable: [
    503,
    "internal_error",
    "Unavailable",
    "The service cannot do this right now; retry after the seconds in Retry-After.",
  ],
} as const satisfies Record<string, Row>;

export type RefusalCode = keyof typeof refusals;

/** `message` replaces the table's text; `headers` go out with the answer; the rest is shown as details. */
export type RefusalDetails = {
  message?: string;
  headers?: Record<string, string>;
  /** Members at the top of the problem, `type` among them. */
  problem?: Record<string, unknown>;
} & Record<string, unknown>;

export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly coarse: Coarse;
  readonly title: string;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly problem: Record<string, unknown>;

  constructor(code: RefusalCode, { message, headers, problem, ...details }: RefusalDetails = {}) {
    const [status, coarse, title, text] = refusals[code];
    super(message ?? text);
    this.code = code;
    this.status = status;
    this.coarse = coarse;
    this.title = title;
    this.details = details;
    this.headers = headers ?? {};
    this.problem = problem ?? {};
  }
}

/** Ends the call with one of the refusals above. */
export function refuse(code: RefusalCode, details?: RefusalDetails): never {
  throw new Refusal(code, details);
}

/** What a client is told when a call was Busy. */
export const busyRefusal = (): Refusal =>
  new Refusal("unavailable", {
    message: "This workspace has too much under way of what this call needs; retry shortly.",
    headers: { "Retry-After": "2" },
  });

export type FieldError = {
  path: string;
  code: string;
  message: string;
  allowed?: readonly unknown[];
  did_you_mean?: string;
} & Record<string, unknown>;

/** Refuses one field of the body, in the shape that schema violations have. */
export function refuseField(path: string, code: string, message: string, more: Record<string, unknown> = {}): never {
  refuse("validation_failed", { message, errors: [{ path, code, message, ...more }] });
}

/** Refuses a name in the body that leads nowhere. */
export function refuseReference(path: string, value: unknown, more: Record<string, unknown> = {}): never {
  refuse("invalid_reference", { message: `${path.slice(1)} does not exist here.`, path, value, ...more });
}
