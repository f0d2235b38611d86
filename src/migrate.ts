import { type Migration, Migrator } from "@mikro-orm/migrations";
import { MikroORM } from "@mikro-orm/postgresql";
import pg from "pg";
import { openLog } from "./adapters/log.ts";
import { openPostgres, withoutSslMode } from "./adapters/postgres.ts";
import { type Config, Misconfigured, readConfig } from "./config.ts";
import { maintainPartitions } from "./domain/events/partitions.sql.ts";
import { MIGRATIONS, migrationUrl } from "./migration-files.ts";
import { start } from "./start.ts";

// Any number that never changes. Two concurrent release processes run one after the other.
const LOCK = 0x6d757374;

/** Migrates the database to the newest version. Safe to run at any time and from several machines at once. */
export async function migrate(config: Config): Promise<string[]> {
  const lock = new pg.Client({
    connectionString: urlOf(config),
    ...(config.DATABASE_SSL_NO_VERIFY ? { ssl: { rejectUnauthorized: false } } : {}),
  });
  await lock.connect();
  try {
    const { rows } = await lock.query<{ version: string }>("select current_setting('server_version') version");
    refuseOld(rows[0]?.version ?? "");
    await lock.query("select pg_advisory_lock($1)", [LOCK]);
    const ran = await runMigrations(config);
    await withDatabase(config, async (database) => {
      await maintainPartitions(database, "event", new Date(), config.EVENT_RETENTION_DAYS);
      await maintainPartitions(database, "audit_entry", new Date(), config.AUDIT_RETENTION_DAYS);
    });
    return ran;
  } finally {
    await lock.end();
  }
}

/** @throws Misconfigured if this Postgres lacks what the migrations use, such as uuidv7() */
export function refuseOld(version: string): void {
  if (Number.parseInt(version, 10) < 18) {
    throw new Misconfigured([`DATABASE_URL: Muster needs Postgres 18 or newer, and this is ${version}`]);
  }
}

const urlOf = (config: Config) =>
  config.DATABASE_SSL_NO_VERIFY ? withoutSslMode(config.DATABASE_URL) : config.DATABASE_URL;

type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration;

/** The class that a migration's file exports. */
async function classOf(name: string): Promise<MigrationClass> {
  const [only, ...others] = Object.values<MigrationClass>(await import(migrationUrl(name)));
  if (!only || others.length > 0) throw new Error(`migrations/${name}.ts must export one class.`);
  return only;
}

async function runMigrations(config: Config): Promise<string[]> {
  const migrationsList = await Promise.all(MIGRATIONS.map(async (name) => ({ name, class: await classOf(name) })));
  const orm = await MikroORM.init({
    clientUrl: urlOf(config),
    entities: [],
    extensions: [Migrator],
    discovery: { warnWhenNoEntities: false },
    // Our own log reports the migrations that ran.
    logger: () => {},
    // Each in a transaction of its own, so that the locks of one do not last for all others.
    migrations: { migrationsList, snapshot: false, tableName: "migration", transactional: true, allOrNothing: false },
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
