import { refuse } from "../../domain/kernel/errors.ts";
import { own } from "../../domain/kernel/own.ts";
import { fieldsOf } from "../engine/encode.ts";
import type { Operation } from "../engine/operation.ts";
import { isRecord } from "../engine/unknown.ts";
import type { Sent } from "./run-operation.ts";

/** Converts a tool's arguments to what its operation takes: parameters of the path and the query, and a body. */

export type Arguments = Readonly<Record<string, unknown>>;

/** Names of path parameters → names of arguments. The workspace follows from the credential. */
const ARGUMENT_NAMES: Readonly<Record<string, string>> = { key: "project", issueKey: "issue" };

/** The path parameters that a tool has arguments for, with the names of these. */
export const pathArguments = ({ path }: Operation): { parameter: string; argument: string }[] =>
  [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, parameter]) => ({ parameter: parameter!, argument: own(ARGUMENT_NAMES, parameter!) ?? parameter! }))
    .filter(({ parameter }) => parameter !== "slug");

const ISSUE_KEY = /^([a-z][a-z0-9]{0,9})-\d{1,9}$/i;

/** @throws Refusal validation_failed, invalid_parameter */
export function sentBy(operation: Operation, given: Arguments): Sent {
  const left = new Map(Object.entries(renamed(operation, given)));
  const take = (name: string) => {
    const value = left.get(name);
    left.delete(name);
    return textOrNone(name, value);
  };
  const control = operation.writes ? { idempotencyKey: take("idempotency_key") } : { more: take("more") };
  const params: Record<string, string> = {};
  for (const { parameter, argument } of pathArguments(operation)) {
    const value = left.get(argument) ?? (argument === "project" ? projectOf(left.get("issue")) : undefined);
    left.delete(argument);
    params[parameter] = pathValue(argument, value, hintOf(operation, argument, given));
  }
  const inQuery = (name: string) => !operation.body || Object.hasOwn(operation.query?.shape ?? {}, name);
  const members = [...left].filter(([, value]) => value !== undefined);
  return {
    params,
    query: queryOf(members.filter(([name]) => inQuery(name))),
    body: operation.body && Object.fromEntries(members.filter(([name]) => !inQuery(name))),
    ...control,
  };
}

/** Words for the same argument: the tools name an issue `issue`, bodies and filters `issue_key`, paths `issueKey`. */
const SAME_ARGUMENT: readonly (readonly string[])[] = [
  ["issue", "issue_key", "issueKey", "issue_id"],
  ["project", "project_key", "key", "project_id"],
  ["id", "session", "session_id"],
];

/** The arguments under the names that the operation takes. A name that it takes itself stays. */
function renamed(operation: Operation, given: Arguments): Arguments {
  const path = pathArguments(operation).map(({ argument }) => argument);
  const body = operation.body ? (fieldsOf(operation.body) ?? []) : [];
  const taken = new Set([...path, ...body, ...Object.keys(operation.query?.shape ?? {})]);
  return underNames(operation, taken, given);
}

/** Members under the names of `taken` that they mean. @throws Refusal mutually_exclusive */
export function underNames(operation: Operation, taken: ReadonlySet<string>, given: Arguments): Arguments {
  const entries = Object.entries(given).map(([name, value]) => {
    if (taken.has(name)) return [name, value] as const;
    // Only an issue has such a key, which is taken under any of its usual names.
    const isIssue = (name === "key" || name === "id") && taken.has("issue") && projectOf(value) !== undefined;
    const meant = isIssue
      ? "issue"
      : SAME_ARGUMENT.find((names) => names.includes(name))?.find((one) => taken.has(one));
    // Only a session is named by the word for it.
    const isOther = meant === "id" && !operation.path.includes("/agent-sessions/{id}");
    if (meant === undefined || isOther) return [name, value] as const;
    if (Object.hasOwn(given, meant)) {
      refuse("mutually_exclusive", { message: `Send ${meant} or ${name}, not both.`, fields: [meant, name] });
    }
    return [meant, value] as const;
  });
  return Object.fromEntries(entries);
}

/** The project's key in an issue's key. */
const projectOf = (issue: unknown) => (typeof issue === "string" ? ISSUE_KEY.exec(issue.trim())?.[1] : undefined);

/** What to send for an argument that is missing. A missing issue counts as missing itself, not as a missing project. */
function hintOf(operation: Operation, argument: string, { issue }: Arguments): { argument: string; hint: string } {
  const ofIssue = pathArguments(operation).some((one) => one.argument === "issue");
  if (argument === "issue" || (ofIssue && !issue)) return { argument: "issue", hint: ": its key, such as WEB-12" };
  if (argument !== "project") return { argument, hint: "" };
  return {
    argument,
    hint: ofIssue ? ", unless the issue is named by its key, such as WEB-12" : ": its key, such as WEB",
  };
}

/** The longest value of a path parameter, in characters. The limit of REST. */
const MAX_PATH_VALUE = 512;

/** `missing`: which argument the error names if there is no value. */
export function pathValue(argument: string, value: unknown, missing = { argument, hint: "" }): string {
  if (value === undefined || value === null || value === "") {
    refuseArgument(missing.argument, "required", `is required${missing.hint}`);
  }
  if (typeof value !== "string" || value.length > MAX_PATH_VALUE || value.includes("\0")) {
    refuseArgument(argument, "type", `must be a text of at most ${MAX_PATH_VALUE} characters`);
  }
  return value.trim();
}

/** The longest value of a query parameter, in characters. The limit of REST. */
const MAX_QUERY_VALUE = 4_000;

/** Query parameters are texts. Lists are comma-separated. */
export function queryOf(given: Iterable<[string, unknown]>): Record<string, string> {
  // Without a prototype, so that a parameter named __proto__ is an ordinary one.
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of given) {
    if (value === null) continue;
    // The engine reads members that the client names from JSON, too.
    const parts = Array.isArray(value) ? value : [isRecord(value) ? JSON.stringify(value) : value];
    const isText = parts.every((part) => ["string", "number", "boolean"].includes(typeof part));
    const text = isText ? parts.join(",") : "";
    if (!isText || text.length > MAX_QUERY_VALUE || text.includes("\0")) {
      refuseArgument(name.slice(0, 100), "type", `must be a text of at most ${MAX_QUERY_VALUE} characters`);
    }
    query[name] = text;
  }
  return query;
}

export function textOrNone(argument: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") refuseArgument(argument, "type", "must be a text");
  return value;
}

export function refuseArgument(argument: string, code: string, message: string): never {
  refuse("validation_failed", {
    message: `${argument} ${message}${/[.?]$/.test(message) ? "" : "."}`,
    errors: [{ path: `/${argument}`, code, message }],
  });
}
