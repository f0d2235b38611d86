import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of docs, for the API description. */

const fields = {
  title: ["What the doc is called in lists and in the tree.", "Release checklist"],
  parent_id: [
    "Id of the doc that this one is listed below. Both are in the same project, or both in none. `null` for a doc on the top level.",
    null,
  ],
  icon: ["An emoji or a short word shown beside the title. `null` for none.", "🚀"],
  body_md: ["Text as Markdown, up to 524,288 characters.", "# Release checklist\n\n- Tag the commit\n"],
  body_json: [
    'Any JSON, such as the tree of a rich-text editor. It is returned as it was sent. If only `body_json` is sent and it is a tree `{type: "doc", content: […]}`, `body_md` is made from it; other JSON sets `body_md` to `null`. If only `body_md` is sent, `body_json` becomes `null`.',
    null,
  ],
  visibility: [
    "`workspace`: everybody who sees the project or, without one, all members but guests. `private`: only the person who created it.",
  ],
  position: ["Position among its siblings, for clients that let people sort docs. It does not affect lists.", 0],
} as const;

export const aboutDoc = {
  ...fields,
  ...timesOf("doc"),
  id: idOf("doc", "doc"),
  project_id: ["Id of the project that the doc belongs to. `null` for a doc of the workspace.", SAMPLE.project],
  project_key: ["Key of the project. `null` for a doc of the workspace.", "WEB"],
  parent_id: [`${fields.parent_id[0]} Also \`null\` if the caller cannot see that doc.`, null],
  body_md: [
    "Text as Markdown. `null` if the doc has only `body_json`, and in lists unless `fields` names it.",
    fields.body_md[1],
  ],
  body_json: [
    "The JSON that was sent with the doc. `null` for none. Lists contain it only if `fields` names it, and events only if it is short.",
    null,
  ],
  version: countOf("Goes up with every change. Send it as `if_version` to change only what you have seen.", 4),
  word_count: countOf("Number of words in the text. For long texts in scripts without spaces it is an estimate.", 6),
  created_by: userId("User id of the person or agent who created the doc."),
  updated_by: userId("User id of the person or agent who last changed the doc."),
  url: ["Address of the doc's page.", `https://muster.example/w/acme/docs/${SAMPLE.doc}`],
  archived_at: ["When the doc was archived. `null` if it is not.", null],
} as const;

export const aboutDocInput = {
  ...fields,
  title: [`${fields.title[0]} Default: \`Untitled\`.`, fields.title[1]],
  project: ["Key, slug or id of the project that the doc belongs to. `null` for a doc of the workspace.", "WEB"],
} as const;

export const aboutDocPatch = {
  ...aboutDocInput,
  title: fields.title,
  append: [
    "Text to add to the end of `body_md`. It begins on a new line, unless the text is empty or ends with a line break. Begin it with an empty line to start a new paragraph. `body_json` becomes `null`.",
    "\n## Done\n",
  ],
  replace: [
    "Up to 20 replacements in `body_md`, made one after the other. Each `find` must occur exactly once. `body_json` becomes `null`.",
    [{ find: "Tag the commit", with: "Tag and sign the commit" }],
  ],
  archived: ["`true` archives the doc, `false` brings it back."],
  snapshot: ["`true` keeps this state as a version of its own, which later edits do not overwrite."],
  if_version: ["`version` of the doc that you have seen. If it has changed since, the call is refused with 409.", 4],
} as const;

export const aboutReplacement = {
  find: ["Text to find, up to 65,536 characters. Upper and lower case and white space count.", "Tag the commit"],
  with: ["Text to put in its place.", "Tag and sign the commit"],
} as const;

export const aboutBulkDocs = { items: ["Docs to create, at most 50. Each is created or refused on its own."] } as const;

export const aboutDocList = {
  project: ["Only docs of this project: its key, slug or id.", "WEB"],
  parent_id: ["Only docs directly below this one; `none` for docs on the top level.", SAMPLE.doc],
  archived: ["`true`: only archived docs. Default: only docs that are not archived."],
} as const;

export const aboutDocExportQuery = {
  format: [
    "Format of the file: `md`, `html` (one file that requests nothing when it is opened) or `pdf`. Default: the one that `Accept` names, else `md`. For each 64 KiB of text that is begun, `html` costs 2 more rate limit units and `pdf` 5. A PDF has letters of all scripts that Unicode recommends for general use (such as Latin, Arabic, Chinese, Thai or Tamil) and emoji. Other characters are boxes in it, and the warning `characters_without_font` names them.",
    "md",
  ],
} as const;

export const aboutDocExport = {
  format: ["What the file is to be: Markdown, HTML or PDF."],
  content: ["The file: the text itself, or a PDF in base64.", "# Release checklist\n\n- Tag the commit\n"],
  encoding: ["How `content` contains the file."],
  content_type: ["Media type of the file.", "text/markdown; charset=utf-8"],
  filename: ["Name for the file, made from the doc's title.", "Release checklist.md"],
} as const;

export const aboutDeletedDoc = {
  id: idOf("archived doc", "doc"),
  deleted: ["Always `true`. The doc is archived; `PATCH` with `archived: false` brings it back."],
  archived_at: ["When the doc was archived.", "2026-01-16T14:05:12.480Z"],
} as const;
