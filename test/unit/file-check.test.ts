import { once } from "node:events";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { checked } from "../../src/adapters/file-check.ts";
import { sha256 } from "../support/files.ts";

const file = { key: "uploads/0", mime: "text/plain", byteSize: 4 };

test("bytes pass unchanged if they are as announced", async () => {
  const right = { ...file, sha256: sha256("abcd") };
  expect(await text(checked(right, Readable.from([Buffer.from("ab"), Buffer.from("cd")])))).toBe("abcd");
  await expect(text(checked(right, Readable.from([Buffer.from("abcx")])))).rejects.toMatchObject({ what: "checksum" });
});

test.each(["while", "before"])("a sender that disconnects %s its bytes are read is not waited for", async (when) => {
  const source = new Readable({ read() {} });
  source.push("ab");
  const goAway = async () => {
    source.destroy();
    await once(source, "close");
  };
  if (when === "before") await goAway();
  const reading = text(checked(file, source));
  if (when === "while") await goAway();
  await expect(reading).rejects.toMatchObject({ what: "size" });
});
