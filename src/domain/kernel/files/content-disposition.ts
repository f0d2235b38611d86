import { flattened } from "../text.ts";

// Control characters. `flattened` removes marks that change the text direction: "exe.gpj" must not be displayed as
// "jpg.exe". It leaves the joiners that emoji and Persian need.
const UNSHOWN = /[\p{Cc}\p{Cs}\ufff9-\ufffb]/gu;

/**
 * Returns a Content-Disposition (RFC 6266) that saves the file under its name instead of displaying it. The name is
 * given in ASCII for old clients, and in full.
 */
export function contentDisposition(fileName: string): string {
  const name = flattened(fileName).replace(UNSHOWN, "").trim().replaceAll(/[/\\]/g, "_") || "file";
  const ascii = name.replaceAll(/[^\x20-\x7e]|["%;]/g, "_");
  if (ascii === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
