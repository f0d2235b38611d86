import type { InWorkspace } from "../../domain/kernel/context.ts";
import { drawPicture } from "../../domain/kernel/draw-picture.ts";
import type { ChartToDraw } from "../../domain/kernel/ports/chart.ts";
import type { PictureToDraw } from "../../domain/kernel/ports/document-renderer.ts";
import { AfterRead } from "./after-read.ts";
import { Picture } from "./download.ts";

export const SVG = "image/svg+xml";

/** Rate limit units for drawing a picture, besides the one of the call. */
const COST = 2;

/** The reply with a picture, which is drawn after the call gave its connection back. */
export const drawn = (ctx: InWorkspace, picture: PictureToDraw | ChartToDraw): AfterRead =>
  new AfterRead(COST, async (closed) => new Picture(SVG, await drawPicture(ctx, picture, closed)));
