import { conflict, defineErrors, forbidden, invalid } from "../../kernel/define-errors.ts";

export const attachmentErrors = defineErrors({
  upload_size_mismatch: invalid("Upload mismatch", "The file is not the announced one; see field."),
  checksum_mismatch: invalid("Checksum mismatch", "The file does not have the announced checksum."),
  storage_limit_reached: forbidden("Storage limit reached", "The workspace's plan has no room for this file."),
  attachment_limit_reached: conflict(
    "Attachment limit reached",
    "The comment has as many attachments as one may have.",
  ),
  upload_missing: conflict("Upload missing", "The bytes are not there yet; PUT them to the upload's url first."),
  upload_expired: conflict("Upload expired", "The upload was not finished in time; ask for a new one."),
});
