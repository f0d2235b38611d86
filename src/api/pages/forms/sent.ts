import { open } from "node:fs/promises";
import type { Context } from "koa";
import type { Ctx } from "../../../domain/kernel/context.ts";
import type { PublicForm } from "../../../domain/work/forms/public.sql.ts";
import { SentFile } from "../../../domain/work/forms/sent-file.ts";
import { withMultipart } from "../../http/multipart.ts";
import { type Form, readForm, refuseForeign } from "../site/forms.ts";
import { nameOf } from "./fields.ts";

/** The submission of a public page: texts, and files if the form has file fields. */

export type Sent = Form & { file(name: string): SentFile | null };

const MAX_BYTES = 1024 * 1024;
/** Limit for texts sent with files, which are not URL-encoded: as much as all answers may have, in any script. */
const MAX_TEXT = 512 * 1024;

/** Runs `work` with the submission. The files exist until it ends. @throws Refusal as readForm and withMultipart */
export async function withSent<T>(
  request: Context,
  { settings }: Ctx,
  { form, workspace }: PublicForm,
  work: (sent: Sent) => Promise<T>,
): Promise<T> {
  if (!request.is("multipart")) {
    return work({ ...(await readForm(request, settings.baseUrl, MAX_BYTES)), file: () => null });
  }
  refuseForeign(request, settings.baseUrl);
  const names = form.fields.filter(({ kind }) => kind === "file").map((field) => nameOf(form, field));
  const maxBytes = settings.plans(workspace.plan, "form_file_bytes") ?? NO_CAP;
  return withMultipart(request, { names, maxBytes, maxTextBytes: MAX_TEXT }, ({ fields, files }) => {
    const sentFiles = new Map(
      [...files].map(([name, { path, ...file }]) => {
        const read = async () => (await open(path)).createReadStream();
        return [name, new SentFile({ ...file, maxBytes, open: read })];
      }),
    );
    const all = (name: string) => [fields[name] ?? []].flat().map(clean);
    return work({
      all,
      text: (name) => (all(name)[0] ?? "").trim(),
      file: (name) => sentFiles.get(name) ?? null,
    });
  });
}

/** If an operator removed the cap. */
const NO_CAP = 1024 ** 4;

/** Postgres cannot store NUL or lone surrogates. */
const clean = (value: string) => value.replaceAll("\0", "").toWellFormed();
