import { isConnectionLoss } from "./adapters/postgres-connection.ts";
import { Misconfigured } from "./config.ts";

/**
 * Starts a process. An expected start-up error is reported in one line that says what to do; a bug, with its stack.
 */
export async function start(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${error instanceof Misconfigured ? error.message : (whatToDo(error) ?? stackOf(error))}\n`);
    process.exit(1);
  }
}

/** Explains an error of Postgres, or of a port in use, that an operator can fix. Null for other errors. */
export function whatToDo(error: unknown): string | null {
  const { code, message, port, syscall } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE" || (code === "EACCES" && syscall === "listen"))
    return `PORT or WORKER_PORT: ${port} cannot be used (${code}). Stop the program that listens on it, or choose another port.`;
  if (code === "42P01") return "The database is empty. Run: npm run migrate";
  // Wrong password, unknown role, unknown database.
  if (code?.startsWith("28") || code === "3D000")
    return `DATABASE_URL: Postgres rejected the connection: ${message}. Check its user, password and database.`;
  if (isConnectionLoss(error))
    return `DATABASE_URL: Postgres does not answer (${code ?? message}). Check that it is running and that DATABASE_URL is correct.`;
  return null;
}

const stackOf = (error: unknown) => (error as Error).stack ?? String(error);
