import { expect, test } from "vitest";
import { world } from "../support/world.ts";

test("a reply says that the preference for lenient handling was honoured (RFC 7240)", async () => {
  const { owner } = await world();
  const body = { title: "x", colour: "red" };
  const lenient = { headers: { prefer: "respond-async, handling=lenient" } };
  const reply = await owner.post("P/issues", body, lenient).expect(201);
  expect(reply.headers.get("preference-applied")).toBe("handling=lenient");
  expect(reply.headers.get("vary")).toContain("Prefer");
  expect(reply.body.warnings).toMatchObject([{ code: "unknown_field" }]);
  const listed = await owner.get("P/issues?colour=red", lenient).expect(200);
  expect(listed.headers.get("preference-applied")).toBe("handling=lenient");

  for (const prefer of ["handling=strict", "return=minimal"]) {
    const plain = await owner.get("P/issues", { headers: { prefer } }).expect(200);
    expect(plain.headers.get("preference-applied")).toBeNull();
    expect(plain.headers.get("vary")).toContain("Prefer");
  }
});
