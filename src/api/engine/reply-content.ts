import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";
import { jcs, type Plain } from "../../domain/kernel/jcs.ts";

/**
 * The body of a reply as it is kept: packed, and where an event holds the same data, as its difference from that. What
 * is kept beside an event is a hundred bytes or so, which say in which order the reply names the event's members.
 */

const deflateLater = promisify(deflateRaw);
const inflateLater = promisify(inflateRaw);

/** Texts beyond this are packed on another thread. */
const LONG = 32 * 1024;
/** What deflate looks back. */
const WINDOW = 32 * 1024;

/** @param data what the event holds that is kept elsewhere */
export async function packReply(body: string, data?: unknown): Promise<Buffer> {
  const options = optionsWith(data);
  return body.length > LONG ? deflateLater(body, options) : deflateRawSync(body, options);
}

/** @param data the same as when it was packed */
export async function unpackReply(packed: Buffer, data?: unknown): Promise<string> {
  const options = optionsWith(data);
  const bytes = packed.length > LONG ? await inflateLater(packed, options) : inflateRawSync(packed, options);
  return bytes.toString("utf8");
}

/** Postgres keeps the data's meaning, but not its order, so both sides take its canonical form. */
function optionsWith(data: unknown): { dictionary?: Buffer } {
  return data === undefined ? {} : { dictionary: Buffer.from(jcs(data as Plain)).subarray(0, WINDOW) };
}
