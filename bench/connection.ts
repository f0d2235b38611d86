import { connect, type Socket } from "node:net";

/**
 * A keep-alive connection that sends one request at a time. It costs a quarter of an HTTP client, whose work would be
 * measured together with that of the server on the same cores.
 */
export type Connection = {
  /** Sends a whole request and resolves with the status and the number of bytes of the reply's body. */
  send(request: string): Promise<Reply>;
  close(): void;
};

export type Reply = { status: number; bytes: number; body: () => string };

const END_OF_HEAD = "\r\n\r\n";
const END_OF_CHUNKS = Buffer.from("0\r\n\r\n");

export async function openConnection(host: string, port: number): Promise<Connection> {
  const socket = connect({ host, port, noDelay: true });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const reader = readerOf(socket);
  return {
    send(request) {
      const reply = reader.next();
      socket.write(request);
      return reply;
    },
    close: () => socket.destroy(),
  };
}

function readerOf(socket: Socket) {
  let waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined;
  let parts: Buffer[] = [];
  let size = 0;
  let head: Head | undefined;

  const fail = (error: Error) => waiting?.reject(error);
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("The server closed a connection.")));
  socket.on("data", (chunk: Buffer) => {
    parts.push(chunk);
    size += chunk.length;
    head ??= headOf(parts.length === 1 ? chunk : Buffer.concat(parts));
    if (!head || !isComplete(head, size, parts)) return;
    const { status, start } = head;
    const all = parts;
    const reply = { status, bytes: size - start, body: () => Buffer.concat(all).toString("utf8", start) };
    [parts, size, head] = [[], 0, undefined];
    waiting?.resolve(reply);
  });
  return {
    next: () =>
      new Promise<Reply>((resolve, reject) => {
        waiting = { resolve, reject };
      }),
  };
}

/** Where the body starts, and its length; null if it is sent in chunks. */
type Head = { status: number; start: number; length: number | null };

function headOf(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const text = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text);
  return {
    status: Number(text.slice(9, 12)),
    start: end + END_OF_HEAD.length,
    length: length ? Number(length[1]) : null,
  };
}

function isComplete({ start, length }: Head, size: number, parts: Buffer[]): boolean {
  if (length !== null) return size >= start + length;
  const last = parts.at(-1)!;
  const tail = last.length < END_OF_CHUNKS.length ? Buffer.concat(parts) : last;
  return tail.subarray(-END_OF_CHUNKS.length).equals(END_OF_CHUNKS);
}
