import { conflict, defineErrors, forbidden, invalid } from "../../kernel/define-errors.ts";

export const attachmentErrors = defineErrors({
  upload_size_mismatch: invalid(
    "Upload mismatch",
    "The file differs from the announced one in the given field.",
    "Upload the announced file.",
  ),
  checksum_mismatch: invalid("Checksum mismatch", "The file does not have the announced checksum.", "Upload it again."),
  storage_limit_reached: forbidden(
    "Storage limit reached",
    "The file exceeds the storage of the workspace's plan.",
    "Delete attachments, or upgrade the plan.",
  ),
  attachment_limit_reached: conflict(
    "Attachment limit reached",
    "The comment has the maximum number of attachments.",
    "Delete one first.",
  ),
  upload_missing: conflict("Upload missing", "The file has not been uploaded.", "PUT it to the upload's url first."),
  upload_expired: conflict("Upload expired", "The upload was not committed in time.", "Create a new one."),
});
