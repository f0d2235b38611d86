import { z } from "zod";
import type { InWorkspace } from "../../kernel/context.ts";
import { countOf, idOf, SAMPLE, timesOf, view } from "../../kernel/described.ts";
import { parseExact } from "../../kernel/exact-json.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { AuthorView, authorOf } from "./author.ts";
import { aboutDoc } from "./descriptions.ts";
import { VERSION_REASONS, type VersionRow } from "./versions.sql.ts";

const about = {
  id: idOf("version"),
  doc_id: ["The doc whose text this was.", SAMPLE.doc],
  title: ["Title that the doc had then.", "Release checklist"],
  created_by: ["The person or agent who made the version."],
  created_at: timesOf("version").created_at,
  number: countOf(
    "Number of the version: the doc's first one is 1. It is not the doc's `version`, which counts every change.",
    3,
  ),
  reason: ["`edit`: a change. `restore`: an earlier version was restored. `import`: the doc was imported."],
  body_md_length: countOf("How many characters the text of the version has.", 42),
  body_md: ["Text as Markdown. `null` if the doc had only `body_json`.", aboutDoc.body_md[1]],
  body_json: ["The JSON that the doc had. `null` for none.", null],
} as const;

const common = {
  id,
  doc_id: id,
  title: z.string(),
  created_by: AuthorView,
  created_at: timestamp,
  number: z.number().int(),
  reason: z.enum(VERSION_REASONS),
};

export const DocVersionSummaryView = view("DocVersionSummary", about, {
  ...common,
  body_md_length: z.number().int(),
});

export const DocVersionView = view("DocVersion", about, {
  ...common,
  body_md: z.string().nullable(),
  body_json: z.unknown().optional(),
});

/** A version as the caller sees it; the view drops what a summary does not show. */
export const versionView = (ctx: InWorkspace, row: VersionRow) => ({
  ...row,
  created_by: authorOf(row, ctx),
  body_json: row.body_json === null ? null : parseExact(row.body_json),
});
