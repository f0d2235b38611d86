import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { choice, flag, idInput, line, reference, text } from "../../kernel/wire.ts";
import { aboutBulkDocs, aboutDocInput, aboutDocList, aboutDocPatch, aboutReplacement } from "./descriptions.ts";

export const VISIBILITIES = ["workspace", "private"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const MAX_BODY_CHARACTERS = 524_288;
const MAX_FIND_CHARACTERS = 65_536;

const fields = {
  title: line(1, 255).optional(),
  project: reference.nullable().optional(),
  parent_id: idInput.nullable().optional(),
  body_md: text(0, MAX_BODY_CHARACTERS).nullable().optional(),
  body_json: z.unknown().optional(),
  icon: line(1, 64).nullable().optional(),
  visibility: choice(VISIBILITIES).optional(),
  position: z.number().int().min(-2_147_483_648).max(2_147_483_647).optional(),
};

export const DocCreateInput = input("DocCreateInput", aboutDocInput, fields);
export type DocCreateInput = z.output<typeof DocCreateInput>;

export const DocPatchInput = input("DocPatchInput", aboutDocPatch, {
  ...fields,
  append: text(0, MAX_BODY_CHARACTERS).optional(),
  replace: z
    .array(inputPart(aboutReplacement, { find: text(1, MAX_FIND_CHARACTERS), with: text(0, MAX_BODY_CHARACTERS) }))
    .max(20)
    .optional(),
  archived: z.boolean().optional(),
  snapshot: z.boolean().optional(),
  if_version: z.number().int().min(1).optional(),
});
export type DocPatchInput = z.output<typeof DocPatchInput>;

/** Each item is checked alone and has its own result. */
export const BulkDocsCreateInput = input("BulkDocsCreateInput", aboutBulkDocs, {
  items: z.array(z.unknown()).min(1).max(50),
});

export const DocListQuery = inputPart(aboutDocList, {
  project: z.string().trim().max(100).optional(),
  parent_id: z.string().trim().max(100).optional(),
  archived: flag.optional(),
});
export type DocListQuery = z.output<typeof DocListQuery>;
