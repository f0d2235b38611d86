import { expect, test } from "vitest";
import { networkOf, wideNetworkOf } from "../../src/domain/kernel/addresses.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2:bbbb:cccc:dddd:eeee", "2001:db8:1:2::/64"],
  ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["unknown", "unknown"],
  ["", ""],
])("%j counts as %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:aaaa::1", "2001:db8:1::/48"],
  ["2001:db8:1:3::1", "2001:db8:1::/48"],
  ["2001:db8:2::1", "2001:db8:2::/48"],
])("%j is guessed from as %j", (address, network) => {
  expect(wideNetworkOf(address)).toBe(network);
});
