import { imageSize } from "image-size";
import type { ImageRun } from "./runs.ts";

/** Collects the images of a document as files. */
export type Images = {
  /** Returns null for an image that is damaged or too large. Its description is shown instead. */
  add(dataUrl: string): ImageRun | null;
  files: Map<string, Buffer>;
};

/** A small file may unpack to gigabytes. */
const MAX_PIXELS = 16_000_000;
const MAX_IMAGES = 200;
/** At 96 pixels per inch, as in a browser. */
const POINTS_PER_PIXEL = 0.75;

export function openImages(): Images {
  const files = new Map<string, Buffer>();
  const known = new Map<string, ImageRun | null>();

  function read(dataUrl: string): ImageRun | null {
    if (files.size >= MAX_IMAGES) return null;
    const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
    try {
      const { width, height, type } = imageSize(bytes);
      if (!FORMATS.has(type ?? "") || width < 1 || height < 1 || width * height > MAX_PIXELS) return null;
      const name = `image-${files.size}.${type}`;
      files.set(name, bytes);
      return [name, width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL];
    } catch {
      return null;
    }
  }

  return {
    files,
    add(dataUrl) {
      if (!known.has(dataUrl)) known.set(dataUrl, read(dataUrl));
      return known.get(dataUrl)!;
    },
  };
}

const FORMATS = new Set(["png", "jpg", "gif", "webp"]);
