import { conflict, defineErrors, forbidden, invalid, limited, missing, unavailable } from "./define-errors.ts";

/** Errors that calls of any subject may end with. Errors of one subject stand in its own `errors.ts`. */
export const generalErrors = defineErrors({
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
  invalid_url: invalid("Invalid URL", "This address cannot be used."),
  method_not_allowed: {
    status: 405,
    coarse: "validation",
    title: "Method not allowed",
    text: "See the Allow header for the methods of this path.",
  },
  unauthorized: {
    status: 401,
    coarse: "unauthorized",
    title: "Unauthorized",
    text: "Send a valid key: Authorization: Bearer <key>, or X-Api-Key: <key>.",
  },
  insufficient_scope: forbidden("Insufficient scope", "The key lacks the scope for this call."),
  insufficient_role: forbidden("Insufficient role", "The role of the key's user does not allow this."),
  not_owner_of_resource: forbidden("Not the owner", "Only its author or an admin may change this."),
  key_project_limit: forbidden("Key limited to projects", "The key is limited to some projects and cannot do this."),
  plan_required: forbidden("Plan required", "The workspace's plan does not include this."),
  plan_limit_reached: forbidden("Plan limit reached", "The workspace's plan allows no more of these."),
  foreign_form: forbidden("Foreign form", "This form was sent from another site; open the page here and try again."),
  not_found: missing("Not found", "There is nothing here, or not for you."),
  already_exists: conflict("Already exists", "Another one has this name already."),
  precondition_failed: {
    status: 412,
    coarse: "conflict",
    title: "Precondition failed",
    text: "The object was changed since you read it; read it again, and retry with the ETag of that reply.",
  },
  archived: conflict("Archived", "The object is archived; restore it first."),
  invalid_state_change: conflict("Invalid state change", "The object's state does not allow this."),
  idempotency_key_reused: {
    status: 409,
    coarse: "idempotency_violation",
    title: "Idempotency key reused",
    text: "This Idempotency-Key was used for another request.",
  },
  idempotency_in_progress: limited(
    "Still in progress",
    "The first request with this Idempotency-Key is still running; retry shortly.",
  ),
  rate_limited: limited("Rate limited", "Too many requests; wait for the seconds in Retry-After."),
  internal_error: {
    status: 500,
    coarse: "internal_error",
    title: "Internal error",
    text: "Something broke on our side; quote the request_id when reporting it.",
  },
  unavailable: unavailable(
    "Unavailable",
    "The service cannot do this right now; retry after the seconds in Retry-After.",
  ),
});

export type GeneralCode = keyof typeof generalErrors;
