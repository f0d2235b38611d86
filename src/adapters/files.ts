import type { SignedAddresses } from "../domain/kernel/files/signed-addresses.ts";
import type { ObjectStore } from "../domain/kernel/ports/ports.ts";
import { openLocalFiles } from "./files-local.ts";
import { openS3Files } from "./files-s3.ts";

export type FilesOptions = {
  FILES_FOLDER: string;
  S3_BUCKET?: string | undefined;
  S3_REGION: string;
  S3_ENDPOINT?: string | undefined;
  S3_PATH_STYLE: boolean;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
  S3_TIMEOUT_MS: number;
};

/** The bucket if one is configured, otherwise the folder. */
export function openFiles(
  options: FilesOptions,
  addresses: SignedAddresses,
): { store: ObjectStore; close: () => void } {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = options;
  if (!bucket) return { store: openLocalFiles(options.FILES_FOLDER, addresses), close: () => {} };
  const store = openS3Files({
    bucket,
    region: options.S3_REGION,
    endpoint: options.S3_ENDPOINT,
    pathStyle: options.S3_PATH_STYLE,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    timeoutMs: options.S3_TIMEOUT_MS,
  });
  return { store, close: store.close };
}
