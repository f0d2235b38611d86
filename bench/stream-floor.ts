import { createServer, type ServerResponse } from "node:http";
import { Redis } from "ioredis";

/** The reference for streams: a bare program that passes what it hears over Redis on to one client of each channel. */

const clients = new Map<string, ServerResponse>();
const redis = new Redis(process.env.REDIS_URL!);
redis.on("message", (channel: string, message: string) => {
  const texts = (JSON.parse(message) as { text: string }[]).map(({ text }) => text);
  clients.get(channel)?.write(texts.join(""));
});
const server = createServer(async (request, response) => {
  const channel = request.url!.slice(1);
  response.writeHead(200, { "content-type": "text/event-stream" });
  await redis.subscribe(channel);
  clients.set(channel, response);
  response.write("event: stream.ready\ndata: {}\n\n");
});
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ port: (server.address() as { port: number }).port })));
