import { conflict, defineErrors, forbidden, invalid, limited, missing, unavailable } from "./define-errors.ts";

/** Errors of calls of any subject. Errors of one subject are in its own `errors.ts`. */
export const generalErrors = defineErrors({
  validation_failed: invalid(
    "Validation failed",
    "Some fields of the body are invalid.",
    "Correct those listed in errors.",
  ),
  invalid_json: invalid("Invalid JSON", "The body is not valid JSON.", "Send JSON in UTF-8 (RFC 8259)."),
  body_too_large: invalid("Body too large", "The body is larger than this call accepts.", "Send a smaller one."),
  unsupported_media_type: {
    status: 415,
    coarse: "validation",
    title: "Unsupported media type",
    cause: "The body is in a format that this call does not accept.",
    fix: "Send JSON in UTF-8, with the header Content-Type: application/json.",
  },
  unknown_field: invalid(
    "Unknown field",
    "This call does not accept a field of the body.",
    "Remove it, or correct its name.",
  ),
  unknown_parameter: invalid(
    "Unknown parameter",
    "This call does not accept a query parameter.",
    "Remove it, or correct its name.",
  ),
  invalid_parameter: invalid(
    "Invalid parameter",
    "A query parameter is invalid.",
    "Correct the one in parameter, or leave it out.",
  ),
  invalid_cursor: invalid("Invalid cursor", "The cursor is invalid.", "Start again without one."),
  cursor_mismatch: invalid(
    "Cursor mismatch",
    "The cursor was returned for other filters.",
    "Keep the filters while paging, or start again without a cursor.",
  ),
  invalid_reference: invalid(
    "Invalid reference",
    "The body names an object that does not exist, or that the caller cannot see.",
    "Correct the reference in path, or leave it out.",
  ),
  parent_cycle: invalid("Parent cycle", "An object cannot be its own ancestor.", "Choose another parent."),
  depth_limit_reached: invalid(
    "Depth limit reached",
    "The hierarchy would have too many levels.",
    "Choose a parent on a higher level.",
  ),
  mutually_exclusive: invalid(
    "Mutually exclusive",
    "The body has fields of which only one can be sent.",
    "Send only one of these fields.",
  ),
  read_only_field: invalid(
    "Read-only field",
    "This field is read-only.",
    "Leave it out, or send it as it was returned.",
  ),
  immutable_field: invalid("Immutable field", "This field cannot be changed.", "Leave it out."),
  invalid_url: invalid(
    "Invalid URL",
    "This URL cannot be used.",
    "Send an https URL with a public address. Redirect URIs may be on the local machine.",
  ),
  method_not_allowed: {
    status: 405,
    coarse: "validation",
    title: "Method not allowed",
    cause: "The path does not take this method.",
    fix: "Use one of the methods in the Allow header.",
  },
  unauthorized: {
    status: 401,
    coarse: "unauthorized",
    title: "Unauthorized",
    cause: "The call has no valid key or access token.",
    fix: "Send one: Authorization: Bearer <key>, or X-Api-Key: <key>. /auth.md says how to get one.",
  },
  insufficient_scope: forbidden(
    "Insufficient scope",
    "The key lacks the scope for this call.",
    "Use a key that has it, or ask for the scope as `/auth.md` describes.",
  ),
  insufficient_role: forbidden(
    "Insufficient role",
    "The role of the key's user does not allow this.",
    "Ask an admin of the workspace.",
  ),
  not_owner_of_resource: forbidden(
    "Not the owner",
    "Only its author or an admin may change this.",
    "Ask one of them, or make an object of your own.",
  ),
  key_project_limit: forbidden(
    "Key limited to projects",
    "The key is limited to projects, and this call concerns more than these.",
    "Use a key that is not limited to projects.",
  ),
  plan_required: forbidden(
    "Plan required",
    "The workspace's plan does not include this.",
    "Ask the operator of the service for the plan in required_plan.",
  ),
  plan_limit_reached: forbidden(
    "Plan limit reached",
    "The limit of the workspace's plan is reached.",
    "Delete something, or upgrade the plan.",
  ),
  foreign_form: forbidden("Foreign form", "The form was sent from another site.", "Open the page here and try again."),
  not_found: missing(
    "Not found",
    "The object does not exist, or the caller cannot see it.",
    "Check the path, and that the key may see the object.",
  ),
  already_exists: conflict("Already exists", "An object with this name exists already.", "Choose another name."),
  precondition_failed: {
    status: 412,
    coarse: "conflict",
    title: "Precondition failed",
    cause: "The object has changed since you read it.",
    fix: "Read it again, and retry with the new ETag.",
  },
  archived: conflict("Archived", "The object is archived.", "Restore it first."),
  restore_window_over: conflict(
    "Restore window over",
    "The object was archived too long ago to be restored.",
    "Create a new one.",
  ),
  version_conflict: conflict(
    "Version conflict",
    "The object has changed since you read it.",
    "Read it again and retry.",
  ),
  invalid_state_change: conflict(
    "Invalid state change",
    "The object's current state does not allow this.",
    "Do what detail says, or read the object again to see its state.",
  ),
  idempotency_key_reused: {
    status: 409,
    coarse: "idempotency_violation",
    title: "Idempotency key reused",
    cause: "This Idempotency-Key was used before, for a request with another body.",
    fix: "Send each new request with a new key. To repeat the first request, send exactly its body with the old key.",
  },
  idempotency_in_progress: limited(
    "Still in progress",
    "The first request with this Idempotency-Key is still running.",
    "Repeat the same request after the seconds in Retry-After: it gets the reply of the first one.",
  ),
  rate_limited: limited(
    "Rate limited",
    "Too many requests were sent with this key.",
    "Wait for the seconds in Retry-After, then repeat the request.",
  ),
  too_many_streams: limited("Too many streams", "This key has too many open streams.", "Close one of them first."),
  internal_error: {
    status: 500,
    coarse: "internal_error",
    title: "Internal error",
    cause: "The service has made an error. It is logged with the request_id.",
    fix: "Retry once, with the same Idempotency-Key if you sent one. If it happens again, report it with the request_id.",
  },
  unavailable: unavailable(
    "Unavailable",
    "The service is temporarily unavailable.",
    "Repeat the request after the seconds in Retry-After.",
  ),
});

export type GeneralCode = keyof typeof generalErrors;
