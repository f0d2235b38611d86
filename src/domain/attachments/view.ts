import { z } from "zod";
import { id, timestamp } from "../wire.ts";

export const AttachmentView = z
  .object({
    id,
    issue_id: id,
    comment_id: id.nullable(),
    file_name: z.string(),
    mime: z.string(),
    byte_size: z.number().int(),
    uploader_id: id,
    url: z.string().nullable().describe("Downloads the file, until url_expires_at; null in events"),
    created_at: timestamp,
    checksum_sha256: z.string().nullable().describe("As announced and checked; null when none was"),
    url_expires_at: timestamp.nullable(),
  })
  .meta({ id: "Attachment" });
export type AttachmentView = z.output<typeof AttachmentView>;

export const UploadIntentView = z
  .object({
    attachment_id: id,
    storage_key: z.string(),
    method: z.literal("PUT"),
    url: z.string().describe("PUT the file's bytes here, with these headers"),
    relay_url: z.string().describe("Takes the same PUT, for clients that do not reach url"),
    headers: z.record(z.string(), z.string()),
    expires_at: timestamp.describe("Until then the upload can begin"),
  })
  .meta({ id: "UploadIntent" });
export type UploadIntentView = z.output<typeof UploadIntentView>;
