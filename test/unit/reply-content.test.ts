import fc from "fast-check";
import { expect, test } from "vitest";
import { packReply, unpackReply } from "../../src/api/engine/reply-content.ts";

const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));

/** The same data as Postgres gives it back: in another order. */
const shuffled = (data: object) => Object.fromEntries(Object.entries(data).toReversed());

test("a reply is unpacked exactly, with or without the data of an event", async () => {
  await fc.assert(
    fc.asyncProperty(json, fc.array(fc.string()), async (data, warnings) => {
      const body = JSON.stringify({ data, warnings });
      expect(await unpackReply(await packReply(body))).toBe(body);
      const again = shuffled(JSON.parse(JSON.stringify(data)));
      expect(await unpackReply(await packReply(body, data), again)).toBe(body);
    }),
  );
});

test.each([1_000, 32_700, 32_768, 32_800, 33_000, 65_536, 500_000])(
  "also with a text of %i characters",
  async (length) => {
    const data = { id: "1", text: "☃ long ".repeat(length / 7), z: [1.5, null, true] };
    const body = JSON.stringify({ data });
    const packed = await packReply(body, data);
    expect(await unpackReply(packed, shuffled(data))).toBe(body);
    expect(packed.length).toBeLessThan(Math.max(80, length / 50));
  },
);
