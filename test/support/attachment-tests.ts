import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { snapshot } from "../contract/snapshot.ts";
import { app } from "./app.ts";
import { Client } from "./client.ts";
import { announce, attach, commit, fileOf, put, reachable, sha256 } from "./files.ts";
import { cleanUpNow, collectFilesNow, drain } from "./jobs.ts";
import { startProcess } from "./process.ts";
import { type World, world } from "./world.ts";

const BYTES = Buffer.from("What was agreed on Tuesday.\n");
const path = (key: string) => `P/issues/${key}/attachments`;

type Row = { key: string; remove_after: string | null; removing: boolean };
const objectsOf = ({ sql, workspace }: World) =>
  sql<Row>("select key, remove_after, removing from stored_object where workspace_id = $1 order by key", [
    workspace.id,
  ]);

/** Where bytes are or may be stored for attachments. */
const filesOf = async (here: World) => (await objectsOf(here)).filter(({ key }) => key.startsWith("files/"));

const storage = async ({ owner }: World) => (await owner.get("W/usage").expect(200)).data.storage;

/** Reservations and attachments add up, and bytes exist exactly where rows say. */
export async function expectBalanced(here: World) {
  const [row] = await here.sql<{ held: number; kept: string[] }>(
    `select coalesce(sum(byte_size), 0)::bigint as held, coalesce(array_agg(object_key) filter (where object_key is not null), '{}') as kept
     from attachment where workspace_id = $1`,
    [here.workspace.id],
  );
  expect((await storage(here)).used_bytes).toBe(row!.held);
  const miscounted = await here.sql(
    `select key from issue i where workspace_id = $1 and attachment_count <>
       (select count(*) from attachment a where a.issue_id = i.id and a.object_key is not null)`,
    [here.workspace.id],
  );
  expect(miscounted).toEqual([]);
  const objects = await objectsOf(here);
  expect(objects.filter(({ remove_after }) => remove_after === null).map(({ key }) => key)).toEqual(row!.kept.sort());
}

const stored = async (key: string) => (await app()).resources.ports.files.stat(key);

async function withIssue(options: Parameters<typeof world>[0] = {}) {
  const here = await world(options);
  const { data: issue } = await here.owner.post("P/issues", { title: "Minutes" }).expect(201);
  return { ...here, issue: issue as { id: string; key: string } };
}

/** Announces and uploads, without the commit. */
async function upload(client: Client, key: string, bytes = BYTES, more: Parameters<typeof fileOf>[1] = {}) {
  const file = fileOf(bytes, more);
  const { data } = await announce(client, key, file).expect(201);
  await put(data.url, data.headers, bytes).expect(200);
  return {
    file,
    ...(data as { storage_key: string; attachment_id: string; url: string; headers: Record<string, string> }),
  };
}

