import { Migrator } from "@mikro-orm/migrations";
import { MikroORM } from "@mikro-orm/postgresql";
import pg from "pg";
import { Foundation } from "../migrations/0001-foundation.ts";
import { Credits } from "../migrations/0002-credits.ts";
import { CreditSafeguards } from "../migrations/0003-credit-safeguards.ts";
import { People } from "../migrations/0005-people.ts";
import { SignIn } from "../migrations/0006-sign-in.ts";
import { CreditRecovery } from "../migrations/0007-credit-recovery.ts";
import { Planning } from "../migrations/0010-planning.ts";
import { Relations } from "../migrations/0011-relations.ts";
import { Fields } from "../migrations/0012-fields.ts";
import { Attachments } from "../migrations/0013-attachments.ts";
import { Forms } from "../migrations/0014-forms.ts";
import { Reports } from "../migrations/0015-reports.ts";
import { Labels } from "../migrations/0016-labels.ts";
import { Families } from "../migrations/0019-families.ts";
import { BlockersOfArchivedProjects } from "../migrations/0020-blockers-of-archived-projects.ts";
import { Tags } from "../migrations/0021-tags.ts";
import { FormMail } from "../migrations/0022-form-mail.ts";
import { SearchWords } from "../migrations/0023-search-words.ts";
import { Strangers } from "../migrations/0024-strangers.ts";
import { FormGuesses } from "../migrations/0025-form-guesses.ts";
import { IdempotentReplies } from "../migrations/0029-idempotent-replies.ts";
import { Meanwhile } from "../migrations/0031-meanwhile.ts";
import { RepeatedPayments } from "../migrations/0032-repeated-payments.ts";
import { WorkerLeases } from "../migrations/0033-worker-leases.ts";
import { openLog } from "./adapters/log.ts";
import { openPostgres, withoutSslMode } from "./adapters/postgres.ts";
import { type Config, readConfig } from "./config.ts";
import { maintainPartitions } from "./domain/events/events.sql.ts";
import { start } from "./start.ts";

/** Every migration, oldest first. Append only. */
const migrations = [
  { name: "0001-foundation", class: Foundation },
  { name: "0002-credits", class: Credits },
  { name: "0003-credit-safeguards", class: CreditSafeguards },
  { name: "0005-people", class: People },
  { name: "0006-sign-in", class: SignIn },
  { name: "0007-credit-recovery", class: CreditRecovery },
  { name: "0010-planning", class: Planning },
  { name: "0011-relations", class: Relations },
  { name: "0012-fields", class: Fields },
  { name: "0013-attachments", class: Attachments },
  { name: "0014-forms", class: Forms },
  { name: "0015-reports", class: Reports },
  { name: "0016-labels", class: Labels },
  { name: "0019-families", class: Families },
  { name: "0020-blockers-of-archived-projects", class: BlockersOfArchivedProjects },
  { name: "0021-tags", class: Tags },
  { name: "0022-form-mail", class: FormMail },
  { name: "0024-strangers", class: Strangers },
  { name: "0025-form-guesses", class: FormGuesses },
  { name: "0032-repeated-payments", class: RepeatedPayments },
  { name: "0023-search-words", class: SearchWords },
  { name: "0029-idempotent-replies", class: IdempotentReplies },
  { name: "0031-meanwhile", class: Meanwhile },
  { name: "0033-worker-leases", class: WorkerLeases },
];

export const NEWEST_MIGRATION = migrations.at(-1)!.name;

// Any number, the same for ever: two release processes at once take turns.
const LOCK = 0x6d757374;

/** Brings the database to the newest migration. Safe to run any time, from several machines at once. */
export async function migrate(config: Config): Promise<string[]> {
  const lock = new pg.Client({
    connectionString: urlOf(config),
    ...(config.DATABASE_SSL_NO_VERIFY ? { ssl: { rejectUnauthorized: false } } : {}),
  });
  await lock.connect();
  try {
    await lock.query("select pg_advisory_lock($1)", [LOCK]);
    const ran = await runMigrations(config);
    await withDatabase(config, (database) => maintainPartitions(database, new Date(), config.EVENT_RETENTION_DAYS));
    return ran;
  } finally {
    await lock.end();
  }
}

const urlOf = (config: Config) =>
  config.DATABASE_SSL_NO_VERIFY ? withoutSslMode(config.DATABASE_URL) : config.DATABASE_URL;

async function runMigrations(config: Config): Promise<string[]> {
  const orm = await MikroORM.init({
    clientUrl: urlOf(config),
    entities: [],
    extensions: [Migrator],
    discovery: { warnWhenNoEntities: false },
    // What ran is our own log's business.
    logger: () => {},
    migrations: { migrationsList: migrations, snapshot: false, tableName: "migration", transactional: true },
    ...(config.DATABASE_SSL_NO_VERIFY ? { driverOptions: { ssl: { rejectUnauthorized: false } } } : {}),
  });
  try {
    return (await orm.migrator.up()).map((migration) => migration.name);
  } finally {
    await orm.close();
  }
}

async function withDatabase(config: Config, work: (database: ReturnType<typeof openPostgres>) => Promise<unknown>) {
  const log = openLog(config.LOG_LEVEL, "migrate");
  const database = openPostgres(
    { url: config.DATABASE_URL, pool: 1, noVerify: config.DATABASE_SSL_NO_VERIFY, name: "muster migrate" },
    log,
  );
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

if (import.meta.main) {
  await start(async () => {
    const config = readConfig();
    const ran = await migrate(config);
    openLog(config.LOG_LEVEL, "migrate").info(
      { ran },
      ran.length > 0 ? `ran ${ran.join(", ")}` : "the database is up to date",
    );
  });
}
