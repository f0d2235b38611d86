import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of attachments and uploads, for the API description. */

const SHA256 = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9";
const STORAGE_KEY = "0198c2a4-0e10-7c11-8a01-5f1d2b6c7a01/0198c2a4-fb00-7c20-9d10-5f1d2b6c7a10";

const file = {
  file_name: ["Name that a download is saved under.", "screenshot.png"],
  mime: ["Media type of the file. Use `application/octet-stream` if you know no better.", "image/png"],
  byte_size: countOf("Exact size in bytes. It counts towards the plan's storage.", 48_213),
} as const;

export const aboutAttachment = {
  ...file,
  id: idOf("attachment"),
  issue_id: ["Id of the issue that the file is attached to.", SAMPLE.issue],
  comment_id: ["Id of the comment that the file belongs to. `null` if it belongs to the issue only.", null],
  uploader_id: userId("User id of the person or agent who uploaded the file."),
  url: [
    "Address to download the file from until `url_expires_at`. `null` in events.",
    "https://files.muster.example/1",
  ],
  created_at: timesOf("attachment").created_at,
  checksum_sha256: [
    "SHA-256 of the file in hexadecimal, as announced and checked. `null` if none was announced.",
    SHA256,
  ],
  url_expires_at: ["When `url` stops working. `null` in events.", "2026-01-15T10:30:00.000Z"],
} as const;

export const aboutFileInput = {
  ...file,
  comment_id: ["Id of your comment on the issue that the file belongs to. `null` for none.", SAMPLE.comment],
  checksum_sha256: ["SHA-256 of the file in hexadecimal. If sent, the stored bytes are checked against it.", SHA256],
  storage_key: ["`storage_key` from the reply that announced the upload.", STORAGE_KEY],
} as const;

export const aboutUpload = {
  attachment_id: ["Id that the attachment will have once it is committed.", SAMPLE.other],
  storage_key: ["Name of the upload. Send it when you commit the file.", STORAGE_KEY],
  method: ["Method to send the bytes with."],
  url: ["Address to upload the file's bytes to, with `method` and `headers`.", "https://files.muster.example/upload/1"],
  relay_url: [
    "Address on this server that takes the same upload, if `url` cannot be reached.",
    "https://muster.example/files/1",
  ],
  headers: [
    "Send exactly these headers with the bytes, because the URL's signature covers them.",
    { "Content-Type": "image/png" },
  ],
  expires_at: ["When the upload has to have begun.", "2026-01-15T09:45:00.000Z"],
} as const;
