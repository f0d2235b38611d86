import { type Html, html } from "../../../domain/kernel/html.ts";
import type { AttachmentView } from "../../../domain/work/attachments/view.ts";
import { hidden } from "../kit/fields.ts";
import { adding } from "../kit/pieces.ts";
import { bytesInWords } from "../kit/sizes.ts";
import { ago } from "../kit/times.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import type { About } from "./page.ts";
import { personOf } from "./read.ts";

/** The files of an issue. Images are shown. */
export function attachmentsPart(about: About): Html | string {
  const { attachments, mayWrite } = about;
  if (attachments.length === 0) return mayWrite ? uploadForm(about) : "";
  return html`<section id="attachments" aria-labelledby="attachments-title"><h2 id="attachments-title">Attachments</h2>
    <ul class="files">${attachments.map((file) => fileItem(about, file))}</ul>${mayWrite ? uploadForm(about) : ""}</section>`;
}

/** Formats that every browser shows. Larger ones would keep people on slow networks waiting. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);
const MAX_SHOWN = 3 * 1024 * 1024;
const isShown = ({ mime, byte_size, url }: AttachmentView) =>
  url !== null && IMAGES.has(mime) && byte_size <= MAX_SHOWN;

/** Where the browser loads the images from. */
export const imageOrigins = (attachments: readonly AttachmentView[], baseUrl: string): string[] => [
  ...new Set(attachments.filter(isShown).map(({ url }) => new URL(url ?? "", baseUrl).origin)),
];

function fileItem({ base, call, people, mayWrite }: About, file: AttachmentView): Html {
  const { id, file_name, byte_size, url, uploader_id, created_at } = file;
  const path = `${base}/files/${id}`;
  return html`<li>${isShown(file) ? html`<a href="${path}" tabindex="-1" aria-hidden="true"><img src="${url ?? ""}" alt="" width="240" height="160" loading="lazy"></a>` : ""}
    <a href="${path}" dir="auto">${file_name}</a> <span class="quiet">${bytesInWords(byte_size)}, ${personOf(people, uploader_id).name ?? "someone"}, ${ago(created_at, call.here.now)}</span>
    ${mayWrite ? askFirst({ ask: "Delete", about: file_name, action: `${base}/attachment-delete`, consequence: "The file is deleted for good.", confirm: `Delete “${file_name}”`, fields: hidden("id", id) }) : ""}</li>`;
}

const uploadForm = ({ base }: About): Html =>
  adding(
    "Attach a file",
    html`<form method="post" action="${base}/attach" enctype="multipart/form-data">${onceField()}<div class="field"><label for="file">File</label>
      <input id="file" name="file" type="file" required></div><button>Attach</button></form>`,
  );
