import { expect, test } from "vitest";
import { announce, attach, commit, fileOf, put, reachable, sha256 } from "./support/files.ts";
import { world } from "./support/world.ts";

test("smoke", async () => {
  const here = await world({ webhook: ["*"] });
  const { data: issue } = await here.owner.post("P/issues", { title: "x" }).expect(201);
  const bytes = Buffer.from("hello");
  const a = await attach(here.owner, issue.key, bytes, { checksum_sha256: sha256(bytes) });
  console.log(a);
  const { body } = await here.owner.get(`P/issues/${issue.key}/attachments`).expect(200);
  console.log(body, (await here.owner.get("W/usage")).data.storage);
  const r = await fetch(await reachable(a.url));
  console.log(r.status, Object.fromEntries(r.headers), await r.text());
  await here.owner.delete(`P/issues/${issue.key}/attachments/${a.id}`).expect(200);
  console.log(
    (await here.owner.get("W/usage")).data.storage,
    (await here.owner.get(`P/issues/${issue.key}`)).data.counts,
  );
  void announce;
  void commit;
  void fileOf;
  void put;
  expect(1).toBe(1);
});
