import { z } from "zod";
import { readId } from "./ids.ts";

/**
 * Names of workspaces and projects in URLs. They cannot be changed. A slug must not look like an id, because ids take
 * precedence.
 */
export const slug = z
  .string()
  .max(50)
  .regex(/^[a-z0-9](-?[a-z0-9])*$/, "Use lower-case letters, digits and single hyphens between them.")
  .refine((text) => readId(text) === null, { message: "must not look like an id", params: { code: "pattern" } });

/** Slug of a workspace: `/w/new` is the page for new ones, which one of that name would hide. */
export const workspaceSlug = slug.refine((text) => text !== "new", {
  message: "is taken",
  params: { code: "pattern" },
});
