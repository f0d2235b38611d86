// Control characters and marks that change the text direction: "exe.gpj" must not be displayed as "jpg.exe".
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Returns a Content-Disposition (RFC 6266) that saves the file under its name instead of displaying it. The name is
 * given in ASCII for old clients, and in full.
 */
export function contentDisposition(fileName: string): string {
  const name = fileName.replace(UNSHOWN, "").replaceAll(/[/\\]/g, "_") || "file";
  const ascii = name.replaceAll(/[^\x20-\x7e]|["%;]/g, "_");
  if (ascii === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
