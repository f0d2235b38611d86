/** An event of a stream of server-sent events (WHATWG HTML, 9.2.6). `id` is null if the frame had none. */
export type Frame = { event: string; data: string; id: string | null };

/** Far more than the service sends; what is longer is no event stream. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

const LF = 10;
const CR = 13;

/** Reads frames from pieces of text, cut anywhere. Its time is linear in their length. */
export class SseParser {
  /** Milliseconds to wait before the next connection, once the service has said so. */
  retryMs: number | null = null;
  #unfinished: string[] = [];
  /** Characters of the frame so far, and of its unfinished line. */
  #length = 0;
  #waiting = 0;
  #endedWithCr = false;
  #event = "";
  #data: string[] = [];
  #id: string | null = null;

  /** @throws Error if a frame is too long */
  push(chunk: string): Frame[] {
    if (chunk === "") return [];
    const frames: Frame[] = [];
    let start = this.#endedWithCr && chunk.charCodeAt(0) === LF ? 1 : 0;
    this.#endedWithCr = chunk.endsWith("\r");
    for (let at = start; at < chunk.length; at++) {
      const character = chunk.charCodeAt(at);
      if (character !== LF && character !== CR) continue;
      this.#unfinished.push(chunk.slice(start, at));
      const line = this.#unfinished.join("");
      this.#unfinished = [];
      this.#waiting = 0;
      if (character === CR && chunk.charCodeAt(at + 1) === LF) at++;
      start = at + 1;
      const frame = this.#take(line);
      if (frame) frames.push(frame);
    }
    this.#unfinished.push(chunk.slice(start));
    this.#waiting += chunk.length - start;
    if (this.#length + this.#waiting > MAX_CHARACTERS) throw new Error("The stream sent a frame that is too long.");
    return frames;
  }

  #take(line: string): Frame | null {
    if (line === "") return this.#dispatch();
    this.#length += line.length;
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    return null;
  }

  #dispatch(): Frame | null {
    const frame = { event: this.#event || "message", data: this.#data.join("\n"), id: this.#id };
    const isEmpty = this.#data.length === 0;
    [this.#event, this.#data, this.#id, this.#length] = ["", [], null, 0];
    return isEmpty ? null : frame;
  }
}
