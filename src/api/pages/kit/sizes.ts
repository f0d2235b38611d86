const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** `48213` → `47 kB`. */
export function bytesInWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const size = bytes / 1024 ** power;
  return `${size < 10 && power > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[power] ?? ""}`;
}
