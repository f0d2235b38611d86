import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";
import { jcs, type Plain } from "../../domain/kernel/jcs.ts";

/**
 * The body of a stored reply, compressed. If an event has the same data, only the difference is stored: about a
 * hundred bytes, mainly the order of members.
 */

const deflateLater = promisify(deflateRaw);
const inflateLater = promisify(inflateRaw);

/** Longer texts are compressed on another thread, in characters. */
const LONG = 32 * 1024;
/** Size of deflate's window, in bytes. */
const WINDOW = 32 * 1024;

/** Compresses a reply. @param data the data of an event that is stored elsewhere */
export async function packReply(body: string, data?: unknown): Promise<Buffer> {
  const options = optionsWith(data);
  return body.length > LONG ? deflateLater(body, options) : deflateRawSync(body, options);
}

/** Decompresses a reply. @param data the same data that `packReply` got */
export async function unpackReply(packed: Buffer, data?: unknown): Promise<string> {
  const options = optionsWith(data);
  const bytes = packed.length > LONG ? await inflateLater(packed, options) : inflateRawSync(packed, options);
  return bytes.toString("utf8");
}

/** Postgres does not keep the order of members, so both sides use the canonical form. */
function optionsWith(data: unknown): { dictionary?: Buffer } {
  if (data === undefined) return {};
  try {
    return { dictionary: Buffer.from(jcs(data as Plain)).subarray(0, WINDOW) };
  } catch {
    // A number that JavaScript cannot represent, such as 1e999, has no canonical form.
    return {};
  }
}
