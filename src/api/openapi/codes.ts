import { ERRORS } from "../../domain/error-catalogue.ts";
import { unwrap } from "../engine/bounds.ts";
import { takesIfMatch } from "../engine/etag.ts";
import { isClosedToLimitedKeys, type Operation } from "../engine/operation.ts";
import { ERROR_CODES } from "./error-codes.ts";

/** The codes of an operation's errors with a status: those of its own code, and those of the engine. Sorted. */
export function codesOf(operation: Operation, status: number): string[] {
  const possible = new Set([...(ERROR_CODES[operation.id] ?? "").split(" "), ...engineCodes(operation)]);
  return ERRORS.filter((error) => error.status === status && possible.has(error.code)).map(({ code }) => code);
}

/** What `execute()` and reading the request refuse, by what the operation declares. */
function engineCodes(operation: Operation): string[] {
  const { scope, tier, path, head, writes, body, item, shape, gate, method, streams, on, onArchived } = operation;
  const when = (applies: unknown, ...codes: string[]) => (applies ? codes : []);
  const namesProject = [body, item].some((schema) => schema && /"project(_id)?"/.test(fieldsOf(schema)));
  return [
    ...["unauthorized", "rate_limited", "internal_error", "unavailable", "invalid_parameter", "unknown_parameter"],
    ...when(shape === "list", "invalid_cursor", "cursor_mismatch"),
    ...when(body, "invalid_json", "body_too_large", "unsupported_media_type"),
    ...when(body, "validation_failed", "unknown_field", "mutually_exclusive"),
    ...when(body && (method === "PATCH" || method === "PUT"), "read_only_field", "immutable_field"),
    ...when(scope, "insufficient_scope"),
    ...when(tier || (writes && scope), "insufficient_role"),
    ...when(scope && writes, "agent_paused"),
    ...when(isClosedToLimitedKeys(operation) || namesProject, "key_project_limit"),
    ...when(gate, "plan_required"),
    ...when(path.includes("{"), "not_found"),
    ...when(namesProject, "invalid_reference", "archived"),
    // Below the workspace, the object may be of an archived project.
    ...when(writes && !onArchived && (head === "P" || head === "I" || (head === "W" && on)), "archived"),
    ...when(writes, "idempotency_key_reused", "idempotency_in_progress"),
    ...when(takesIfMatch(operation), "precondition_failed"),
    ...when(streams, "too_many_streams"),
  ];
}

const fieldsOf = (schema: NonNullable<Operation["body"]>): string =>
  JSON.stringify(Object.keys((unwrap(schema) as { shape?: object }).shape ?? {}));
