import { openPostgres } from "../../src/adapters/postgres.ts";
import { isConnectionLoss } from "../../src/adapters/postgres-connection.ts";
import type { Log } from "../../src/domain/kernel/ports/ports.ts";

/**
 * A process that talks to Postgres as web and worker do: for each message with an address it makes five calls at once
 * over one connection, and replies with their outcomes. Like them, it has no handler for uncaught errors.
 */

export type Asked = { url: string; run: number };

/** `right`: the expected outcome. `lost`: the connection was lost. Anything else describes the error. */
export type Answered = {
  run: number;
  calls: { read: string; commit: string; plain: string; failing: string; rollback: string };
  /** Number of tries until a read was right again. */
  tries: number;
};

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };

process.on("message", async (asked: Asked) => process.send!(await exchange(asked)));

async function exchange({ url, run }: Asked): Promise<Answered> {
  const database = openPostgres({ url, pool: 1, name: "exchange" }, log);
  // A unique name, so that each run asks Postgres for the columns once.
  const rows = { name: `rows_${run}`, text: "select n, 'row ' || n as text from generate_series(1, $1::int) n" };
  const insert = { name: "insert", text: "insert into part values ($1, $2) returning part" };
  const refused = new Error("refused");

  const read = async () => {
    const answer = await database.query(rows, [2]);
    if (JSON.stringify(answer) !== ROWS) throw new Error(`rows ${JSON.stringify(answer)}`);
  };
  const calls = {
    read,
    commit: () =>
      database.transaction(async (tx) => {
        await tx.query(insert, [run, "first"]);
        await tx.savepoint(() => tx.query(DIVISION)).catch(isDivisionByZero);
        tx.send(insert, [run, "second"]);
      }),
    plain: async () => {
      const [sum] = await database.query<{ sum: number }>({ text: "select $1::int + 1 as sum" }, [1]);
      if (sum?.sum !== 2) throw new Error(`sum ${sum?.sum}`);
    },
    failing: () => database.query({ name: "division", text: "select 1 / $1::int" }, [0]).catch(isDivisionByZero),
    rollback: () =>
      database
        .transaction(async (tx) => {
          await tx.query(insert, [run, "never"]);
          throw refused;
        })
        .catch((error) => {
          if (error !== refused) throw error;
        }),
  };
  const names = Object.keys(calls) as (keyof typeof calls)[];
  const ended = await Promise.all(names.map((name) => calls[name]().then(() => "right", outcomeOf)));

  let tries = 1;
  while ((await read().then(() => "right", outcomeOf)) !== "right" && tries < 10) tries++;
  await database.close();
  return { run, calls: Object.fromEntries(names.map((name, at) => [name, ended[at]])) as Answered["calls"], tries };
}

const ROWS = JSON.stringify([
  { n: 1, text: "row 1" },
  { n: 2, text: "row 2" },
]);
const DIVISION = { text: "select 1 / 0" };

function isDivisionByZero(error: { code?: string }) {
  if (error.code !== "22012") throw error;
}

const outcomeOf = (error: Error) => (isConnectionLoss(error) ? "lost" : `${error.message}`);
