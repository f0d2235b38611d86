import { hash } from "node:crypto";
import { open } from "node:fs/promises";
import { refuse } from "../../../domain/kernel/errors.ts";
import { isUploadOpen } from "../../../domain/work/attachments/attachments.sql.ts";
import type { AttachmentView, UploadIntentView } from "../../../domain/work/attachments/view.ts";
import { SentFile } from "../../../domain/work/forms/sent-file.ts";
import { withMultipart } from "../../http/multipart.ts";
import { limitBody } from "../../http/time-limit.ts";
import type { Again } from "../site/actions.ts";
import { type PageAnswer, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { ISSUE, issuePathOf } from "./paths.ts";
import { at } from "./read.ts";

/** Files of an issue: they are sent with a form, and fetched at an address that does not expire. */

const UPLOAD_MS = 600_000;
const MAX_TEXT = 16 * 1024;
/** If an operator removed the cap. */
const NO_CAP = 1024 ** 4;
/** Lists that are looked through for a file. */
const PAGES = 20;

export function fileForms(site: Site, again: Again): void {
  site.workspace(
    "post",
    `${ISSUE}/attach`,
    (call) => receive(site, call).catch((error) => again(call, refusalOf(error))),
    {
      hasFiles: true,
    },
  );
  site.workspace("get", `${ISSUE}/files/:file`, async (call) => ({ to: await findFile(site, call) }));
}

async function receive(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const { request, here } = call;
  const params = at(call);
  // Before its bytes are read for nothing.
  await site.perform(call, "issues.get", { params });
  limitBody(request.req, request.res, UPLOAD_MS);
  const maxBytes = here.settings.plans(here.workspace.plan, "attachment_bytes") ?? NO_CAP;
  return withMultipart(request, { names: ["file"], maxBytes, maxTextBytes: MAX_TEXT }, async ({ files, fields }) => {
    const sent =
      files.get("file") ??
      refuse("validation_failed", { errors: [{ path: "/file", code: "required", message: "is required" }] });
    const file = new SentFile({ ...sent, maxBytes, open: async () => (await open(sent.path)).createReadStream() });
    const body = { file_name: file.fileName, mime: file.mime, byte_size: file.byteSize, checksum_sha256: file.sha256 };
    const once = onceOfFile(fields.once, body);
    const { storage_key } = await site.perform<UploadIntentView>(call, "attachments.create", {
      params,
      body,
      repeatable: once && `${once}-begin`,
    });
    // Of a form that was sent before, the file may be there.
    if (await isUploadOpen(site.runtime.database, storage_key, here.now)) {
      const stored = { key: storage_key, mime: file.mime, byteSize: file.byteSize, sha256: file.sha256 };
      await site.runtime.ports.files.put(stored, await file.open());
    }
    await site.perform(call, "attachments.commit", {
      params,
      body: { storage_key, ...body },
      repeatable: once && `${once}-end`,
    });
    return { to: `${issuePathOf(call)}#attachments`, said: `${file.fileName} is attached.` };
  });
}

/** A key for one sending of a file. Null if the form had no `onceField()`. */
const onceOfFile = (once: string | string[] | undefined, file: object): string | null =>
  once === undefined || once === "" ? null : hash("sha256", JSON.stringify([once, file]), "base64url");

/** The signed address of a file. It expires, so it is made for each download. */
async function findFile(site: Site, call: WorkspaceCall): Promise<string> {
  const params = at(call);
  let cursor = "";
  for (let page = 0; page < PAGES; page++) {
    const query = { limit: "100", ...(cursor ? { cursor } : {}) };
    const { data, next } = await site.list<AttachmentView>(call, "attachments.list", { params, query });
    const url = data.find(({ id }) => id === call.params.file)?.url;
    if (url) return url;
    if (next === null) break;
    cursor = next;
  }
  return refuse("not_found");
}
