import type Router from "@koa/router";
import type { Context } from "koa";
import { counted } from "../../domain/kernel/counted.ts";
import { refuse } from "../../domain/kernel/errors.ts";
import { contentDisposition } from "../../domain/kernel/files/content-disposition.ts";
import { type ByteRange, type FileToStore, WrongBytes } from "../../domain/kernel/ports/ports.ts";
import { isUploadOpen } from "../../domain/work/attachments/attachments.sql.ts";
import { attachmentErrors } from "../../domain/work/attachments/errors.ts";
import type { Runtime } from "../engine/call.ts";
import { hangUp } from "../http/hang-up.ts";
import { limitReading, limitSilence } from "../http/time-limit.ts";

const OVER = "This upload was committed or abandoned.";

/**
 * Destinations that execute or style. Some pages here trust content from their own origin, so files are never served
 * for these.
 */
const ACTIVE = /script|style|worker|worklet|xslt|manifest|object|embed/;

/**
 * Uploads and downloads at signed addresses: those of the embedded store, and uploads relayed to any other store. The
 * address is the only credential.
 */
export function filePages({ database, ports, now }: Runtime): (router: Router) => void {
  const underWay = new Map<string, Context>();

  /**
   * Allows one upload at a time per file, because each could fill the disk with the announced size. A client that
   * sends a file again has given up its first attempt, which may hang.
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
        if (!file) return refuse("not_found", { message: "This is not the address of an upload." });
        if (file === "over") return refuse(attachmentErrors.upload_expired);
        checkHeaders(ctx, file);
        const isOpen = () => isUploadOpen(database, file.key, now());
        if (!(await isOpen())) return refuse(attachmentErrors.upload_expired, { message: OVER });
        limitSilence(ctx.req, ctx.res);
        await alone(file.key, ctx, () => ports.files.put(file, ctx.req));
        if (!(await isOpen())) {
          // These bytes would not be counted in the storage usage.
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
      if (!file) refuse("not_found", { message: "This is not the address of a file." });
      if (file === "over") refuse("not_found", { message: "This address has expired; read the attachment again." });
      if (ACTIVE.test(ctx.get("sec-fetch-dest")))
        refuse("not_found", { message: "A page can only save or show this file." });
      const stored = (await ports.files.stat(file.key)) ?? refuse("not_found");

      const etag = `"${file.key.slice(file.key.lastIndexOf("/") + 1)}"`;
      const range = readRange(ctx, etag, stored.byteSize);
      const isWanted = range !== "none" && ctx.method !== "HEAD";
      // Opened before the headers are set, because an error reply must not carry them.
      const bytes = isWanted ? ((await ports.files.open(file.key, range ?? undefined)) ?? refuse("not_found")) : "";
      ctx.set({
        "Content-Type": file.mime,
        "Content-Disposition": contentDisposition(file.fileName),
        // A file must not run scripts on this site, however a browser opens it.
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
      // Set after the body, because setting the body removes it.
      ctx.length = range ? range.end - range.start + 1 : stored.byteSize;
    });
  };
}

/** Rejects uploads by their headers, before their bytes arrive. */
function checkHeaders(ctx: Context, file: FileToStore): void {
  if (ctx.get("content-encoding")) {
    refuse("unsupported_media_type", { message: "Send the file without a Content-Encoding." });
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
    message: `The file was announced with ${counted(byteSize, "byte")}; the upload had another size.`,
    field: "byte_size",
    expected: byteSize,
  });

/** The requested byte range. Null means the whole file: for several ranges, and for ranges of another version. */
function readRange(ctx: Context, etag: string, size: number): ByteRange | "none" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(ctx.get("range")) ?? [];
  const ifRange = ctx.get("if-range");
  if ((first === "" && last === "") || (ifRange && ifRange !== etag)) return null;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(last) < start) return null;
  return start > end ? "none" : { start, end };
}
