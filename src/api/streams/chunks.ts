import type { Frame } from "../../domain/automation/agent-events/frame.ts";

/** Text that is sent at a time. */
const CHUNK_LENGTH = 64 * 1024;

/** Divides frames into pieces of about CHUNK_LENGTH. */
export function* chunksOf(frames: readonly Frame[]): Iterable<Frame[]> {
  let chunk: Frame[] = [];
  let length = 0;
  for (const one of frames) {
    chunk.push(one);
    length += one.text.length;
    if (length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = [];
    length = 0;
  }
  if (chunk.length > 0) yield chunk;
}
