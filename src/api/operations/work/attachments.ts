import { deletedView } from "../../../domain/kernel/wire.ts";
import { byId, dropUpload, listPage, read, remove } from "../../../domain/work/attachments/attachments.ts";
import { abandonCopy, commitUpload, prepareCommit } from "../../../domain/work/attachments/commit.ts";
import { AttachmentCommitInput, AttachmentIntentInput } from "../../../domain/work/attachments/inputs.ts";
import { beginUpload, prepareUpload } from "../../../domain/work/attachments/upload.ts";
import { AttachmentView, UploadIntentView } from "../../../domain/work/attachments/view.ts";
import { operation } from "../../engine/operation.ts";

export const attachmentOperations = [
  operation({
    id: "attachments.list",
    route: "GET I/attachments",
    summary: "List an issue's attachments, newest first, each with a download URL",
    about: "Each `url` is signed and valid until `url_expires_at`; list again for a new one.",
    needs: "attachments:read",
    returns: AttachmentView,
    shape: "list",
    handle: ({ ctx, paging }) => listPage(ctx, paging),
  }),
  operation({
    id: "attachments.create",
    route: "POST I/attachments",
    summary: "Announce a file and get a URL to upload it to; committing it makes it an attachment",
    about:
      "The first of three steps: PUT the bytes with the given `headers` to `url` (or, if your network allows only this service, to `relay_url`), then call `POST …/attachments/commit`. The upload reserves storage for its size and is valid for 15 minutes.",
    needs: "attachments:write",
    body: AttachmentIntentInput,
    example: { file_name: "screenshot.png", mime: "image/png", byte_size: 48_213 },
    returns: UploadIntentView,
    status: 201,
    writers: "guests",
    prepare: ({ ctx, body }) => prepareUpload(ctx, body),
    handle: ({ ctx, body, prepared }) => beginUpload(ctx, body, prepared),
  }),
  operation({
    id: "attachments.commit",
    route: "POST I/attachments/commit",
    summary: "Attach an uploaded file; committing it again returns the same attachment",
    about:
      "Checks that the bytes have arrived and have the announced size and checksum: 409 `upload_missing` if there are none yet, 400 `upload_size_mismatch` or `checksum_mismatch` otherwise. Uploads that are not committed within 24 hours are deleted.",
    needs: "attachments:write",
    body: AttachmentCommitInput,
    example: {
      storage_key: "0198c2a4-0e10-7c11-8a01-5f1d2b6c7a01/0198c2a4-fb00-7c20-9d10-5f1d2b6c7a10",
      file_name: "screenshot.png",
      mime: "image/png",
      byte_size: 48_213,
    },
    returns: AttachmentView,
    status: 201,
    writers: "guests",
    prepare: ({ ctx, body }) => prepareCommit(ctx, body),
    abandon: abandonCopy,
    handle: ({ ctx, body, prepared }) => commitUpload(ctx, body, prepared),
    finishAfterCommit: dropUpload,
  }),
  operation({
    id: "attachments.delete",
    route: "DELETE I/attachments/{id}",
    summary: "Delete an attachment, or cancel an upload",
    about: "The file's bytes are deleted soon after, and its storage is free at once.",
    needs: "attachments:write",
    returns: deletedView("attachment"),
    writers: "guests",
    on: byId,
    current: read,
    handle: ({ ctx, on }) => remove(ctx, on),
    finishAfterCommit: dropUpload,
  }),
];
