import { z } from "zod";
import { flag, http, optional, type Values } from "./types.ts";

/** Attached files. */
export const fileVariables = {
  FILES_FOLDER: z
    .string()
    .min(1)
    .default("files")
    .describe("Folder of attached files, shared by all web and worker processes. Unused if S3_BUCKET is set."),
  S3_BUCKET: optional.describe(
    "Bucket of attached files in an S3-compatible store. Unset: files are stored in FILES_FOLDER.",
  ),
  S3_REGION: z.string().min(1).default("us-east-1").describe("Region of the bucket."),
  S3_ENDPOINT: http.optional().describe("Address of the object store, also for clients. Unset: Amazon S3."),
  S3_PATH_STYLE: flag.default(false).describe("Name the bucket in the path instead of in the host, as MinIO does."),
  S3_ACCESS_KEY_ID: optional.describe("Unset: the default credential chain of the AWS SDK."),
  S3_SECRET_ACCESS_KEY: optional.describe("Secret of S3_ACCESS_KEY_ID."),
  S3_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(10_000)
    .describe("Time limit for a reply of the object store, in milliseconds; twelve times as much for copying a file."),
};

export const fileProblems = (env: Values<typeof fileVariables>): string[] =>
  Boolean(env.S3_ACCESS_KEY_ID) === Boolean(env.S3_SECRET_ACCESS_KEY)
    ? []
    : ["S3_ACCESS_KEY_ID: goes with S3_SECRET_ACCESS_KEY; set both, or neither"];
