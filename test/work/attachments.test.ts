import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { contentDisposition } from "../../src/domain/kernel/files/content-disposition.ts";
import { snapshot } from "../contract/snapshot.ts";
import { app } from "../support/app.ts";
import { attachmentTests } from "../support/attachment-tests.ts";
import { announce, attach, commit, fileOf, put, reachable } from "../support/files.ts";
import { cleanUpNow } from "../support/jobs.ts";
import { world } from "../support/world.ts";

/** Attachments in the embedded store, and what is its own. */

attachmentTests();

const BYTES = Buffer.from("0123456789");

async function attached(more: Parameters<typeof fileOf>[1] = {}) {
  const { owner } = await world();
  const { data: issue } = await owner.post("P/issues", { title: "Minutes" }).expect(201);
  const attachment = await attach(owner, issue.key, BYTES, more);
  return { owner, issue, attachment, url: await reachable(attachment.url) };
}

test("a download can be requested in parts", async () => {
  const { url } = await attached();
  const whole = await fetch(url);
  const etag = whole.headers.get("etag") as string;
  const get = async (range: string, more: Record<string, string> = {}) => {
    const reply = await fetch(url, { headers: { range, ...more } });
    return [reply.status, reply.headers.get("content-range"), await reply.text()];
  };
  expect(await get("bytes=2-4")).toEqual([206, "bytes 2-4/10", "234"]);
  expect(await get("bytes=7-")).toEqual([206, "bytes 7-9/10", "789"]);
  expect(await get("bytes=-3")).toEqual([206, "bytes 7-9/10", "789"]);
  expect(await get("bytes=-30")).toEqual([206, "bytes 0-9/10", "0123456789"]);
  expect(await get("bytes=8-99")).toEqual([206, "bytes 8-9/10", "89"]);
  expect((await get("bytes=10-")).slice(0, 2)).toEqual([416, "bytes */10"]);
  expect((await get("bytes=-0")).slice(0, 2)).toEqual([416, "bytes */10"]);
  for (const ignored of ["bytes=4-2", "bytes=0-1,4-5", "lines=1-2", "bytes=x", "bytes=-"])
    expect((await get(ignored))[0]).toBe(200);
  expect((await get("bytes=2-4", { "if-range": etag }))[0]).toBe(206);
  expect((await get("bytes=2-4", { "if-range": '"another"' }))[0]).toBe(200);

  const head = await fetch(url, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "10", ""]);
});

test("browsers download files instead of showing them, and their content cannot run here", async () => {
  const { url } = await attached({ file_name: 'a".html', mime: "text/html" });
  const { headers } = await fetch(url, { headers: { origin: "https://other.test" } });
  expect(headers.get("content-disposition")).toMatch(/^attachment;/);
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("access-control-allow-origin")).toBe("*");
});

test("no page can load a file as a script or a style of its own site", async () => {
  const { url } = await attached({ file_name: "a.js", mime: "text/javascript" });
  const fetched = async (use: string) => (await fetch(url, { headers: { "sec-fetch-dest": use } })).status;
  for (const use of ["script", "style", "serviceworker", "worker", "object"]) expect(await fetched(use)).toBe(404);
  for (const use of ["empty", "document", "iframe", "image", "video"]) expect(await fetched(use)).toBe(200);
});

test.each([
  ["notes.txt", 'attachment; filename="notes.txt"'],
  ['say "hi".txt', `attachment; filename="say _hi_.txt"; filename*=UTF-8''say%20%22hi%22.txt`],
  ["a\r\nSet-Cookie: x=1.txt", 'attachment; filename="a Set-Cookie: x=1.txt"'],
  ["\u202Egpj.exe", 'attachment; filename="gpj.exe"'],
  ["../../etc/passwd", 'attachment; filename=".._.._etc_passwd"'],
  ["über (1)*'.txt", `attachment; filename="_ber (1)*'.txt"; filename*=UTF-8''%C3%BCber%20%281%29%2A%27.txt`],
  ["\u0000\u2028", 'attachment; filename="file"'],
  ["報告.pdf", `attachment; filename="__.pdf"; filename*=UTF-8''%E5%A0%B1%E5%91%8A.pdf`],
  ["50%;x", `attachment; filename="50__x"; filename*=UTF-8''50%25%3Bx`],
])("the name %j is sent as %s", (name, header) => {
  expect(contentDisposition(name)).toBe(header);
});

test("names that browsers could misread are sent safely", async () => {
  const { url, attachment } = await attached({ file_name: '\u202E報告"\n.pdf' });
  // A name is one line, without marks that turn the direction of text.
  expect(attachment.file_name).toBe('報告" .pdf');
  const { status, headers } = await fetch(url);
  expect([status, headers.get("content-disposition")]).toEqual([
    200,
    `attachment; filename="___ .pdf"; filename*=UTF-8''%E5%A0%B1%E5%91%8A%22%20.pdf`,
  ]);
});

test("addresses are valid only for their purpose and time", async () => {
  const { url } = await attached();
  const { resources } = await app();
  const { fileAddresses } = resources.ports;
  const file = { key: "uploads/0/0", mime: "text/plain", byteSize: 10 };
  const past = new Date(Date.now() - 2_000);
  const over = fileAddresses.upload(file, past);
  await put(over, {}, BYTES).expect(409, "upload_expired");
  const ended = fileAddresses.download({ key: "files/0/0", fileName: "x", mime: "text/plain" }, past);
  expect((await fetch(await reachable(ended))).status).toBe(404);
  // A download address cannot be used to upload, and vice versa.
  expect((await fetch(url, { method: "PUT", body: BYTES })).status).toBe(404);
  const toWrite = fileAddresses.upload(file, new Date(Date.now() + 60_000));
  expect((await fetch(await reachable(toWrite))).status).toBe(404);
  for (const token of ["x", "x.y", ".", "%00", "..%2f..%2fetc%2fpasswd", "W10.x"])
    expect((await fetch(await reachable(`https://muster.test/files/${token}`))).status).toBe(404);
});

