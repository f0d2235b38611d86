import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Client } from "./client.ts";
import type { World } from "./world.ts";

export type Frame = { event: string; data: Record<string, unknown> };

/**
 * Listens to a channel, and collects the frames until the stream ends. Returns once the stream is ready.
 * @param base the web process that streams
 * @param frames where to collect the frames
 */
export async function listen(
  { app, workspace }: World,
  client: Client,
  id: string,
  base = app.baseUrl,
  frames: Frame[] = [],
) {
  const abort = new AbortController();
  const url = `${base}/v1/workspaces/${workspace.slug}/chat/channels/${id}/stream`;
  const reply = await fetch(url, { headers: { authorization: `Bearer ${client.key}` }, signal: abort.signal });
  expect(reply.status).toBe(200);
  const ended = (async () => {
    let text = "";
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let at = text.indexOf("\n\n"); at !== -1; at = text.indexOf("\n\n")) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(text.slice(0, at)) ?? [];
        if (event) frames.push({ event, data: JSON.parse(data!) });
        text = text.slice(at + 2);
      }
    }
  })().catch(() => {});
  const until = async (is: (frame: Frame) => boolean) => {
    for (let tries = 0; tries < 1_000; tries++) {
      if (frames.some(is)) return;
      await sleep(10);
    }
    throw new Error(`The frame did not come. Frames: ${JSON.stringify(frames).slice(0, 2_000)}`);
  };
  await until(({ event }) => event === "stream.ready");
  return { reply, frames, until, ended, stop: () => abort.abort() };
}
