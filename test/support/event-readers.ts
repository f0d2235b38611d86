import { spawn } from "node:child_process";
import { once } from "node:events";
import { EventSource } from "eventsource";

/** Readers of an event stream, as agents use them: each follows one connection until it is cut. */

export type Seen = { id: string; event: string; data: { data: { id?: string } } };

export type Connection = {
  url: string;
  key: string;
  lastEventId: string | null;
  /** The names of the events to follow. */
  names: readonly string[];
  signal: AbortSignal;
  hear(seen: Seen): void;
};

/** Resolves when the connection ends, or could not be made. */
export type Reader = (connection: Connection) => Promise<void>;

const headersOf = ({ key, lastEventId }: Connection): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  ...(lastEventId === null ? {} : { "last-event-id": lastEventId }),
});

/** A plain fetch that splits the frames itself. */
export const byFetch: Reader = async (connection) => {
  const reader = splitter(connection);
  const decoder = new TextDecoder();
  try {
    const reply = await fetch(connection.url, { headers: headersOf(connection), signal: connection.signal });
    if (!reply.ok) return void (await reply.body?.cancel());
    for await (const chunk of reply.body!) reader(decoder.decode(chunk, { stream: true }));
  } catch {
    // Cut.
  }
};

export const byCurl: Reader = async (connection) => {
  const headers = Object.entries(headersOf(connection)).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const child = spawn("curl", ["-sN", "--fail", ...headers, connection.url], { stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(child, "close");
  const cut = () => child.kill("SIGKILL");
  connection.signal.addEventListener("abort", cut);
  child.stdout.setEncoding("utf8").on("data", splitter(connection));
  if (connection.signal.aborted) cut();
  await exited;
  connection.signal.removeEventListener("abort", cut);
};

/** The package eventsource. It reconnects itself when the server ends the connection. */
export const byEventSource: Reader = async (connection) => {
  const { url, names, signal, hear } = connection;
  const resume = headersOf(connection);
  const source = new EventSource(url, {
    // The header of a connection that it makes again is newer.
    fetch: (input, init) => fetch(input, { ...init, headers: { ...resume, ...init.headers } }),
  });
  for (const name of names) {
    source.addEventListener(name, ({ lastEventId, data }) =>
      hear({ id: lastEventId, event: name, data: JSON.parse(data) }),
    );
  }
  const ended = Promise.withResolvers<void>();
  source.addEventListener("error", () => source.readyState === source.CLOSED && ended.resolve());
  signal.addEventListener("abort", () => ended.resolve());
  if (!signal.aborted) await ended.promise;
  source.close();
};

/** Takes pieces of a stream, and passes on its frames that have an id. */
function splitter({ hear, names }: Connection): (piece: string) => void {
  let text = "";
  return (piece) => {
    text += piece;
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const [id, event, data] = [field("id"), field("event"), field("data")];
      if (id && event && data && names.includes(event)) hear({ id, event, data: JSON.parse(data) });
    }
  };
}