test("an upload that has ended accepts no bytes, so none are stored uncounted", async () => {
  const { owner } = await world();
  const { data: issue } = await owner.post("P/issues", { title: "Minutes" }).expect(201);
  const { resources } = await app();
  const over = async (end: (upload: { storage_key: string; attachment_id: string }) => Promise<unknown>) => {
    const { data } = await announce(owner, issue.key, fileOf(BYTES)).expect(201);
    await put(data.url, data.headers, BYTES).expect(200);
    await end(data);
    await put(data.url, data.headers, BYTES).expect(409, "upload_expired");
    await expect.poll(() => resources.ports.files.stat(data.storage_key)).toBeNull();
  };
  await over(({ storage_key }) => commit(owner, issue.key, storage_key, fileOf(BYTES)).expect(201));
  await over(({ attachment_id }) => owner.delete(`P/issues/${issue.key}/attachments/${attachment_id}`).expect(200));

  // Abandoned while the bytes arrive.
  const { data } = await announce(owner, issue.key, fileOf(BYTES)).expect(201);
  const source = new ReadableStream({
    async start(bytes) {
      bytes.enqueue(BYTES.subarray(0, 4));
      await sleep(100);
      await owner.delete(`P/issues/${issue.key}/attachments/${data.attachment_id}`).expect(200);
      bytes.enqueue(BYTES.subarray(4));
      bytes.close();
    },
  });
  const url = await reachable(data.url);
  const reply = await fetch(url, { method: "PUT", headers: data.headers, body: source, duplex: "half" });
  expect(reply.status).toBe(409);
  expect(await resources.ports.files.stat(data.storage_key)).toBeNull();
});

test("a repeated upload ends the one in progress, so that only one uses the disk", async () => {
  const { owner } = await world();
  const { data: issue } = await owner.post("P/issues", { title: "Minutes" }).expect(201);
  const { data } = await announce(owner, issue.key, fileOf(BYTES)).expect(201);
  const url = await reachable(data.url);
  const unfinished = join((await app()).config.FILES_FOLDER, "unfinished");
  const begin = () => {
    const sending = request(url, { method: "PUT", headers: { ...data.headers, "content-length": BYTES.length } });
    sending.write(BYTES.subarray(0, 4));
    return once(sending, "error");
  };
  const first = begin();
  await expect.poll(() => existsSync(unfinished) && readdirSync(unfinished).length).toBe(1);
  const second = begin();
  await first;
  await put(data.url, data.headers, BYTES).expect(200);
  await second;
  await expect.poll(() => readdirSync(unfinished)).toEqual([]);
  await commit(owner, issue.key, data.storage_key, fileOf(BYTES)).expect(201);
});

test("programs in browsers may upload and download from any origin", async () => {
  const asked = await fetch(await reachable("https://muster.test/files/x"), {
    method: "OPTIONS",
    headers: {
      origin: "https://elsewhere.example",
      "access-control-request-method": "PUT",
      "access-control-request-headers": "content-type,x-amz-checksum-sha256",
    },
  });
  expect(asked.headers.get("access-control-allow-origin")).toBe("*");
  expect(asked.headers.get("access-control-allow-methods")).toContain("PUT");
  expect(asked.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("x-amz-checksum-sha256");
});

test("while the folder is unusable, calls return 503 with Retry-After and change nothing", async () => {
  const { owner, issue, attachment, url } = await attached();
  const { config } = await app();
  const { data } = await announce(owner, issue.key, fileOf(BYTES)).expect(201);
  await put(data.url, data.headers, BYTES).expect(200);
  const here = await world();
  const before = await snapshot(here);
  const aside = `${config.FILES_FOLDER}-aside`;
  renameSync(config.FILES_FOLDER, aside);
  writeFileSync(config.FILES_FOLDER, "not a folder");
  try {
    const reply = await commit(owner, issue.key, data.storage_key, fileOf(BYTES)).expect(503, "unavailable");
    expect(reply.headers.get("retry-after")).toBe("2");
    await put(data.url, data.headers, BYTES).expect(503, "unavailable");
    expect((await fetch(url)).status).toBe(503);
    expect(await snapshot(here)).toEqual(before);
    // Operations on rows alone still work.
    await owner.delete(`P/issues/${issue.key}/attachments/${attachment.id}`).expect(200);
  } finally {
    rmSync(config.FILES_FOLDER);
    renameSync(aside, config.FILES_FOLDER);
  }
  await commit(owner, issue.key, data.storage_key, fileOf(BYTES)).expect(201);
});

test("unfinished files of a killed process are deleted after two days", async () => {
  const { FILES_FOLDER } = (await app()).config;
  const folder = join(FILES_FOLDER, "unfinished");
  mkdirSync(folder, { recursive: true });
  for (const [name, days] of [
    ["old", 3],
    ["new", 1],
  ] as const) {
    const path = join(folder, name);
    writeFileSync(path, "half");
    const then = new Date(Date.now() - days * 86_400_000);
    utimesSync(path, then, then);
  }
  await cleanUpNow();
  expect(existsSync(join(folder, "old"))).toBe(false);
  expect(readdirSync(folder)).toEqual(["new"]);
});
