import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mayReach, reachOf } from "../../src/domain/kernel/public-address.ts";
import { checkTarget } from "../../src/domain/kernel/webhook-target.ts";

const strict = (url: string) => checkTarget(url, { allowLoopback: false });
const lenient = (url: string) => checkTarget(url, { allowLoopback: true });
const problem = (text: string) => ({ problem: expect.stringContaining(text) });

describe("addresses", () => {
  test.each([
    ["unspecified", "0.0.0.0", "0.1.2.3", "::"],
    ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    ["shared (CGNAT)", "100.64.0.1", "100.127.255.254", "100.100.100.200"],
    ["link-local and metadata", "169.254.0.1", "169.254.169.254", "169.254.170.2", "fe80::1", "fd00:ec2::254"],
    ["platform agent", "168.63.129.16", "::ffff:168.63.129.16"],
    ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    ["benchmarks", "198.18.0.1", "198.19.255.255", "2001:2::1"],
    ["protocol assignments", "192.0.0.1", "192.0.0.192", "192.88.99.1"],
    ["multicast, reserved, broadcast", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "ff02::1"],
    ["unique local, site-local", "fc00::1", "fd12:3456::1", "fec0::1"],
    ["6to4, Teredo", "2002:0a00:0001::1", "2002:0808:0808::1", "2001::1"],
    ["NAT64", "64:ff9b::10.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::1"],
    ["embedded IPv4", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::10.0.0.1", "::8.8.8.8", "::ffff:0:8.8.8.8"],
    ["not handed out", "100::1", "4000::1", "5f00::1"],
    ["no address", "", "example.com", "1.2.3", "10.0.0.1/8", "::g"],
  ])("%s are refused", (_kind, ...addresses) => {
    for (const address of addresses) {
      expect(mayReach(address, { allowLoopback: false }), address).toBe(false);
      expect(mayReach(address, { allowLoopback: true }), address).toBe(false);
    }
  });

  test.each(["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"])("%s is loopback", (address) => {
    expect(reachOf(address)).toBe("loopback");
    expect(mayReach(address, { allowLoopback: false })).toBe(false);
    expect(mayReach(address, { allowLoopback: true })).toBe(true);
  });

  test.each(["8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"])(
    "%s is public",
    (address) => {
      expect(reachOf(address)).toBe("public");
    },
  );
});

describe("targets", () => {
  test.each([
    "https://example.com/hook?a=1",
    "HTTPS://Example.COM:8443/",
    "https://8.8.8.8/",
    "https://[2606:4700::1]/x",
  ])("%s is accepted", (url) => {
    expect(strict(url)).toBeInstanceOf(URL);
  });

  test.each([
    ["http://example.com/", "https"],
    ["ftp://example.com/", "https URL"],
    ["javascript:alert(1)", "https URL"],
    ["https:example.com", "https URL"],
    ["//example.com", "https URL"],
    ["", "https URL"],
    ["https://", "https URL"],
    ["https://user:pass@example.com/", "credentials"],
    ["https://user@example.com/", "credentials"],
    ["https://example.com/#a", "fragment"],
    ["https://example.com/#", "fragment"],
    ["https://example.com:0/", "port 0"],
    ["https://example.com:65536/", "https URL"],
    [" https://example.com/", "spaces"],
    ["https://exa\tmple.com/", "control"],
    ["https://example.com\\@10.0.0.1/", "backslashes"],
    [`https://example.com/${"a".repeat(2048)}`, "2048"],
    [`https://example.com/${"ä".repeat(1000)}`, "2048"],
  ])("%j is refused: %s", (url, text) => {
    expect(strict(url)).toEqual(problem(text));
    expect(lenient(url)).toEqual(problem(text));
  });

  test.each([
    "https://10.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://①②⑦.0.0.1/",
    "https://127.0.0.1./",
    "https://0/",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[fd00:ec2::254]/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://a.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://metadata.google.internal./",
    "https://router.home.arpa/",
    "https://intranet/",
    "https://./",
  ])("%s is refused as private", (url) => {
    expect(strict(url)).toEqual(problem("private or local"));
  });

  test("a private IPv4 address is refused in every spelling", () => {
    const octet = fc.nat(255);
    const spell = (value: number, style: number) =>
      [`${value}`, `0x${value.toString(16)}`, `0${value.toString(8)}`][style];
    const spelling = fc.tuple(octet, octet, octet, fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2), fc.nat(2)));
    fc.assert(
      fc.property(spelling, fc.constantFrom(10, 127), fc.boolean(), ([b, c, d, styles], a, whole) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        const parts = [a, b, c, d].map((part, index) => spell(part, styles[index] ?? 0)).join(".");
        return "problem" in strict(`https://${whole ? spell(number, styles[0]) : parts}/`);
      }),
    );
  });

  test("with loopback allowed, loopback hosts and plain http to them are accepted, and nothing else is", () => {
    for (const host of ["127.0.0.1:8080", "127.1", "[::1]:9000", "localhost:3000", "hooks.localhost"]) {
      expect(lenient(`http://${host}/`), host).toBeInstanceOf(URL);
      expect(lenient(`https://${host}/`), host).toBeInstanceOf(URL);
    }
    expect(lenient("http://example.com/")).toEqual(problem("https"));
    expect(lenient("http://8.8.8.8/")).toEqual(problem("https"));
    expect(lenient("http://10.0.0.1/")).toEqual(problem("private"));
    expect(lenient("https://169.254.169.254/")).toEqual(problem("private"));
  });
});
