import { createServer } from "node:http";

/** A receiver that counts requests and answers 204. `GET /` returns the count. Prints its port when it listens. */

let received = 0;
const server = createServer((request, response) => {
  if (request.method === "GET") return response.end(String(received));
  request.resume().on("end", () => {
    received++;
    response.writeHead(204).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }));
});
process.on("SIGTERM", () => process.exit(0));