/** Behaviour of attachments in every store. */
export function attachmentTests() {
  describe("attaching", () => {
    test("a file is announced, uploaded, committed, downloaded and deleted, with events", async () => {
      const here = await withIssue({ webhook: ["issue.attachment.*", "issue.updated"] });
      const { owner, issue } = here;
      const file = fileOf(BYTES, { checksum_sha256: sha256(BYTES) });
      const { data: intent } = await announce(owner, issue.key, file).expect(201);
      expect(intent).toEqual({
        attachment_id: expect.any(String),
        storage_key: expect.any(String),
        method: "PUT",
        url: expect.stringMatching(/^https?:/),
        relay_url: expect.stringMatching(/^https:\/\/muster\.test\/files\//),
        headers: expect.objectContaining({ "Content-Type": "text/plain" }),
        expires_at: expect.stringMatching(/Z$/),
      });
      expect((await owner.get(path(issue.key)).expect(200)).data).toEqual([]);
      expect(await storage(here)).toMatchObject({ used_bytes: BYTES.length });

      await put(intent.url, intent.headers, BYTES).expect(200);
      const { data: attachment } = await commit(owner, issue.key, intent.storage_key, file).expect(201);
      expect(attachment).toEqual({
        id: intent.attachment_id,
        issue_id: issue.id,
        comment_id: null,
        ...file,
        uploader_id: owner.userId,
        url: expect.stringMatching(/^https?:/),
        created_at: expect.stringMatching(/Z$/),
        url_expires_at: expect.stringMatching(/Z$/),
      });
      const { body: list } = await owner.get(path(issue.key)).expect(200);
      const lasting = { ...attachment, url: expect.any(String), url_expires_at: expect.any(String) };
      expect(list).toEqual({ data: [lasting], pagination: { next_cursor: null } });
      expect((await owner.get(`P/issues/${issue.key}`)).data.counts.attachments).toBe(1);
      await expectBalanced(here);

      const download = await fetch(await reachable(list.data[0].url));
      expect(download.status).toBe(200);
      expect(Buffer.from(await download.arrayBuffer())).toEqual(BYTES);
      expect(download.headers.get("content-type")).toBe("text/plain");
      expect(download.headers.get("content-disposition")).toBe('attachment; filename="notes.txt"');

      const { data: gone } = await owner.delete(`${path(issue.key)}/${attachment.id}`).expect(200);
      expect(gone).toEqual({ id: attachment.id, deleted: true });
      await owner.delete(`${path(issue.key)}/${attachment.id}`).expect(404);
      expect((await owner.get(`P/issues/${issue.key}`)).data.counts.attachments).toBe(0);
      expect(await storage(here)).toMatchObject({ used_bytes: 0 });
      await expectBalanced(here);

      await drain();
      const told = here.receiver.requests.map(({ json }) => [json.type, json.data]);
      expect(told.map(([type]) => type).sort()).toEqual([
        "issue.attachment.created",
        "issue.attachment.deleted",
        "issue.updated",
        "issue.updated",
      ]);
      // Anyone who has a URL can use it, so events contain none.
      expect(told.find(([type]) => type === "issue.attachment.created")?.[1]).toEqual({
        ...attachment,
        url: null,
        url_expires_at: null,
      });
      const lines = await here.sql(
        `select kind, payload ->> 'file_name' as file from activity where issue_id = $1 and kind like 'attachment%' order by id`,
        [issue.id],
      );
      expect(lines).toEqual([
        { kind: "attachment_added", file: "notes.txt" },
        { kind: "attachment_removed", file: "notes.txt" },
      ]);
    });

    test("the relay takes the same upload", async () => {
      const { owner, issue, ...here } = await withIssue();
      const file = fileOf(BYTES, { checksum_sha256: sha256(BYTES) });
      const { data } = await announce(owner, issue.key, file).expect(201);
      await put(data.relay_url, data.headers, BYTES).expect(200);
      const { data: attachment } = await commit(owner, issue.key, data.storage_key, file).expect(201);
      const download = await fetch(await reachable(attachment.url));
      expect(Buffer.from(await download.arrayBuffer())).toEqual(BYTES);
      await expectBalanced({ owner, ...here } as World);
    });

    test("a large file arrives complete, directly and by the relay", async () => {
      const { owner, issue } = await withIssue();
      const bytes = randomBytes(12 * 1024 ** 2);
      const file = fileOf(bytes, { checksum_sha256: sha256(bytes), mime: "application/octet-stream" });
      for (const way of ["url", "relay_url"] as const) {
        const { data } = await announce(owner, issue.key, file).expect(201);
        await put(data[way], data.headers, bytes).expect(200);
        const { data: attachment } = await commit(owner, issue.key, data.storage_key, file).expect(201);
        const download = await fetch(await reachable(attachment.url));
        expect(sha256(Buffer.from(await download.arrayBuffer()))).toBe(file.checksum_sha256);
      }
    });

    test("pages are newest first, and each continues after the last one", async () => {
      const { owner, issue } = await withIssue();
      for (const name of ["1", "2", "3"]) await attach(owner, issue.key, BYTES, { file_name: name });
      const { body } = await owner.get(`${path(issue.key)}?limit=2`).expect(200);
      const { body: rest } = await owner.get(`${path(issue.key)}?cursor=${body.pagination.next_cursor}`).expect(200);
      const names = [...body.data, ...rest.data].map((row: { file_name: string }) => row.file_name);
      expect(names).toEqual(["3", "2", "1"]);
    });
  });

  describe("an upload", () => {
    test.each([
      ["short", (headers: object) => ({ bytes: BYTES.subarray(1), headers })],
      ["long", (headers: object) => ({ bytes: Buffer.concat([BYTES, BYTES]), headers })],
      [
        "of another type",
        (headers: object) => ({ bytes: BYTES, headers: { ...headers, "Content-Type": "text/html" } }),
      ],
    ])("that is too %s is refused and stores nothing", async (_, send) => {
      const { owner, issue } = await withIssue();
      const { data } = await announce(owner, issue.key, fileOf(BYTES)).expect(201);
      for (const url of [data.url, data.relay_url]) {
        const { bytes, headers } = send(data.headers);
        const { status } = await put(url, headers as Record<string, string>, bytes);
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
        expect(await stored(data.storage_key)).toBeNull();
      }
      await commit(owner, issue.key, data.storage_key, fileOf(BYTES)).expect(409, "upload_missing");
    });

    test("with other bytes than announced is refused", async () => {
      const here = await withIssue();
      const { owner, issue } = here;
      const file = fileOf(BYTES, { checksum_sha256: sha256(BYTES) });
      const other = Buffer.alloc(BYTES.length, "x");
      const { data } = await announce(owner, issue.key, file).expect(201);
      await put(data.relay_url, data.headers, other).expect(400, "checksum_mismatch");
      expect(await stored(data.storage_key)).toBeNull();

      // The commit detects whatever the store accepted.
      const { ports } = (await app()).resources;
      await ports.files.put(
        { key: data.storage_key, mime: "text/plain", byteSize: other.length },
        Readable.from([other]),
      );
      await commit(owner, issue.key, data.storage_key, file).expect(400, "checksum_mismatch");
      const { checksum_sha256, ...unchecked } = file;
      await commit(owner, issue.key, data.storage_key, unchecked).expect(400, "checksum_mismatch");
      await put(data.url, data.headers, BYTES).expect(200);
      await commit(owner, issue.key, data.storage_key, unchecked).expect(201);
      await expectBalanced(here);
    });

    test("without a valid signature is refused", async () => {
      const { owner, issue } = await withIssue();
      const { data } = await announce(owner, issue.key, fileOf(BYTES)).expect(201);
      const other = (character: string) => (character === "0" ? "1" : "0");
      const spoiled = [
        data.url.replace(/[^=.]{9}$/, other).replace(/(?<=X-Amz-Signature=)./, other),
        data.url.replace(/\?.*$/, ""),
        data.relay_url.replace(/.$/, other),
        data.relay_url.replace(/\.[^.]*$/, ""),
        data.relay_url.replace(/\.[^.]*$/, "."),
        `${data.relay_url}x`,
      ].filter((url) => url !== data.url);
      for (const url of spoiled) {
        const { status } = await put(url, data.headers, BYTES);
        expect(`${url}: ${Math.floor(status / 100)}`).toBe(`${url}: 4`);
      }
      expect(await stored(data.storage_key)).toBeNull();
    });

    test("that is repeated after the commit changes nothing", async () => {
      const { owner, issue } = await withIssue();
      const { file, storage_key, url, headers } = await upload(owner, issue.key);
      const { data } = await commit(owner, issue.key, storage_key, file).expect(201);
      const other = Buffer.alloc(BYTES.length, "x");
      await put(url, headers, other);
      await commit(owner, issue.key, storage_key, file).expect(201);
      const download = await fetch(await reachable(data.url));
      expect(Buffer.from(await download.arrayBuffer())).toEqual(BYTES);
    });
  });

  describe("a commit", () => {
    test("refuses a file that differs from the announced one or is missing", async () => {
      const here = await withIssue();
      const { owner, issue } = here;
      const other = await withIssue();
      const { data: second } = await owner.post("P/issues", { title: "Another" }).expect(201);
      const file = fileOf(BYTES, { checksum_sha256: sha256(BYTES) });
      const { data } = await announce(owner, issue.key, file).expect(201);
      const key = data.storage_key;
      const before = await snapshot(here);

      await commit(owner, issue.key, key, file).expect(409, "upload_missing");
      for (const change of [{ file_name: "other" }, { mime: "text/html" }, { byte_size: BYTES.length + 1 }])
        await commit(owner, issue.key, key, { ...file, ...change }).expect(400, "upload_size_mismatch");
      await commit(owner, issue.key, key, { ...file, checksum_sha256: sha256("x") }).expect(400, "checksum_mismatch");
      await commit(owner, second.key, key, file).expect(400, "invalid_reference");
      await commit(other.owner, other.issue.key, key, file).expect(400, "invalid_reference");
      for (const wrong of ["x", `${key}x`, `../${key}`, "files/1"])
        await commit(owner, issue.key, wrong, file).expect(400, "invalid_reference");
      expect(await snapshot(here)).toEqual(before);
    });

    test("is refused once the upload has expired", async () => {
      const here = await withIssue();
      const { owner, issue, sql } = here;
      const { data } = await announce(owner, issue.key, fileOf(BYTES)).expect(201);
      const age = (column: string) =>
        sql(`update attachment set ${column} = now() - interval '1 second' where id = $1`, [data.attachment_id]);
      await age("upload_until");
      await commit(owner, issue.key, data.storage_key, fileOf(BYTES)).expect(409, "upload_expired");
      // An upload that began in time may end later.
      await put(data.url, data.headers, BYTES).expect(200);
      const slow = await upload(owner, issue.key);
      await sql(`update attachment set upload_until = now() - interval '1 second' where storage_key = $1`, [
        slow.storage_key,
      ]);
      await commit(owner, issue.key, slow.storage_key, slow.file).expect(201);

      await age("expires_at");
      await commit(owner, issue.key, data.storage_key, fileOf(BYTES)).expect(409, "upload_expired");
      await collectFilesNow();
      await commit(owner, issue.key, data.storage_key, fileOf(BYTES)).expect(400, "invalid_reference");
      expect(await storage(here)).toMatchObject({ used_bytes: BYTES.length });
      await expectBalanced(here);
    });

    test("that is repeated, even ten times at once, attaches once and returns the same", async () => {
      const here = await withIssue();
      const { owner, issue } = here;
      const { file, storage_key } = await upload(owner, issue.key);
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => commit(owner, issue.key, storage_key, file).expect(201)),
      );
      replies.push(await commit(owner, issue.key, storage_key, file).expect(201));
      const lasting = replies.map(({ data: { url, url_expires_at, ...rest } }) => rest);
      for (const one of lasting) expect(one).toEqual(lasting[0]);
      expect((await owner.get(path(issue.key))).data).toHaveLength(1);
      const [events] = await here.sql(
        `select count(*) as count from event where issue_id = $1 and type = 'issue.attachment.created'`,
        [issue.id],
      );
      expect(events).toEqual({ count: 1 });
      for (const { data } of replies) expect((await fetch(await reachable(data.url))).status).toBe(200);
      await expectBalanced(here);
      // Unused copies are deleted by the next collection.
      await collectFilesNow();
      expect(await filesOf(here)).toHaveLength(1);
      expect((await fetch(await reachable(replies[0]!.data.url))).status).toBe(200);
    });

    test("with an Idempotency-Key gets exactly the same reply", async () => {
      const { owner, issue } = await withIssue();
      const { file, storage_key } = await upload(owner, issue.key);
      const body = { storage_key, ...file };
      const send = () => owner.post(`${path(issue.key)}/commit`, body, { headers: { "idempotency-key": "once" } });
      const first = await send().expect(201);
      const second = await send().expect(201);
      expect(second.text).toBe(first.text);
      expect(second.headers.get("idempotent-replayed")).toBe("true");

      // Even if a new call would be refused by now.
      await owner.delete(`${path(issue.key)}/${first.data.id}`).expect(200);
      expect((await send().expect(201)).text).toBe(first.text);
      await owner.delete(`P/issues/${issue.key}`).expect(200);
      expect((await send().expect(201)).text).toBe(first.text);
    });

    test("of an upload that is deleted meanwhile finds none", async () => {
      const { owner, issue } = await withIssue();
      const { file, storage_key, attachment_id } = await upload(owner, issue.key);
      const { files } = (await app()).resources.ports;
      const asked = vi.spyOn(files, "stat").mockImplementationOnce(async () => {
        await owner.delete(`${path(issue.key)}/${attachment_id}`).expect(200);
        return null;
      });
      await commit(owner, issue.key, storage_key, file).expect(400, "invalid_reference");
      asked.mockRestore();
    });

    test("that is refused leaves no uncounted copy", async () => {
      const here = await withIssue();
      const { owner, issue } = here;
      const { data: comment } = await owner.post(`P/issues/${issue.key}/comments`, { body_md: "See" }).expect(201);
      const { file, storage_key } = await upload(owner, issue.key, BYTES, { comment_id: comment.id });
      await commit(owner, issue.key, storage_key, { ...file, checksum_sha256: sha256("x") }).expect(
        400,
        "checksum_mismatch",
      );
      expect(await filesOf(here)).toEqual([]);
      const member = await here.as({ role: "member" });
      await commit(member, issue.key, storage_key, file).expect(403, "not_owner_of_resource");
      await commit(owner, issue.key, storage_key, { ...file, comment_id: "_" }).expect(400, "invalid_reference");
      expect(await filesOf(here)).toEqual([]);
      // Refused because of rows, after the bytes were verified.
      const { files } = (await app()).resources.ports;
      const { copy } = files;
      const copied = vi.spyOn(files, "copy").mockImplementationOnce(async (from, to) => {
        await owner.delete(`P/issues/${issue.key}`).expect(200);
        return copy(from, to);
      });
      await commit(owner, issue.key, storage_key, file).expect(409, "archived");
      expect(copied).toHaveBeenCalledOnce();
      copied.mockRestore();
      expect(await filesOf(here)).toEqual([]);
      await owner.post(`P/issues/${issue.key}/restore`).expect(200);
      await commit(owner, issue.key, storage_key, file).expect(201);
      await expectBalanced(here);
    });

    test("is refused on an archived issue, even if it was archived meanwhile", async () => {
      const { owner, issue } = await withIssue();
      const { file, storage_key } = await upload(owner, issue.key);
      await owner.delete(`P/issues/${issue.key}`).expect(200);
      await commit(owner, issue.key, storage_key, file).expect(409, "archived");
      await announce(owner, issue.key, file).expect(409, "archived");
    });
  });

  describe("a process that dies", () => {
    test("between the upload and the commit, or during the commit, loses nothing: another process commits", async () => {
      const here = await withIssue();
      const { owner, issue, workspace, project } = here;
      const { config } = await app();
      const child = await startProcess("web", config, { FILES_FOLDER: config.FILES_FOLDER, ...s3Of(config) });
      try {
        const places = {
          W: `/v1/workspaces/${workspace.slug}`,
          P: `/v1/workspaces/${workspace.slug}/projects/${project.key}`,
        };
        const there = new Client(child.url, places, owner);
        const { data } = await announce(there, issue.key, fileOf(BYTES)).expect(201);
        await put(data.url, data.headers, BYTES).expect(200);
        const dying = commit(there, issue.key, data.storage_key, fileOf(BYTES)).then(
          () => {},
          () => {},
        );
        await sleep(Math.random() * 40);
        await child.kill();
        await dying;
        await commit(owner, issue.key, data.storage_key, fileOf(BYTES)).expect(201);
      } finally {
        await child.kill();
      }
      expect((await owner.get(path(issue.key))).data).toHaveLength(1);
      await expectBalanced(here);
    });

    test("between the deletion and the removal, or during the removal, leaves nothing behind", async () => {
      const here = await withIssue();
      const { owner, issue, sql, workspace } = here;
      const { id } = await attach(owner, issue.key, BYTES);
      const [{ key }] = (await objectsOf(here)).filter(({ remove_after }) => remove_after === null) as [Row];
      await owner.delete(`${path(issue.key)}/${id}`).expect(200);
      expect(await stored(key)).not.toBeNull();
      // As if a worker had claimed it, removed the bytes and died.
      await sql("update stored_object set removing = true where key = $1", [key]);
      await (await app()).resources.ports.files.remove([key]);
      await collectFilesNow();
      expect(await stored(key)).toBeNull();
      expect((await objectsOf(here)).map((object) => object.key)).not.toContain(key);

      await sql("update stored_object set remove_after = now() where workspace_id = $1", [workspace.id]);
      await collectFilesNow();
      expect(await objectsOf(here)).toEqual([]);
    });

    test("an object whose removal has begun cannot be kept any more", async () => {
      const here = await withIssue();
      const { file, storage_key } = await upload(here.owner, here.issue.key);
      await here.sql(`create or replace function begin_removal() returns trigger language plpgsql as
        $$ begin new.removing := new.key like 'files/%'; return new; end $$`);
      await here.sql(
        "create trigger begin_removal before insert on stored_object for each row execute function begin_removal()",
      );
      try {
        await commit(here.owner, here.issue.key, storage_key, file).expect(409, "upload_expired");
      } finally {
        await here.sql("drop trigger begin_removal on stored_object");
      }
      await commit(here.owner, here.issue.key, storage_key, file).expect(201);
      await expectBalanced(here);
    });
  });

  describe("storage", () => {
    test("50 concurrent uploads never reserve more than the limit", async () => {
      const here = await withIssue({ plan: "free" });
      const { owner, issue } = here;
      const MiB = 1024 ** 2;
      // 128 MiB in all, so five of 25 MiB.
      const file = { file_name: "x", mime: "image/png", byte_size: 25 * MiB };
      const replies = await Promise.all(Array.from({ length: 50 }, () => announce(owner, issue.key, file)));
      const good = replies.filter(({ status }) => status === 201);
      expect(good).toHaveLength(5);
      for (const reply of replies.filter(({ status }) => status !== 201)) {
        expect(reply.status).toBe(403);
        expect(reply.body).toMatchObject({
          code: "storage_limit_reached",
          error: { details: { limit: 128 * MiB, used: 125 * MiB, plan: "free", required_plan: "pro" } },
        });
      }
      expect(await storage(here)).toMatchObject({ used_bytes: 125 * MiB, remaining_bytes: 3 * MiB, used_pct: 97 });
      await announce(owner, issue.key, { ...file, byte_size: 3 * MiB }).expect(201);
      await announce(owner, issue.key, { ...file, byte_size: 1 }).expect(403, "storage_limit_reached");

      // An upload that is deleted or never committed no longer counts.
      await owner.delete(`${path(issue.key)}/${good[0]!.data.attachment_id}`).expect(200);
      await announce(owner, issue.key, file).expect(201);
      await here.sql("update attachment set expires_at = now() - interval '1 minute' where workspace_id = $1", [
        here.workspace.id,
      ]);
      await collectFilesNow();
      expect(await storage(here)).toMatchObject({ used_bytes: 0 });
      await expectBalanced(here);
    });

    test("no file is larger than the plan allows", async () => {
      const { owner, issue } = await withIssue({ plan: "free" });
      const maximum = 25 * 1024 ** 2;
      const file = { file_name: "x", mime: "image/png", byte_size: maximum + 1 };
      const { body } = await announce(owner, issue.key, file).expect(400, "validation_failed");
      expect(body.error.details.errors).toEqual([
        expect.objectContaining({ path: "/byte_size", code: "too_large", maximum, required_plan: "pro" }),
      ]);
      for (const byte_size of [0, -1, 1.5, 2 ** 60])
        await announce(owner, issue.key, { ...file, byte_size }).expect(400);
    });

    test("files of issues archived too long ago are removed, others stay", async () => {
      const here = await withIssue();
      const { owner, sql } = here;
      const { data: later } = await owner.post("P/issues", { title: "Archived later" }).expect(201);
      const { data: ops } = await owner.post("W/projects", { name: "Operations", key: "OPS" }).expect(201);
      const { data: live } = await owner.post("P/issues", { title: "Live" }).expect(201);
      for (const key of [here.issue.key, later.key, live.key]) await attach(owner, key, BYTES);
      await attach(owner, here.issue.key, BYTES);
      const { data: other } = await owner.post("W/projects/OPS/issues", { title: "Of a project" }).expect(201);
      const inOps = fileOf(BYTES);
      const { data } = await owner.post(`W/projects/OPS/issues/${other.key}/attachments`, inOps).expect(201);
      await put(data.url, data.headers, BYTES).expect(200);
      await owner
        .post(`W/projects/OPS/issues/${other.key}/attachments/commit`, { storage_key: data.storage_key, ...inOps })
        .expect(201);

      await sql("update issue set archived_at = now() - interval '32 days' where id = $1", [here.issue.id]);
      await sql("update issue set archived_at = now() - interval '29 days' where id = $1", [later.id]);
      await sql("update project set archived_at = now() - interval '32 days' where id = $1", [ops.id]);
      await cleanUpNow();
      await collectFilesNow();
      const counts = await sql<{ key: string; files: number }>(
        "select key, attachment_count as files from issue where workspace_id = $1 and attachment_count > 0 order by key",
        [here.workspace.id],
      );
      expect(counts).toEqual([
        { key: later.key, files: 1 },
        { key: live.key, files: 1 },
      ]);
      expect(await storage(here)).toMatchObject({ used_bytes: 2 * BYTES.length });
      expect(await filesOf(here)).toHaveLength(2);
      await expectBalanced(here);
    });
  });

  describe("comments and people", () => {
    test("a file belongs to a comment of its author and is deleted with it", async () => {
      const here = await withIssue();
      const { owner, issue } = here;
      const member = await here.as({ role: "member" });
      const say = async (client: Client) =>
        (await client.post(`P/issues/${issue.key}/comments`, { body_md: "See the file" }).expect(201)).data
          .id as string;
      const [own, others] = [await say(member), await say(owner)];
      const file = fileOf(BYTES);
      const one = await attach(member, issue.key, BYTES, { comment_id: own });
      expect(one.comment_id).toBe(own);
      await announce(member, issue.key, { ...file, comment_id: others }).expect(403, "not_owner_of_resource");
      await attach(owner, issue.key, BYTES, { comment_id: own });
      for (const wrong of ["x", "", issue.id])
        await announce(member, issue.key, { ...file, comment_id: wrong }).expect(400, "invalid_reference");
      const { data: second } = await owner.post("P/issues", { title: "Another" }).expect(201);
      await announce(member, second.key, { ...file, comment_id: own }).expect(400, "invalid_reference");
      // One upload in progress, and one on the issue itself.
      await upload(member, issue.key, BYTES, { comment_id: own });
      const alone = await attach(member, issue.key, BYTES);

      await member.delete(`P/issues/${issue.key}/comments/${own}`).expect(200);
      const { data: left } = await owner.get(path(issue.key)).expect(200);
      expect(left.map(({ id }: { id: string }) => id)).toEqual([alone.id]);
      expect((await owner.get(`P/issues/${issue.key}`)).data.counts.attachments).toBe(1);
      const [told] = await here.sql(
        `select count(*) as count from event where issue_id = $1 and type = 'issue.attachment.deleted'`,
        [issue.id],
      );
      expect(told).toEqual({ count: 2 });
      await expectBalanced(here);
    });

    test("a comment has at most a hundred files, even if the last ones are added concurrently", async () => {
      const here = await withIssue();
      const { owner, issue } = here;
      const { data: comment } = await owner.post(`P/issues/${issue.key}/comments`, { body_md: "Files" }).expect(201);
      const one = await attach(owner, issue.key, BYTES, { comment_id: comment.id });
      await here.sql(
        `insert into attachment select (json_populate_record(a, json_build_object(
           'id', gen_random_uuid(), 'storage_key', 's' || n, 'object_key', 'o' || n))).*
         from attachment a, generate_series(1, 97) n where a.id = $1`,
        [one.id],
      );
      const uploads = [];
      for (let n = 0; n < 5; n++) uploads.push(await upload(owner, issue.key, BYTES, { comment_id: comment.id }));
      const replies = await Promise.all(
        uploads.map(({ storage_key, file }) => commit(owner, issue.key, storage_key, file)),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
      const refused = replies.find(({ status }) => status === 409);
      expect(refused?.body).toMatchObject({ code: "attachment_limit_reached", error: { details: { limit: 100 } } });
    });

    test("guests attach, viewers do not; a file is deleted by its uploader and by admins", async () => {
      const here = await withIssue();
      const { issue, owner } = here;
      const guest = await here.as({ role: "guest", projectRole: "member" });
      const member = await here.as({ role: "member" });
      const lead = await here.as({ role: "member", projectRole: "admin" });
      const viewer = await here.as({ role: "viewer" });
      await announce(viewer, issue.key, fileOf(BYTES)).expect(403, "insufficient_role");
      const files = [];
      for (let n = 0; n < 3; n++) files.push(await attach(guest, issue.key, BYTES));
      await member.delete(`${path(issue.key)}/${files[0].id}`).expect(403, "not_owner_of_resource");
      for (const [index, client] of [guest, lead, owner].entries())
        await client.delete(`${path(issue.key)}/${files[index].id}`).expect(200);
      await expectBalanced(here);
    });
  });

  test("uploads that end early, have no length or never end are refused, and the process survives", async () => {
    const { owner, issue } = await withIssue();
    const { data } = await announce(owner, issue.key, fileOf(BYTES)).expect(201);
    const url = await reachable(data.relay_url);
    const send = (headers: Record<string, string | number>, ...chunks: (Buffer | "break")[]) =>
      new Promise<number | "broken">((done) => {
        const sending = request(url, { method: "PUT", headers: { ...data.headers, ...headers } });
        sending.on("response", (response) => {
          response.resume();
          done(response.statusCode as number);
        });
        sending.on("error", () => done("broken"));
        for (const chunk of chunks) {
          if (chunk === "break") return void sleep(50).then(() => sending.destroy());
          sending.write(chunk);
        }
        sending.end();
      });
    expect(await send({ "content-length": BYTES.length }, BYTES.subarray(3), "break")).toBe("broken");
    expect(await send({}, BYTES.subarray(3))).toBe(400);
    expect(await send({}, BYTES, BYTES)).toBe(400);
    expect(await send({}, Buffer.alloc(4 * 1024 ** 2))).toBe(400);
    expect(await send({ "content-length": 2 ** 40 }, BYTES)).toBe(400);
    expect(await send({ "content-encoding": "gzip" }, BYTES)).toBe(415);
    await sleep(50);
    expect(await stored(data.storage_key)).toBeNull();
    expect(await send({}, BYTES)).toBe(200);
    await commit(owner, issue.key, data.storage_key, fileOf(BYTES)).expect(201);
  });
}

const s3Of = (config: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(config)
      .filter(([name, value]) => name.startsWith("S3_") && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
