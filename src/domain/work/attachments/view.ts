import { z } from "zod";
import { view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutAttachment, aboutUpload } from "./descriptions.ts";

export const AttachmentView = view("Attachment", aboutAttachment, {
  id,
  issue_id: id,
  comment_id: id.nullable(),
  file_name: z.string(),
  mime: z.string(),
  byte_size: z.number().int(),
  uploader_id: id,
  url: z.string().nullable(),
  created_at: timestamp,
  checksum_sha256: z.string().nullable(),
  url_expires_at: timestamp.nullable(),
});
export type AttachmentView = z.output<typeof AttachmentView>;

export const UploadIntentView = view("UploadIntent", aboutUpload, {
  attachment_id: id,
  storage_key: z.string(),
  method: z.literal("PUT"),
  url: z.string(),
  relay_url: z.string(),
  headers: z.record(z.string(), z.string()),
  expires_at: timestamp,
});
export type UploadIntentView = z.output<typeof UploadIntentView>;
