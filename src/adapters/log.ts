import { pino } from "pino";
import type { Log } from "../domain/kernel/ports/ports.ts";

/** JSON lines on standard output. They never contain bodies, tokens, headers or e-mail addresses. */
export function openLog(level: string, process: string): Log {
  const options = {
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  // Written synchronously: a buffer whose reader is gone would keep the process from ending.
  return pino(options, pino.destination({ fd: 1, sync: true }));
}

type LoggedError = {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  constraint?: string;
  errors?: LoggedError[];
};

/**
 * An error in the form that the log shows. Other fields are left out, because Postgres quotes whole rows in them, and
 * Redis whole commands.
 */
export function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutAddresses(String(error)) };
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown };
  // With the messages and stacks of its causes.
  const { type, message, stack } = pino.stdSerializers.err(error);
  return {
    type,
    message: withoutAddresses(message),
    ...(stack ? { stack: withoutAddresses(stack) } : {}),
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof constraint === "string" ? { constraint } : {}),
    ...(error instanceof AggregateError ? { errors: error.errors.map(describeError) } : {}),
  };
}

/**
 * Runs of characters that an address can contain. A slash ends one, because package names in a stack begin with @.
 */
const WORD = /[^\s"'<>()[\]=,:;/]+/g;

const withoutAddresses = (text: string) => text.replace(WORD, (word) => (word.indexOf("@") > 0 ? "…" : word));
