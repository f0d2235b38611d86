import type { z } from "zod";
import { counted } from "../../domain/kernel/counted.ts";
import type { FieldError } from "../../domain/kernel/errors.ts";
import { own } from "../../domain/kernel/own.ts";
import { closest } from "../../domain/kernel/text.ts";
import { shownName } from "./unknown.ts";

/** Violations of schemas as our errors: a code of a closed list, and a message that goes on after the field's name. */

type Details = (code: string, message: string, more?: Record<string, unknown>) => FieldError;

/** @param root the body or query as it was sent */
export function fieldError(issue: z.core.$ZodIssue, root: unknown): FieldError {
  const path = `/${issue.path.map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;
  const value = valueAt(root, issue.path);
  return errorOf(issue, value, (code, message, more = {}) => ({ path, code, message, ...more }));
}

function errorOf(issue: z.core.$ZodIssue, value: unknown, error: Details): FieldError {
  switch (issue.code) {
    case "invalid_type":
      if (value === undefined) return error("required", "is required");
      return error("type", `must be ${typeNamed(issue.expected)}`, { expected: issue.expected });
    case "too_small":
    case "too_big":
      return sizeError(issue, error);
    case "invalid_value": {
      if (value === undefined) return error("required", "is required", { allowed: issue.values });
      const meant = typeof value === "string" ? closest(value, issue.values.map(String)) : undefined;
      const advice = isDefault(issue.message) ? "" : `. ${issue.message}`;
      const hint = meant ? `. Did you mean ${meant}?` : advice;
      return error("not_allowed", `must be one of ${issue.values.join(", ")}${hint}`, {
        allowed: issue.values,
        ...(meant ? { did_you_mean: meant } : {}),
      });
    }
    case "invalid_format":
      return error(
        "pattern",
        own(FORMATS, issue.format) ?? (isDefault(issue.message) ? "has the wrong format" : issue.message),
      );
    case "invalid_union":
      return unionError(issue, value, error);
    case "unrecognized_keys":
      return error("type", `has no field ${shownName(issue.keys[0] ?? "")}`);
    case "not_multiple_of":
      return error("type", `must be a multiple of ${issue.divisor}`);
    case "invalid_key":
      return error("type", "has a member with an invalid name");
    case "custom":
      return error((issue.params?.code as string) ?? "not_allowed", issue.message);
    default:
      return error(
        value === undefined ? "required" : "type",
        isDefault(issue.message) ? "is not valid" : issue.message,
      );
  }
}

const FORMATS: Record<string, string> = { email: "must look like name@example.com", url: "must be a URL" };

/** Whether zod wrote the message, and not the schema. */
const isDefault = (message: string) => message.startsWith("Invalid ");

/** None of several kinds fits. If all of them have another type, names these; else says what is wrong with the next best. */
function unionError(issue: z.core.$ZodIssueInvalidUnion, value: unknown, error: Details): FieldError {
  if (!isDefault(issue.message)) {
    if (value === undefined) return error("required", issue.message.replace(/^must/, "is required and must"));
    return error(issue.discriminator === undefined ? "type" : "not_allowed", issue.message);
  }
  if (value === undefined) return error("required", "is required");
  const options = issue.errors.map(([first]) => first).filter((first) => first !== undefined);
  const types = options.flatMap((one) => (one.code === "invalid_type" && one.path.length === 0 ? [one.expected] : []));
  const close = options.find((one) => one.code !== "invalid_type" && one.path.length === 0);
  if (close) return errorOf(close, value, error);
  if (types.length < options.length || types.length === 0) return error("type", "is not valid");
  const named = [...new Set(types.map(typeNamed))];
  const last = named.pop();
  return error("type", `must be ${named.length > 0 ? `${named.join(", ")} or ${last}` : last}`);
}

function sizeError(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig, error: Details): FieldError {
  const small = issue.code === "too_small";
  const bound = Number(small ? issue.minimum : (issue as z.core.$ZodIssueTooBig).maximum);
  const limit = small ? { minimum: bound } : { maximum: bound };
  const most = `must have ${small ? "at least" : "at most"}`;
  if (issue.origin === "string") {
    return error(small ? "too_short" : "too_long", `${most} ${counted(bound, "character")}`, limit);
  }
  if (issue.origin === "array" || issue.origin === "set") {
    return error(small ? "too_few_items" : "too_many_items", `${most} ${counted(bound, "item")}`, limit);
  }
  if (!issue.inclusive) {
    const exclusive = small ? { exclusive_minimum: bound } : { exclusive_maximum: bound };
    return error(small ? "too_small" : "too_large", `must be ${small ? "greater" : "less"} than ${bound}`, exclusive);
  }
  return error(small ? "too_small" : "too_large", `must be ${small ? "at least" : "at most"} ${bound}`, limit);
}

const valueAt = (root: unknown, path: readonly PropertyKey[]) =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], root);

/** Types of zod that JSON has under another name. */
const TYPES: Record<string, string> = { int: "integer", record: "object", nan: "number" };

function typeNamed(expected: string): string {
  const type = own(TYPES, expected) ?? expected;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
