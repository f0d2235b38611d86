import type { InWorkspace } from "./context.ts";
import { refuse } from "./errors.ts";
import type { ChartToDraw } from "./ports/chart.ts";
import { DocumentTooComplex, type PictureToDraw, RendererBusy } from "./ports/document-renderer.ts";

/**
 * Draws a picture. Waits for another process, so it must not run while the call has a connection.
 * @param givenUp aborted when the client has disconnected; then the picture is not drawn
 * @throws Refusal unavailable if too many pictures and exports are waiting
 */
export async function drawPicture(
  { ports, workspace }: InWorkspace,
  picture: PictureToDraw | ChartToDraw,
  givenUp: AbortSignal,
): Promise<Buffer> {
  try {
    return await ports.documentRenderer.render(picture, workspace.id, givenUp);
  } catch (error) {
    if (error instanceof RendererBusy || error instanceof DocumentTooComplex) {
      refuse("unavailable", {
        message: "Too many pictures and exports are waiting. Retry after the seconds in Retry-After, or ask for JSON.",
        headers: { "Retry-After": "5" },
      });
    }
    throw error;
  }
}
