/**
 * Derives the slug of a channel from its name: `Release 2.0` becomes `release-2-0`. Letters of all scripts stay. A name
 * without letters and digits gives the end of the channel's id.
 */
export function slugOf(name: string, id: string): string {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  return words || id.slice(-12);
}
