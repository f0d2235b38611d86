import { z } from "zod";
import { inputPart } from "../../kernel/described.ts";
import { refuseField } from "../../kernel/errors.ts";
import { singleLine } from "../../kernel/text.ts";
import { choice, reference } from "../../kernel/wire.ts";
import type { Change } from "../../work/issues/changes-for.ts";
import { IssuePatchInput } from "../../work/issues/inputs.ts";
import { findTarget } from "../../work/links/links.sql.ts";
import type { Running } from "./action.ts";
import { type Checking, onIssues, type Problem } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { changed } from "./effects.ts";
import { missing, namedProblems, peopleProblems } from "./references.ts";
import { target } from "./targets.ts";
import { markdown, pathProblems, plainText } from "./texts.ts";

/** Actions that set fields of issues. */

const FIELDS = [
  "title",
  "description_md",
  "type",
  "estimate_minutes",
  "story_points",
  "spent_minutes",
  "completion_pct",
  "start_at",
  "due_at",
  "milestone_id",
  "release_id",
  "sprint_id",
  "parent",
  "epic",
  "reporter",
] as const;
type Field = (typeof FIELDS)[number];

const MAX_TITLE = 255;
const MAX_TEXT = 65_536;
/** Maximum length of a text in a custom field. */
const MAX_CUSTOM = 10_000;

const single = z.union([z.string().max(MAX_TEXT), z.number(), z.boolean()]);
const value = z.union([single, z.array(z.string().max(100)).max(50)]).nullable();

const SetField = inputPart(aboutAction, { type: z.literal("set_field"), field: choice(FIELDS), value, target });

export const setField = onIssues(SetField, {
  scopes: ["issues:write"],
  check: async (ctx, { field, value }) => {
    const isTemplate = typeof value === "string" && value.includes("{{");
    if (isTemplate) return pathProblems("/value", value);
    const read = parsed(field, value);
    return read.success ? referenceProblems(ctx, field, value) : [invalid(read.error)];
  },
  run: async (ctx, { field, value }, running) => {
    const read = parsed(field, valueFor(field, value, running));
    if (!read.success) refuseField("/value", "not_allowed", `is not valid for ${field}`);
    return changed(ctx, read.data as Change, `${field} set`, "object that the value names");
  },
  says: ({ field, value }, running) => `Set ${field} to ${shown(valueFor(field, value, running))}`,
});

/** Reads a value in the way in which PATCH of the issue does. */
const parsed = (field: Field, value: unknown) => IssuePatchInput.safeParse({ [field]: value });

const invalid = (error: z.ZodError): Problem => ({
  path: "/value",
  code: "not_allowed",
  message: error.issues[0]?.message ?? "is not valid",
});

function valueFor(field: Field, value: unknown, running: Running): unknown {
  if (typeof value !== "string") return value;
  if (field === "title") return singleLine(plainText(value, running, MAX_TITLE));
  return field === "description_md" ? markdown(value, running, MAX_TEXT) : plainText(value, running, MAX_TEXT);
}

const NAMED = { milestone_id: "milestone", release_id: "release", sprint_id: "sprint" } as const;

async function referenceProblems(ctx: Checking, field: Field, value: unknown): Promise<Problem[]> {
  if (typeof value !== "string") return [];
  if (field === "reporter") return peopleProblems(ctx, [["/value", value]]);
  if (field === "parent" || field === "epic") {
    return (await findTarget(ctx, value)) ? [] : [missing("/value", "issue")];
  }
  return field in NAMED ? namedProblems(ctx, "/value", NAMED[field as keyof typeof NAMED], value) : [];
}

const SetCustomField = inputPart(aboutAction, { type: z.literal("set_custom_field"), field: reference, value, target });

export const setCustomField = onIssues(SetCustomField, {
  scopes: ["issues:write"],
  check: async (ctx, { field, value }) => [
    ...(await namedProblems(ctx, "/field", "custom_field", field)),
    ...pathProblems("/value", typeof value === "string" ? value : null),
  ],
  run: (ctx, { field, value }, running) => {
    const custom_fields = { [field]: typeof value === "string" ? plainText(value, running, MAX_CUSTOM) : value };
    return changed(ctx, { custom_fields }, "Custom field set", "custom field");
  },
  says: ({ field, value }, running) =>
    `Set the custom field ${field} to ${shown(typeof value === "string" ? plainText(value, running, MAX_CUSTOM) : value)}`,
});

const shown = (value: unknown): string => (value === null ? "nothing" : String(value));
