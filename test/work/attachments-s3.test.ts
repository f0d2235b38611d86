import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { snapshot } from "../contract/snapshot.ts";
import { app, configure } from "../support/app.ts";
import { attachmentTests } from "../support/attachment-tests.ts";
import { announce, attach, commit, fileOf, put, sha256 } from "../support/files.ts";
import { collectFilesNow } from "../support/jobs.ts";
import { startS3 } from "../support/s3.ts";
import { world } from "../support/world.ts";

/** Attachments in an S3-compatible store, and what only such a store does. */

const s3 = await startS3();
configure(s3.variables);
afterAll(() => s3.stop());

attachmentTests();

const BYTES = Buffer.from("What was agreed on Tuesday.\n");

async function uploaded() {
  const here = await world();
  const { owner } = here;
  const { data: issue } = await owner.post("P/issues", { title: "Minutes" }).expect(201);
  const { data } = await announce(owner, issue.key, fileOf(BYTES)).expect(201);
  await put(data.url, data.headers, BYTES).expect(200);
  return { ...here, issue, storage_key: data.storage_key as string, relay: data.relay_url as string };
}

test("size, type and checksum are signed into the address of an upload", async () => {
  const { owner, issue } = await uploaded();
  const file = fileOf(BYTES, { checksum_sha256: sha256(BYTES) });
  const { data } = await announce(owner, issue.key, file).expect(201);
  const url = new URL(data.url);
  expect(url.searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host;x-amz-checksum-sha256");
  expect(url.searchParams.get("X-Amz-Expires")).toBe("900");
  expect(data.headers).toEqual({
    "Content-Type": "text/plain",
    "x-amz-checksum-sha256": Buffer.from(sha256(BYTES), "hex").toString("base64"),
  });
  const { "x-amz-checksum-sha256": _, ...without } = data.headers;
  await put(data.url, without, BYTES).expect(403);
});

test("a download's name and type are signed into its address", async () => {
  const { owner, issue } = await uploaded();
  const { url } = await attach(owner, issue.key, BYTES, { file_name: "über.txt" });
  const { searchParams } = new URL(url);
  expect(searchParams.get("response-content-disposition")).toBe(
    `attachment; filename="_ber.txt"; filename*=UTF-8''%C3%BCber.txt`,
  );
  expect(searchParams.get("response-content-type")).toBe("text/plain");
  expect(searchParams.get("X-Amz-Expires")).toBe("3600");
});

test.each([
  ["away", "away" as const],
  ["slow", { slowMs: 3_000 }],
])("while the store is %s, calls return 503 with Retry-After and change nothing", async (_, mood) => {
  const here = await uploaded();
  const { owner, issue, storage_key, relay } = here;
  const attachment = await attach(owner, issue.key, BYTES);
  const before = await snapshot(here);
  s3.be(mood);
  try {
    const reply = await commit(owner, issue.key, storage_key, fileOf(BYTES)).expect(503, "unavailable");
    expect(reply.headers.get("retry-after")).toBe("2");
    if (mood === "away") await put(relay, {}, BYTES).expect(503, "unavailable");
    expect(await snapshot(here)).toEqual(before);
    // Neither announcing nor deleting waits for the store.
    await owner.delete(`P/issues/${issue.key}/attachments/${attachment.id}`).expect(200);
    await announce(owner, issue.key, fileOf(BYTES)).expect(201);
    // The removal is postponed and retried.
    await collectFilesNow();
  } finally {
    s3.be("well");
  }
  await commit(owner, issue.key, storage_key, fileOf(BYTES)).expect(201);
  const [{ left }] = (await here.sql(
    "select count(*) as left from stored_object where workspace_id = $1 and removing and remove_after > now()",
    [here.workspace.id],
  )) as [{ left: number }];
  expect(left).toBe(1);
  await here.sql("update stored_object set remove_after = now() where removing");
  await collectFilesNow();
  const { ports } = (await app()).resources;
  const rows = await here.sql<{ key: string }>("select key from stored_object where workspace_id = $1", [
    here.workspace.id,
  ]);
  for (const { key } of rows.filter((row) => row.key.startsWith("files/")))
    expect(await ports.files.stat(key)).not.toBeNull();
});

test("the emulated store serves others after a client disconnects while its request waits", async () => {
  s3.be({ slowMs: 50 });
  const left = fetch(`${s3.variables.S3_ENDPOINT}/muster/any?X-Amz-Signature=`, { signal: AbortSignal.timeout(20) });
  await expect(left).rejects.toThrow();
  s3.be("well");
  await sleep(100);
  const { owner, issue } = await uploaded();
  await attach(owner, issue.key, BYTES);
});

test("a file that the store fails to delete does not delay others, and is retried", async () => {
  const here = await uploaded();
  const { owner, issue, sql, workspace } = here;
  const kept = () =>
    sql<{ key: string }>("select key from stored_object where workspace_id = $1 and key like 'files/%'", [
      workspace.id,
    ]);
  const [one, other] = [await attach(owner, issue.key, BYTES), await attach(owner, issue.key, BYTES)];
  const [{ key: locked }] = (await kept()) as [{ key: string }];
  for (const { id } of [one, other]) await owner.delete(`P/issues/${issue.key}/attachments/${id}`).expect(200);
  s3.be({ locked });
  try {
    await collectFilesNow();
    expect(await kept()).toEqual([{ key: locked }]);
  } finally {
    s3.be("well");
  }
  await collectFilesNow();
  expect(await kept()).toEqual([{ key: locked }]);
  await sql("update stored_object set remove_after = now() where key = $1", [locked]);
  await collectFilesNow();
  expect(await kept()).toEqual([]);
});
