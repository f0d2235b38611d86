import { z } from "zod";
import { ISSUE_TYPES } from "../../access/identity/issue-row.ts";
import { CATEGORIES } from "../../kernel/categories.ts";
import { input, view } from "../../kernel/described.ts";
import { choice, id, reference, timestamp } from "../../kernel/wire.ts";
import { aboutLink, aboutLinkInput } from "./descriptions.ts";

export const LINK_KINDS = ["relates_to", "blocks", "duplicates"] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/** `out` leads from the issue of the path to the other one. */
const DIRECTIONS = ["out", "in"] as const;

export const IssueLinkCreateInput = input("IssueLinkCreateInput", aboutLinkInput, {
  kind: choice(LINK_KINDS),
  direction: choice(DIRECTIONS, { outward: "out", inward: "in" }).default("out"),
  target_key: reference,
});
export type IssueLinkCreateInput = z.output<typeof IssueLinkCreateInput>;

/** A link as one of its two issues shows it. The target is the other issue. */
export const IssueLinkView = view("IssueLink", aboutLink, {
  id,
  kind: z.enum(LINK_KINDS),
  direction: z.enum(DIRECTIONS),
  target_key: z.string(),
  target_title: z.string(),
  target_status: z.enum(CATEGORIES),
  target_project_slug: z.string(),
  target_id: id,
  target_type: z.enum(ISSUE_TYPES),
  created_by: id,
  created_at: timestamp,
});
export type IssueLinkView = z.output<typeof IssueLinkView>;
