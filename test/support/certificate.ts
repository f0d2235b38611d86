import { generateKeyPairSync, sign } from "node:crypto";

/** A self-signed certificate for one host name, valid 2020 to 2049, with its key; both as PEM. */
export function selfSigned(hostname: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(oid("550403"), utf8(hostname))));
  const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
  const altName = sequence(der(0x82, Buffer.from(hostname)));
  const tbs = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(utcTime("200101000000Z"), utcTime("491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(oid("551d11"), der(0x04, altName)))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", tbs, privateKey)]));
  const cert = sequence(tbs, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** One DER value: tag, length, content (ITU-T X.690 §8.1). */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const utf8 = (text: string) => der(0x0c, Buffer.from(text));
const utcTime = (text: string) => der(0x17, Buffer.from(text));
