import { koaAll } from "./koa-all.ts";
import { koaPg } from "./koa-pg.ts";
import { openStore } from "./statements.sql.ts";

/** A lean floor as a process of its own: `FLOOR` names it. Prints its port when it listens. */

const FLOORS = { "koa-pg": koaPg, "koa-all": koaAll };

const floor = FLOORS[process.env.FLOOR as keyof typeof FLOORS];
const server = floor(openStore(process.env.LEAN_URL!)).listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }));
});
