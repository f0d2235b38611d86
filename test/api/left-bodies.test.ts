import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Koa from "koa";
import { expect, test } from "vitest";
import { readJson } from "../../src/api/http/body.ts";

/** Bodies are read once the caller is admitted. By then the client may have left. */

test("a body whose client has left before it is read is refused, and not waited for", async () => {
  const app = new Koa();
  app.silent = true;
  const outcome = new Promise<string>((done) => {
    app.use(async (ctx) => {
      await new Promise((gone) => ctx.req.once("close", gone));
      const read = readJson(ctx, 1_000).then(
        () => "read",
        (error: Error) => error.message,
      );
      const late = new Promise<string>((tell) => setTimeout(tell, 1_000, "waits for ever"));
      done(await Promise.race([read, late]));
    });
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{");
  setTimeout(() => socket.destroy(), 50);
  expect(await outcome).toMatch(/could not be read/);
  server.close();
});
