import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Outlet } from "../../src/api/engine/stream.ts";
import { EventStream } from "../../src/api/streams/event-stream.ts";

/** Pings and ages of streams, whose turns come from one timer. */

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A client that reads everything, or nothing after the first text. */
function clientOf({ reads = true } = {}) {
  const client = { text: "", ended: false, destroyed: false };
  const outlet: Outlet = {
    write(text) {
      client.text += text;
      return reads;
    },
    end(text) {
      client.text += text;
      client.ended = true;
    },
    destroy() {
      client.destroyed = true;
    },
  };
  return { client, outlet };
}

const { signal: running } = new AbortController();
const open = (outlet: Outlet, stopping = running, stop = () => {}) =>
  new EventStream(outlet, stopping, () => ({ stop }));
const pings = (text: string) => text.split(": ping\n\n").length - 1;

test("a stream gets a ping every 15 seconds, and ends after an hour", async () => {
  const { client, outlet } = clientOf();
  const stop = vi.fn();
  const stream = open(outlet, running, stop);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(client.text).toBe("retry: 3000\n\n");
  await vi.advanceTimersByTimeAsync(46_000);
  expect(pings(client.text)).toBe(4);
  await vi.advanceTimersByTimeAsync(3_500_000);
  expect(client.ended).toBe(false);
  await vi.advanceTimersByTimeAsync(45_000);
  expect(client.ended).toBe(true);
  expect(client.text.endsWith('event: stream.closing\ndata: {"reason":"closing"}\n\n')).toBe(true);
  expect(stop).toHaveBeenCalledTimes(1);
  stream.closed();
  expect(stop).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("a client that does not read gets no pings, and is disconnected if it does not read the end either", async () => {
  const { client, outlet } = clientOf({ reads: false });
  const stream = open(outlet);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(pings(client.text)).toBe(0);
  for (let n = 0; n < 1_000; n++) stream.push("data: 1\n\n");
  expect(client.ended).toBe(false);
  stream.push("data: 2\n\n");
  expect(client.text).toBe('retry: 3000\n\nevent: stream.closed\ndata: {"reason":"too_slow"}\n\n');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(client.destroyed).toBe(true);
  stream.closed();
  expect(vi.getTimerCount()).toBe(0);
});

test("a megabyte may wait for a client, and one frame that is longer", async () => {
  const { client, outlet } = clientOf({ reads: false });
  const stream = open(outlet);
  stream.push("x".repeat(2_000_000));
  expect(client.ended).toBe(false);
  stream.push("x");
  expect(client.ended).toBe(true);
  stream.closed();
});

test("what waits is sent when the client reads again, and then the feeder goes on", async () => {
  const { client, outlet } = clientOf({ reads: false });
  const stream = open(outlet);
  stream.push("id: a\n\n", 1, "a");
  stream.push("id: b\n\n", 1, "b");
  const taken = vi.fn();
  void stream.taken().then(taken);
  outlet.write = (text) => {
    client.text += text;
    return true;
  };
  await vi.advanceTimersByTimeAsync(1_000);
  expect(taken).not.toHaveBeenCalled();
  stream.drained();
  await vi.advanceTimersByTimeAsync(1);
  expect(taken).toHaveBeenCalled();
  stream.end("key_revoked");
  expect(client.text).toBe(
    'retry: 3000\n\nid: a\n\nid: b\n\nevent: stream.closed\ndata: {"reason":"key_revoked","last_event_id":"b"}\n\n',
  );
  stream.closed();
});

test("when the process stops, all of thousands of streams end", async () => {
  const stopping = new AbortController();
  const clients = Array.from({ length: 3_000 }, () => clientOf());
  const streams = clients.map(({ outlet }) => open(outlet, stopping.signal));
  stopping.abort();
  await vi.advanceTimersByTimeAsync(100);
  expect(clients.filter(({ client }) => client.ended)).toHaveLength(3_000);
  for (const stream of streams) stream.closed();
});
