import { namesIn } from "../../../domain/access/identity/mention-names.sql.ts";
import { withPresentNames } from "../../../domain/kernel/markdown-names.ts";
import { docExported } from "../../../domain/knowledge/docs/audits.ts";
import { archive, change } from "../../../domain/knowledge/docs/change.ts";
import { create, createMany } from "../../../domain/knowledge/docs/create.ts";
import { byId, listPage, lockById, read } from "../../../domain/knowledge/docs/docs.ts";
import { docArchived, docCreated, docUpdated } from "../../../domain/knowledge/docs/events.ts";
import {
  DocExportQuery,
  DocExportView,
  describeExport,
  EXPORT_TYPES,
  formatOf,
  renderDoc,
  warnOfBoxes,
  renderingCost,
} from "../../../domain/knowledge/docs/export.ts";
import {
  BulkDocsCreateInput,
  DocCreateInput,
  DocListQuery,
  DocPatchInput,
} from "../../../domain/knowledge/docs/inputs.ts";
import { DocDeletedView, DocView } from "../../../domain/knowledge/docs/view.ts";
import { MarkReadQuery } from "../../../domain/knowledge/notifications/view.ts";
import { AfterRead } from "../../engine/after-read.ts";
import { bulkCost, bulkRows } from "../../engine/bulk.ts";
import { Download } from "../../engine/download.ts";
import { Export } from "../../engine/export.ts";
import { JsonText } from "../../engine/json-text.ts";
import { operation } from "../../engine/operation.ts";
import { markIfAsked } from "./mark-read.ts";

const anyJson = "body_json";

export const docOperations = [
  operation({
    id: "docs.list",
    route: "GET W/docs",
    summary: "List docs, newest first, without their texts",
    about:
      "Without `project`, docs of all projects that you see and of the workspace itself. Private docs are listed only for their author. To read texts, name `body_md` in `fields`, or read the doc.",
    needs: "docs:read",
    limitedKeys: "filter",
    query: DocListQuery,
    returns: DocView,
    shape: "list",
    handle: ({ ctx, query, paging, fields }) => listPage(ctx, query, { paging, fields }),
  }),
  operation({
    id: "docs.create",
    route: "POST W/docs",
    summary: "Create a doc",
    about:
      "A doc belongs to a project, or to the workspace if it names none; `parent_id` puts it below another one of the same place. `body_md` is the text. `body_json` keeps the state of an editor beside it; if only `body_json` is sent and it is rich text, the Markdown is made from it. Only its author sees a doc with `visibility: private`.",
    needs: "docs:write",
    limitedKeys: "filter",
    body: DocCreateInput,
    anyJson,
    example: { title: "Release checklist", project: "WEB", body_md: "# Release checklist\n\n- Tag the commit\n" },
    records: [docCreated],
    returns: DocView,
    status: 201,
    handle: ({ ctx, body, project }) => create(ctx, body, project),
  }),
  operation({
    id: "docs.bulk-create",
    route: "POST W/docs/bulk",
    summary: "Create 1 to 50 docs; each item has its own result",
    about: "The body may have up to 8 MiB.",
    needs: "docs:write",
    limitedKeys: "filter",
    body: BulkDocsCreateInput,
    anyJson,
    example: { items: [{ title: "Release checklist" }, { title: "Glossary", project: "WEB" }] },
    item: DocCreateInput,
    returns: DocView,
    shape: "bulk",
    maxBodyBytes: 8 * 1024 * 1024,
    cost: bulkCost,
    handle: async ({ ctx, items, projects }) => bulkRows(await createMany(ctx, items, projects)),
  }),
  operation({
    id: "docs.get",
    route: "GET W/docs/{id}",
    summary: "Read a doc",
    about: "Archived docs can still be read.",
    needs: "docs:read",
    limitedKeys: "filter",
    on: read,
    query: MarkReadQuery,
    returns: DocView,
    handle: async ({ ctx, on, query }) => {
      await markIfAsked(ctx, query, { doc_id: on.id });
      return on;
    },
  }),
  operation({
    id: "docs.export",
    route: "GET W/docs/{id}/export",
    summary: "Export a doc as Markdown, HTML or PDF, in JSON or as a file if Accept names its type",
    about:
      "`format` chooses Markdown, HTML or PDF; comments are not in the export. HTML is sanitized and stands alone. In JSON, a PDF is base64. A large doc costs more units of the rate limit.",
    needs: "docs:read",
    limitedKeys: "filter",
    on: byId,
    query: DocExportQuery,
    returns: DocExportView,
    downloads: EXPORT_TYPES,
    async handle({ ctx, on, query, asked }) {
      const format = query.format ?? formatOf(asked) ?? "md";
      const about = describeExport(on, format);
      const asFile = (content: string | Buffer) => new Download(about.content_type, about.filename, [content]);
      // Admins read the log, but not the private docs of others.
      const name = on.visibility === "private" ? null : on.title;
      const target = { id: on.id, name, project_id: on.project_id };
      const exported = (answer: unknown) =>
        new Export(docExported, { ...target, changes: { format: [null, format] } }, answer);
      const names = await namesIn(ctx, [on.body_md ?? ""]);
      if (format === "md") {
        const content = withPresentNames(on.body_md ?? "", names);
        return exported(asked === null ? { ...about, content } : asFile(content));
      }
      return new AfterRead(renderingCost(on, format), async (closed) => {
        const boxes =
          format === "pdf" ? await warnOfBoxes(ctx, `${on.title}\n${withPresentNames(on.body_md ?? "", names)}`) : null;
        if (boxes) ctx.warnings.push(boxes);
        const bytes = await renderDoc(ctx, on, {
          format,
          as: asked === null ? "json" : "file",
          names,
          givenUp: closed,
        });
        return exported(asked === null ? { ...about, content: new JsonText(bytes) } : asFile(bytes));
      });
    },
  }),
  operation({
    id: "docs.patch",
    route: "PATCH W/docs/{id}",
    summary: "Change a doc, append to it, replace parts of it, or bring it back from the archive",
    about:
      "`append` adds to the end; `replace` changes parts: each `find` must occur exactly once (400 `replace_not_found`, `replace_ambiguous`), so nobody overwrites what they have not read. Sending `body_md` replaces the text and clears a stored `body_json`. A change of title or text makes a version. `archived: false` brings the doc back for 30 days after it was archived.",
    needs: "docs:write",
    limitedKeys: "filter",
    on: (ctx, id) => lockById(ctx, id),
    body: DocPatchInput,
    anyJson,
    textFields: ["body_md", anyJson],
    example: { append: "- Publish the release notes\n" },
    records: [docUpdated],
    returns: DocView,
    handle: ({ ctx, on, body, project }) => change(ctx, on, body, project),
  }),
  operation({
    id: "docs.delete",
    route: "DELETE W/docs/{id}",
    summary: "Archive a doc; archiving it again changes nothing",
    about:
      "It leaves lists and search, but can still be read. `PATCH` with `archived: false` brings it back within 30 days.",
    needs: "docs:write",
    limitedKeys: "filter",
    on: (ctx, id) => lockById(ctx, id),
    records: [docArchived],
    returns: DocDeletedView,
    handle: ({ ctx, on }) => archive(ctx, on),
  }),
];
