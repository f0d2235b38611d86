import fc from "fast-check";
import { expect, test } from "vitest";
import { type Frame, SseParser } from "../../clients/typescript/src/sse-parser.ts";

const parsed = (chunks: readonly string[]): Frame[] => {
  const parser = new SseParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
};

test("fields, comments, several lines of data, and frames without data", () => {
  const text =
    ": ping\n\nretry: 3000\n\nid: 1\nevent: a\ndata: one\ndata:two\n\nevent: lost\n\ndata\n\nid: b\0d\ndata: x\nother: y\n\n";
  expect(parsed([text])).toEqual([
    { event: "a", data: "one\ntwo", id: "1" },
    { event: "message", data: "", id: null },
    { event: "message", data: "x", id: null },
  ]);
  const parser = new SseParser();
  parser.push("retry: 3000\n\nretry: soon\n\n");
  expect(parser.retryMs).toBe(3000);
});

test("frames do not depend on where the text was cut, or on how its lines end", () => {
  const line = fc.constantFrom("id: 1", "event: a", "data: x", "data:", ":", "", "", "retry: 5", "data: é");
  const cuts = fc.array(fc.nat(200), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), cuts, fc.constantFrom("\n", "\r\n", "\r"), (lines, at, end) => {
      // A last line without an end is not taken.
      const text = [...lines, "", "data: unfinished"].join(end);
      const places = [0, ...at.filter((place) => place < text.length).sort((a, b) => a - b), text.length];
      const chunks = places.slice(1).map((place, index) => text.slice(places[index], place));
      expect(parsed(chunks)).toEqual(parsed([[...lines, "", "data: unfinished"].join("\n")]));
    }),
  );
});

test("a frame that never ends is refused before it fills the memory", () => {
  const parser = new SseParser();
  const chunk = "x".repeat(1024 * 1024);
  const push = () => {
    for (let n = 0; n < 20; n++) parser.push(chunk);
  };
  expect(push).toThrow("too long");
  const lines = new SseParser();
  expect(() => {
    for (let n = 0; n < 20; n++) lines.push(`data: ${chunk}\n`);
  }).toThrow("too long");
});
