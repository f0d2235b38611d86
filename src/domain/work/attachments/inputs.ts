import { z } from "zod";
import { input } from "../../kernel/described.ts";
import { idInput, line } from "../../kernel/wire.ts";
import { aboutFileInput } from "./descriptions.ts";

/** `type/subtype` with parameters (RFC 6838, RFC 2045). */
const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}( ?; ?[\w!#$&^.+-]{1,127}=([\w!#$&^.+-]{1,127}|"[ !#-[\]-~]*"))*$/;

const file = {
  file_name: line(1, 255),
  mime: line(3, 255).regex(
    MEDIA_TYPE,
    "Use a media type such as application/pdf; without a better one, application/octet-stream.",
  ),
  byte_size: z.int().min(1),
  comment_id: idInput.nullable().optional(),
  checksum_sha256: z
    .string()
    .max(64)
    .regex(/^[0-9a-fA-F]{64}$/, "Use 64 hexadecimal digits.")
    .transform((text) => text.toLowerCase())
    .nullable()
    .optional(),
};

export const AttachmentIntentInput = input("AttachmentIntentInput", aboutFileInput, file);
export type AttachmentIntentInput = z.output<typeof AttachmentIntentInput>;

export const AttachmentCommitInput = input("AttachmentCommitInput", aboutFileInput, {
  storage_key: line(1, 300),
  ...file,
});
export type AttachmentCommitInput = z.output<typeof AttachmentCommitInput>;
