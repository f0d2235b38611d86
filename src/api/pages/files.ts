import type Router from "@koa/router";
import type { Context } from "koa";
import { refuse } from "../../domain/kernel/errors.ts";
import { contentDisposition } from "../../domain/kernel/files/content-disposition.ts";
import { type ByteRange, type FileToStore, WrongBytes } from "../../domain/kernel/ports/ports.ts";
import { isUploadOpen } from "../../domain/work/attachments/attachments.sql.ts";
import { attachmentErrors } from "../../domain/work/attachments/errors.ts";
import type { Runtime } from "../engine/call.ts";
import { limitReading, limitSilence } from "../http/time-limit.ts";

/** How long a client that was refused may go on sending, until it hears of it. */
const LINGER_MS = 5_000;

const OVER = "This upload was committed, or given up.";

/** What browsers fetch to act in a page. Some pages here trust whatever comes from their own site. */
const ACTIVE = /script|style|worker|worklet|xslt|manifest|object|embed/;

/**
 * Takes and gives files at signed addresses: those of the embedded store, and the relay in front of any other. Whoever has
 * an address needs no key.
 */
export function filePages({ database, ports, now }: Runtime): (router: Router) => void {
  const underWay = new Map<string, Context>();

  /**
   * One at a time: each could fill the disk with as much as was announced. Whoever sends a file again has given up on the
   * first time, which may hang.
   */
  async function alone(key: string, ctx: Context, store: () => Promise<void>): Promise<void> {
    const earlier = underWay.get(key);
    if (earlier && !earlier.req.complete) earlier.req.destroy();
    underWay.set(key, ctx);
    try {
      await store();
    } finally {
      if (underWay.get(key) === ctx) underWay.delete(key);
    }
  }

  return (router) => {
    router.put("/files/:token", async (ctx) => {
      ctx.state.operation = "file upload";
      const file = ports.fileAddresses.readUpload(ctx.params.token ?? "", new Date(now()));
      try {
        if (!file) return refuse("not_found", { message: "This is no address of an upload." });
        if (file === "over") return refuse(attachmentErrors.upload_expired);
        checkHeaders(ctx, file);
        const isOpen = () => isUploadOpen(database, file.key, now());
        if (!(await isOpen())) return refuse(attachmentErrors.upload_expired, { message: OVER });
        limitSilence(ctx.req, ctx.res);
        await alone(file.key, ctx, () => ports.files.put(file, ctx.req));
        if (!(await isOpen())) {
          // Nobody would count these bytes.
          await ports.files.remove([file.key]);
          refuse(attachmentErrors.upload_expired, { message: OVER });
        }
      } catch (error) {
        hangUp(ctx);
        if (!(error instanceof WrongBytes)) throw error;
        if (error.what === "checksum")
          refuse(attachmentErrors.checksum_mismatch, { expected: (file as FileToStore).sha256 });
        refuseSize(file as FileToStore);
      }
      ctx.status = 200;
      ctx.body = "";
    });

    router.get("/files/:token", async (ctx) => {
      ctx.state.operation = "file download";
      const file = ports.fileAddresses.readDownload(ctx.params.token ?? "", new Date(now()));
      if (!file) refuse("not_found", { message: "This is no address of a file." });
      if (file === "over") refuse("not_found", { message: "This address is over; read the attachment again." });
      if (ACTIVE.test(ctx.get("sec-fetch-dest")))
        refuse("not_found", { message: "A page can save this file or show it." });
      const stored = (await ports.files.stat(file.key)) ?? refuse("not_found");

      const etag = `"${file.key.slice(file.key.lastIndexOf("/") + 1)}"`;
      const range = readRange(ctx, etag, stored.byteSize);
      const isWanted = range !== "none" && ctx.method !== "HEAD";
      // Before its headers, which no refusal may carry.
      const bytes = isWanted ? ((await ports.files.open(file.key, range ?? undefined)) ?? refuse("not_found")) : "";
      ctx.set({
        "Content-Type": file.mime,
        "Content-Disposition": contentDisposition(file.fileName),
        // Nothing in a file may act on this site, however a browser is brought to show it.
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "private, max-age=3600",
        "Accept-Ranges": "bytes",
        ETag: etag,
      });
      if (range === "none") {
        ctx.status = 416;
        ctx.set("Content-Range", `bytes */${stored.byteSize}`);
        return;
      }
      ctx.status = range ? 206 : 200;
      if (range) ctx.set("Content-Range", `bytes ${range.start}-${range.end}/${stored.byteSize}`);
      limitReading(ctx.res);
      ctx.body = bytes;
      // After the body, which would take it away.
      ctx.length = range ? range.end - range.start + 1 : stored.byteSize;
    });
  };
}

/** What would be refused anyway is refused before its bytes come. */
function checkHeaders(ctx: Context, file: FileToStore): void {
  if (ctx.get("content-encoding")) {
    refuse("unsupported_media_type", { message: "Send the file as it is, without a Content-Encoding." });
  }
  const type = ctx.get("content-type");
  if (type && type.toLowerCase() !== file.mime.toLowerCase()) {
    refuse("unsupported_media_type", { message: `The file was announced as ${file.mime}; send that Content-Type.` });
  }
  const length = ctx.get("content-length");
  if (length && Number(length) !== file.byteSize) refuseSize(file);
}

const refuseSize = ({ byteSize }: FileToStore): never =>
  refuse(attachmentErrors.upload_size_mismatch, {
    message: `The file was announced with ${byteSize} bytes; these were not as many.`,
    field: "byte_size",
    expected: byteSize,
  });

/** The rest of a refused file is not wanted; its sender is heard out a little, so that it reads the answer. */
export function hangUp(ctx: Context): void {
  const { req } = ctx;
  if (req.complete || req.destroyed) return;
  ctx.set("Connection", "close");
  req.resume();
  const timer = setTimeout(() => req.destroy(), LINGER_MS).unref();
  req.once("close", () => clearTimeout(timer));
}

/** The one range that is asked for; null for the whole file, as several ranges are answered, and ranges of another one. */
function readRange(ctx: Context, etag: string, size: number): ByteRange | "none" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(ctx.get("range")) ?? [];
  const ifRange = ctx.get("if-range");
  if ((first === "" && last === "") || (ifRange && ifRange !== etag)) return null;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(last) < start) return null;
  return start > end ? "none" : { start, end };
}
